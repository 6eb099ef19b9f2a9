import type { PricedArm } from '../../figures/pareto-front.js';
import { CHART_WIDTH, type ChartText, renderChart } from './chart.js';
import { lineLook } from './palette.js';

/** An arm with a known cost; cost in dollars for a thousand questions. */
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
  scorer: string,
  text: ChartText,
): Promise<string> {
  const names = points.map(({ arm }) => arm);
  const looks = names.map((_, place) => lineLook(place));
  const costs = points.map(({ cost }) => cost);
  const isLog = Math.min(...costs) > 0 && Math.max(...costs) / Math.min(...costs) >= WIDE_RANGE;
  const legend = { title: null, orient: 'right', symbolOpacity: 1 } as const;
  const arms = { field: 'arm', type: 'nominal' } as const;
  const encoding = {
    x: {
      field: 'cost',
      type: 'quantitative',
      scale: isLog ? ({ type: 'log', nice: false, padding: 16 } as const) : ({ zero: true, nice: true } as const),
      axis: {
        title: `attributed cost of 1,000 questions, USD${isLog ? ' (logarithmic)' : ''}`,
        tickCount: 6,
        format: '~g',
      },
    },
    y: {
      field: 'score',
      type: 'quantitative',
      scale: { domain: [0, 1] as number[] },
      axis: { title: `mean ${scorer}`, format: '.1f' },
    },
  } as const;
  const marks = {
    ...encoding,
    shape: { ...arms, scale: { domain: names, range: looks.map(({ shape }) => shape) }, legend },
    stroke: { ...arms, scale: { domain: names, range: looks.map(({ colour }) => colour) }, legend },
  } as const;
  return renderChart(
    {
      width: CHART_WIDTH - 60,
      height: 280,
      layer: [
        {
          data: { values: front.map(({ cost, score }) => ({ cost, score })) },
          mark: { type: 'line', interpolate: 'step-after', color: 'var(--muted)', strokeDash: [4, 3] },
          encoding,
        },
        {
          data: {
            values: points.filter(({ is_ranked }) => is_ranked).map(({ arm, cost, score }) => ({ arm, cost, score })),
          },
          mark: { type: 'point', filled: true, size: 110, opacity: 1 },
          encoding: {
            ...marks,
            fill: { ...arms, scale: { domain: names, range: looks.map(({ colour }) => colour) }, legend },
          },
        },
        {
          data: {
            values: points.filter(({ is_ranked }) => !is_ranked).map(({ arm, cost, score }) => ({ arm, cost, score })),
          },
          mark: { type: 'point', filled: false, size: 110, opacity: 1, strokeWidth: 2 },
          encoding: marks,
        },
      ],
    },
    text,
  );
}
