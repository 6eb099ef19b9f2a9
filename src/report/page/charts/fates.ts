import { MISS_CAUSES } from '../../../scoring/miss.js';
import { FATE_WORDS, FATES, type Fate } from '../../figures/fate.js';
import type { ArmFigures } from '../../figures/figures.js';
import { type ChartRoom, type ChartText, legendAbove, renderChart, tickCount } from './chart.js';

const COLOURS: { readonly [Kind in Fate]: string } = {
  right: 'var(--c3)',
  'never-formed': 'var(--c6)',
  'wrongly-superseded': 'var(--c4)',
  'not-retrieved': 'var(--c2)',
  'cut-from-context': 'var(--c7)',
  misread: 'var(--c5)',
  untold: 'var(--c8)',
  unscored: 'var(--muted)',
  failed: 'var(--c1)',
  lost: 'var(--line)',
  unasked: 'var(--panel)',
};

/** On these a count is legible; the table has them all. */
const LABELLED: readonly Fate[] = ['right', ...MISS_CAUSES, 'failed'];

/** A bar an arm: every row of it, by what became of it, in the order of the stages. */
export function fatesChart(arms: readonly ArmFigures[], text: ChartText): Promise<string> {
  const shown = FATES.filter((fate) => arms.some(({ fates }) => fates[fate] > 0));
  const most = Math.max(1, ...arms.map(({ expected }) => expected));
  const values = (room: ChartRoom) =>
    arms.flatMap(({ arm, fates }) => {
      let sum = 0;
      return shown.map((fate) => {
        const count = fates[fate];
        const from = sum;
        sum += count;
        // A count stands in its part where that is wide enough for it.
        const isWide = (count / most) * room.width > 8 * String(count).length + 4;
        return {
          arm,
          fate: FATE_WORDS[fate],
          from,
          to: sum,
          middle: (from + sum) / 2,
          count: LABELLED.includes(fate) && isWide ? String(count) : '',
        };
      });
    });
  const y = {
    field: 'arm',
    type: 'nominal',
    scale: { domain: arms.map(({ arm }) => arm), paddingInner: 0.25 },
    axis: { title: null, ticks: false, domain: false },
  } as const;
  return renderChart(
    (room) => ({
      width: room.width,
      height: { step: 30 },
      data: { values: values(room) },
      layer: [
        {
          mark: { type: 'bar', stroke: 'var(--paper)', strokeWidth: 1 },
          encoding: {
            x: {
              field: 'from',
              type: 'quantitative',
              scale: { domain: [0, most], nice: false },
              axis: {
                title: 'rows: questions, repeats and replicates',
                tickMinStep: 1,
                tickCount: tickCount(room),
                format: 'd',
              },
            },
            x2: { field: 'to' },
            y,
            color: {
              field: 'fate',
              type: 'nominal',
              scale: { domain: shown.map((fate) => FATE_WORDS[fate]), range: shown.map((fate) => COLOURS[fate]) },
              legend: {
                ...legendAbove(room),
                columns: room.isNarrow ? 2 : 4,
                symbolStrokeColor: 'var(--muted)',
                symbolType: 'square',
              },
            },
          },
        },
        {
          mark: { type: 'text', fontSize: 11, color: '#000' },
          encoding: { x: { field: 'middle', type: 'quantitative' }, y, text: { field: 'count' } },
        },
      ],
    }),
    text,
  );
}
