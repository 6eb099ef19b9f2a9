import { type ChartRoom, type ChartText, renderChart } from './chart.js';

/** One arm's shares; null: no such question. */
export interface AbstentionPoint {
  readonly arm: string;
  readonly accuracy: number | null;
  readonly right_abstention: number | null;
  readonly false_abstention: number | null;
}

/**
 * Panels with an arm a line in each: accuracy on what can be answered, right and false abstention; a panel of which no arm has anything is left out.
 * A dashed line: who always abstains.
 */
export function abstentionChart(
  arms: readonly AbstentionPoint[],
  accuracyTitle: string,
  text: ChartText,
): Promise<string> {
  const all = [
    { field: 'accuracy', title: accuracyTitle, always: 0 },
    { field: 'right_abstention', title: 'unanswerable: rightly declined', always: 1 },
    { field: 'false_abstention', title: 'answerable: wrongly abstained', always: 1 },
  ] as const;
  const panels = all.filter(({ field }, place) => place === 0 || arms.some((arm) => arm[field] !== null));
  const names = arms.map(({ arm }) => arm);
  const y = (hasNames: boolean) =>
    ({
      field: 'arm',
      type: 'nominal',
      scale: { domain: names },
      axis: hasNames ? { title: null, ticks: false, domain: false } : null,
    }) as const;
  const panel = (room: ChartRoom, { field, title, always }: (typeof panels)[number], place: number) => {
    const line = y(room.isNarrow || place === 0);
    return {
      width: room.isNarrow ? room.width : 165,
      height: { step: room.isNarrow ? 18 : 24 },
      layer: [
        {
          data: { values: names.map((arm) => ({ arm })) },
          mark: { type: 'rule', color: 'var(--line)' } as const,
          encoding: { y: line },
        },
        {
          data: { values: [{ always }] },
          mark: { type: 'rule', color: 'var(--warn)', strokeDash: [4, 3] as number[], strokeWidth: 2 } as const,
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
            y: line,
          },
        },
      ],
    };
  };
  return renderChart((room) => {
    const drawn = panels.map((one, place) => panel(room, one, place));
    if (room.isNarrow) return { vconcat: drawn, spacing: 24 };
    // By their frames: the widths of words are guesses.
    return { hconcat: drawn, bounds: 'flush', spacing: 42 };
  }, text);
}
