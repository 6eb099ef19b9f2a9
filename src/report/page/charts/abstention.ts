import { type ChartText, renderChart } from './chart.js';

/** One arm's shares; null: no such question. */
export interface AbstentionPoint {
  readonly arm: string;
  readonly accuracy: number | null;
  readonly right_abstention: number | null;
  readonly false_abstention: number | null;
}

/** Three panels, an arm a line in each: accuracy on what can be answered, right and false abstention. A dashed line: who always abstains. */
export function abstentionChart(
  arms: readonly AbstentionPoint[],
  accuracyTitle: string,
  text: ChartText,
): Promise<string> {
  const panels = [
    { field: 'accuracy', title: accuracyTitle, always: 0 },
    { field: 'right_abstention', title: 'unanswerable: rightly declined', always: 1 },
    { field: 'false_abstention', title: 'answerable: wrongly abstained', always: 1 },
  ] as const;
  const names = arms.map(({ arm }) => arm);
  const y = (place: number) =>
    ({
      field: 'arm',
      type: 'nominal',
      scale: { domain: names },
      axis: place === 0 ? { title: null, ticks: false, domain: false } : null,
    }) as const;
  return renderChart(
    {
      hconcat: panels.map(({ field, title, always }, place) => ({
        width: 165,
        height: { step: 24 },
        layer: [
          {
            data: { values: names.map((arm) => ({ arm })) },
            mark: { type: 'rule', color: 'var(--line)' } as const,
            encoding: { y: y(place) },
          },
          {
            data: { values: [{ always }] },
            mark: { type: 'rule', color: 'var(--warn)', strokeDash: [4, 3], strokeWidth: 2 } as const,
            encoding: { x: { field: 'always', type: 'quantitative' } } as const,
          },
          {
            data: {
              values: arms.flatMap((arm) => {
                const share = arm[field];
                return share === null ? [] : [{ arm: arm.arm, share }];
              }),
            },
            mark: { type: 'point', filled: true, size: 80, opacity: 1, color: 'var(--accent)' } as const,
            encoding: {
              x: {
                field: 'share',
                type: 'quantitative',
                scale: { domain: [0, 1] as number[] },
                axis: { title, format: '.1f', values: [0, 0.5, 1] as number[] },
              } as const,
              y: y(place),
            },
          },
        ],
      })),
      // By their frames: the widths of words are guesses.
      bounds: 'flush',
      spacing: 42,
    },
    text,
  );
}
