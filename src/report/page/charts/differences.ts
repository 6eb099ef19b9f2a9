import type { ContrastResult } from '../../comparison/comparison.js';
import { type ChartRoom, type ChartText, renderChart, tickCount } from './chart.js';
import { has, intervalFields, intervalLayers } from './interval-layers.js';

const PLANNED = 'planned before the run';
const EXPLORATORY = 'exploratory';

/** A contrast's name on two lines, for a phone. */
const TWO_LINES = "[split(datum.label, ' − ')[0] + ' −', split(datum.label, ' − ')[1]]";

/** A contrast as people name it. */
export function contrastName({ head_arm, base_arm }: Pick<ContrastResult, 'head_arm' | 'base_arm'>): string {
  return `${head_arm} − ${base_arm}`;
}

/**
 * Paired differences, one a line, about the line of no difference. Thick: these conversations; thin: new ones. Ticks: the smallest difference
 * that the load finds for new conversations, by the strictest step of what decides. A band: the noise floor.
 */
export function differencesChart(
  contrasts: readonly ContrastResult[],
  noise: number | null,
  scorer: string,
  text: ChartText,
): Promise<string> {
  const values = contrasts.flatMap((contrast) => {
    const { new_conversations: fresh, these_conversations: these, smallest_detectable: smallest } = contrast;
    if (fresh.kind === 'no_pairs') return [];
    return [
      {
        name: contrastName(contrast),
        estimate: fresh.estimate,
        plan: contrast.planned ? PLANNED : EXPLORATORY,
        ...intervalFields(fresh, these),
        ...(smallest.kind === 'estimated' ? { above: smallest.difference, below: -smallest.difference } : {}),
      },
    ];
  });
  const names = values.map(({ name }) => name);
  const y = ({ isNarrow }: ChartRoom) =>
    ({
      field: 'name',
      type: 'nominal',
      scale: { domain: names },
      axis: { title: null, ticks: false, domain: false, ...(isNarrow ? { labelExpr: TWO_LINES } : {}) },
    }) as const;
  const x = (room: ChartRoom, field: string) =>
    ({
      field,
      type: 'quantitative',
      axis: {
        title: `difference in ${scorer}, head − base`,
        labelExpr: "datum.value === 0 ? '0' : format(datum.value, '+.3~f')",
        tickCount: tickCount(room),
        labelOverlap: false,
        labelFlush: false,
      },
    }) as const;
  const band =
    noise === null || noise === 0
      ? []
      : [
          {
            data: { values: [{ from: -noise, to: noise }] },
            mark: { type: 'rect', color: 'var(--muted)', opacity: 0.18 } as const,
            encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } } as const,
          },
        ];
  return renderChart(
    (room) => ({
      width: room.width,
      height: { step: 32 },
      data: { values },
      layer: [
        ...band,
        {
          data: { values: [{ zero: 0 }] },
          mark: { type: 'rule', color: 'var(--ink)', strokeWidth: 1 },
          encoding: { x: { field: 'zero', type: 'quantitative' } },
        },
        ...['above', 'below'].map((field) => ({
          transform: [has(field)],
          mark: { type: 'tick', color: 'var(--muted)', thickness: 1.5, size: 14 } as const,
          encoding: { x: x(room, field), y: y(room) },
        })),
        ...intervalLayers(room, (field) => x(room, field), y(room), {
          estimate: 'estimate',
          kind: 'plan',
          kinds: [PLANNED, EXPLORATORY],
          size: 90,
        }),
      ],
    }),
    text,
  );
}
