import type { ArmFigures } from '../../figures/figures.js';
import { type ChartRoom, type ChartText, renderChart, tickCount } from './chart.js';
import { intervalFields, intervalLayers } from './interval-layers.js';

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
        ...intervalFields(fresh, these, 0, 1),
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
  return renderChart(
    (room) => ({
      width: room.width,
      height: { step: 28 },
      data: { values },
      layer: intervalLayers(room, (field) => x(room, field), y, {
        estimate: 'mean',
        kind: 'rank',
        kinds: [RANKED, SCALE],
        size: 80,
      }),
    }),
    text,
  );
}
