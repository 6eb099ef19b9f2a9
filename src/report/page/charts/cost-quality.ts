import type { PricedArm } from '../../figures/pareto-front.js';
import { type ChartRoom, type ChartText, legendBeside, renderChart, tickCount, widthBeside } from './chart.js';
import { lineLook } from './palette.js';

/** An arm with a known cost, in the unit of the chart's axis. */
export interface CostPoint extends PricedArm {
  /** False for references and twins: hollow, and on no front. */
  readonly is_ranked: boolean;
}

/** From this ratio of the dearest to the cheapest on, costs are told apart on a logarithmic axis alone; one with 0 on it is linear near 0. */
const WIDE_RANGE = 20;

/** Cost to the right, score upwards; steps join the arms that none beats in both. Arms are told apart by colour and shape, references by being hollow. */
export function costQualityChart(
  points: readonly CostPoint[],
  front: readonly PricedArm[],
  titles: {
    /** What the cost is, and its unit: one for all, for what is counted in different units is never one axis. */
    readonly cost: string;
    /** How its numbers are written: a format of d3. */
    readonly format: string;
    readonly score: string;
  },
  text: ChartText,
): Promise<string> {
  const names = points.map(({ arm }) => arm);
  const looks = names.map((_, place) => lineLook(place));
  const costs = points.map(({ cost }) => cost);
  const positive = costs.filter((cost) => cost > 0);
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  const isLog = positive.length > 0 && most / least >= WIDE_RANGE;
  const hasZero = positive.length < costs.length;
  const arms = { field: 'arm', type: 'nominal' } as const;
  const encoding = (room: ChartRoom) =>
    ({
      x: {
        field: 'cost',
        type: 'quantitative',
        scale: !isLog
          ? ({ zero: true, nice: true } as const)
          : hasZero
            ? ({ type: 'symlog', constant: least / 2, domain: [0, most] as number[], nice: false } as const)
            : ({ type: 'log', nice: false, padding: 16 } as const),
        axis: {
          title: `${titles.cost}${isLog ? ' (logarithmic)' : ''}`,
          format: titles.format,
          ...(isLog && hasZero ? { values: [0, ...powersOfTen(least, most)] } : { tickCount: tickCount(room) }),
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

/** Those from the least to the most. */
function powersOfTen(least: number, most: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(least)), Math.floor(Math.log10(most))];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => 10 ** (first + place));
}
