import type { PricedArm } from '../../figures/pareto-front.js';
import { type ChartRoom, type ChartText, legendBeside, renderChart, tickCount, widthBeside } from './chart.js';
import { lineLook } from './palette.js';

/** An arm with a known cost, in the unit of the chart's axis. */
export interface CostPoint extends PricedArm {
  /** False for references and twins: hollow, and on no front. */
  readonly is_ranked: boolean;
}

/** From this ratio of the dearest to the cheapest on, costs are told apart on a logarithmic axis alone. */
const WIDE_RANGE = 20;

/** Cost to the right, score upwards; steps join the arms that none beats in both. Arms are told apart by colour and shape, references by being hollow. */
export function costQualityChart(
  points: readonly CostPoint[],
  front: readonly PricedArm[],
  titles: {
    /** What the cost is, and its unit: one for all, for what is counted in different units is never one axis. */
    readonly cost: string;
    readonly score: string;
  },
  text: ChartText,
): Promise<string> {
  const names = points.map(({ arm }) => arm);
  const looks = names.map((_, place) => lineLook(place));
  const costs = points.map(({ cost }) => cost);
  const isLog = Math.min(...costs) > 0 && Math.max(...costs) / Math.min(...costs) >= WIDE_RANGE;
  const arms = { field: 'arm', type: 'nominal' } as const;
  const encoding = (room: ChartRoom) =>
    ({
      x: {
        field: 'cost',
        type: 'quantitative',
        scale: isLog ? ({ type: 'log', nice: false, padding: 16 } as const) : ({ zero: true, nice: true } as const),
        axis: {
          title: `${titles.cost}${isLog ? ' (logarithmic)' : ''}`,
          tickCount: tickCount(room),
          format: ',~g',
        },
      },
      y: {
        field: 'score',
        type: 'quantitative',
        scale: { domain: [0, 1] as number[] },
        axis: { title: titles.score, format: '.1f' },
      },
    }) as const;
  const marks = (room: ChartRoom) => {
    const legend = { ...legendBeside(room), symbolOpacity: 1 } as const;
    const colours = { ...arms, scale: { domain: names, range: looks.map(({ colour }) => colour) }, legend } as const;
    const shapes = { ...arms, scale: { domain: names, range: looks.map(({ shape }) => shape) }, legend } as const;
    return { ...encoding(room), shape: shapes, stroke: colours } as const;
  };
  return renderChart(
    (room) => ({
      width: widthBeside(room),
      height: 280,
      layer: [
        {
          data: { values: front.map(({ cost, score }) => ({ cost, score })) },
          mark: { type: 'line', interpolate: 'step-after', color: 'var(--muted)', strokeDash: [4, 3] },
          encoding: encoding(room),
        },
        {
          data: {
            values: points.filter(({ is_ranked }) => is_ranked).map(({ arm, cost, score }) => ({ arm, cost, score })),
          },
          mark: { type: 'point', filled: true, size: 110, opacity: 1 },
          encoding: { ...marks(room), fill: marks(room).stroke },
        },
        {
          data: {
            values: points.filter(({ is_ranked }) => !is_ranked).map(({ arm, cost, score }) => ({ arm, cost, score })),
          },
          mark: { type: 'point', filled: false, size: 110, opacity: 1, strokeWidth: 2 },
          encoding: marks(room),
        },
      ],
    }),
    text,
  );
}
