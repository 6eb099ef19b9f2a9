import type { ArmFigures } from '../../figures/figures.js';
import { type ChartRoom, type ChartText, legendAbove, renderChart, tickCount } from './chart.js';

const RANKED = 'ranked';
const SCALE = 'for scale, never ranked';

/** An arm's mean a line. Thick: the interval of these conversations; thin: of new ones. Hollow: references and twins. */
export function armMeansChart(
  arms: readonly ArmFigures[],
  isRanked: (arm: string) => boolean,
  scorer: string,
  text: ChartText,
): Promise<string> {
  const values = arms.flatMap(({ arm, new_conversations: fresh, these_conversations: these }) => {
    if (fresh.kind === 'no_pairs') return [];
    return [
      {
        arm,
        mean: fresh.estimate,
        rank: isRanked(arm) ? RANKED : SCALE,
        ...(fresh.kind === 'estimated' ? { lo: Math.max(0, fresh.lo), hi: Math.min(1, fresh.hi) } : {}),
        ...(these.kind === 'estimated' ? { these_lo: Math.max(0, these.lo), these_hi: Math.min(1, these.hi) } : {}),
      },
    ];
  });
  const y = {
    field: 'arm',
    type: 'nominal',
    scale: { domain: values.map(({ arm }) => arm) },
    axis: { title: null, ticks: false, domain: false },
  } as const;
  const x = (room: ChartRoom, field: string) =>
    ({
      field,
      type: 'quantitative',
      scale: { domain: [0, 1] as number[] },
      axis: { title: `mean ${scorer}`, format: '.1f', tickCount: tickCount(room) },
    }) as const;
  const has = (field: string) => ({ filter: { field, valid: true } }) as const;
  return renderChart(
    (room) => ({
      width: room.width,
      height: { step: 28 },
      data: { values },
      layer: [
        {
          transform: [has('lo')],
          mark: { type: 'rule', color: 'var(--ink)', strokeWidth: 1.5 },
          encoding: { x: x(room, 'lo'), x2: { field: 'hi' }, y },
        },
        {
          transform: [has('these_lo')],
          mark: { type: 'rule', color: 'var(--accent)', strokeWidth: 6, opacity: 0.45 },
          encoding: { x: x(room, 'these_lo'), x2: { field: 'these_hi' }, y },
        },
        {
          mark: { type: 'point', filled: true, size: 80, opacity: 1, stroke: 'var(--ink)', strokeWidth: 1.5 },
          encoding: {
            x: x(room, 'mean'),
            y,
            shape: {
              field: 'rank',
              type: 'nominal',
              scale: { domain: [RANKED, SCALE], range: ['circle', 'diamond'] },
              legend: legendAbove(room),
            },
            fill: {
              field: 'rank',
              type: 'nominal',
              scale: { domain: [RANKED, SCALE], range: ['var(--ink)', 'var(--paper)'] },
              legend: legendAbove(room),
            },
          },
        },
      ],
    }),
    text,
  );
}
