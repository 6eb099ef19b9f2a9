import { type ChartRoom, type ChartText, legendBeside, renderChart, tickCount, widthBeside } from './chart.js';
import { lineLook } from './palette.js';

/** One arm's recall, point by point. */
export interface RecallLine {
  readonly arm: string;
  readonly points: readonly { readonly at: number; readonly recall: number }[];
}

/** Evidence recall by how far one looks: a line an arm, told apart by colour, dash and shape. Steps: a line holds until it rises. */
export function evidenceRecallChart(
  lines: readonly RecallLine[],
  axis: { readonly title: string; readonly stepped: boolean },
  text: ChartText,
): Promise<string> {
  const names = lines.map(({ arm }) => arm);
  const looks = names.map((_, place) => lineLook(place));
  const values = lines.flatMap(({ arm, points }) => points.map(({ at, recall }) => ({ arm, at, recall })));
  const last = Math.max(1, ...values.map(({ at }) => at));
  const encoding = (room: ChartRoom) =>
    ({
      x: {
        field: 'at',
        type: 'quantitative',
        scale: { domain: [axis.stepped ? 0 : 1, last] as number[], nice: false },
        axis: { title: axis.title, tickMinStep: 1, tickCount: tickCount(room), format: 'd', grid: false },
      },
      y: {
        field: 'recall',
        type: 'quantitative',
        scale: { domain: [0, 1] as number[] },
        axis: { title: 'evidence recall', format: '.1f' },
      },
      color: {
        field: 'arm',
        type: 'nominal',
        scale: { domain: names, range: looks.map(({ colour }) => colour) },
        legend: legendBeside(room),
      },
    }) as const;
  return renderChart(
    (room) => ({
      width: widthBeside(room),
      height: 260,
      data: { values },
      layer: [
        {
          mark: { type: 'line', strokeWidth: 2, interpolate: axis.stepped ? 'step-after' : 'linear' },
          encoding: {
            ...encoding(room),
            strokeDash: {
              field: 'arm',
              type: 'nominal',
              scale: { domain: names, range: looks.map(({ dash }) => [...dash]) },
              legend: legendBeside(room),
            },
          },
        },
        ...(axis.stepped
          ? []
          : [
              {
                mark: { type: 'point', filled: true, size: 45, opacity: 1 } as const,
                encoding: {
                  ...encoding(room),
                  shape: {
                    field: 'arm',
                    type: 'nominal',
                    scale: { domain: names, range: looks.map(({ shape }) => shape) },
                    legend: legendBeside(room),
                  } as const,
                },
              },
            ]),
      ],
    }),
    text,
  );
}
