import type { VNode } from 'preact';
import { MISS_CAUSES, type MissCause } from '../../../scoring/miss.js';
import { CAUSE_WORDS } from '../../figures/cause-words.js';
import { FATE_WORDS, FATES, type Fate } from '../../figures/fate.js';
import type { DatasetFigures } from '../../figures/figures.js';
import { listed } from '../../listed.js';
import { showShare } from '../../number-text.js';
import { ArmName } from '../arm-name.js';
import { orderedArms, ruleAt } from '../arm-order.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { fatesChart } from '../charts/fates.js';
import { Facts } from '../facts.js';
import { FigureTable } from '../figure-table.js';
import { questionsLink } from '../questions/address.js';
import type { ReportModel } from '../report-model.js';

/** Where each arm's questions are lost: the chief chart (OB-6). */
export async function causesSection(model: ReportModel): Promise<VNode> {
  const misses = model.result.arms[0]?.misses;
  if (misses === undefined || misses.scorer === null)
    return <p>No score of this matrix looks at answers, so that nothing says which of them are wrong.</p>;
  return (
    <>
      <p>
        An answer is wrong where its {misses.scorer} is below {misses.below}. It is laid to the first stage that lost an
        evidence turn; where none did, to the reader
        {model.datasets.some(hasUnanswerable) ? ', as is an answer to what cannot be answered' : ''}.
      </p>
      <Facts facts={MISS_CAUSES.map((cause) => [CAUSE_WORDS[cause], MEANINGS[cause]])} />
      {await byDataset(model.datasets, (figures, place) => causesOf(model, figures, place))}
    </>
  );
}

const MEANINGS: { readonly [Cause in MissCause]: string } = {
  'never-formed': 'formation: no belief rests on the turn',
  'wrongly-superseded': 'formation: one did, and was retired by a later belief',
  'not-retrieved': 'retrieval: the arm did not find it',
  'cut-from-context': 'context: it was found and did not fit the budget of tokens',
  misread:
    'reader: the turn stood in the context; of an arm that reads beliefs, a belief that rests on it did, which may not state the answer: then formation lost it, and not the reader',
  untold: 'the question names no evidence, or another system answered',
};

function hasUnanswerable({ arms }: DatasetFigures): boolean {
  return arms.some(({ abstention }) => abstention.unanswerable.rows > 0);
}

/** Bars of arms with and without formation are not alike: what nobody formed cannot be lost there (OB-6). */
function formationNote({ result }: ReportModel): string {
  const without = result.arms.filter(({ unit }) => unit !== 'beliefs').map(({ arm }) => arm);
  if (without.length === 0 || without.length === result.arms.length) return '';
  return ` ${listed(without)} ${without.length === 1 ? 'reads' : 'read'} no beliefs, and nothing is told of ${without.length === 1 ? 'it' : 'them'} as never formed or superseded: what others lose there, ${without.length === 1 ? 'it loses' : 'they lose'} at retrieval or later.`;
}

async function causesOf(model: ReportModel, figures: DatasetFigures, place: number): Promise<VNode> {
  const arms = orderedArms(model, figures);
  const rule = ruleAt(model, arms);
  const shown = FATES.filter((fate) => arms.some(({ fates }) => fates[fate] > 0));
  const svg = await fatesChart(arms, {
    name: `causes-${place + 1}`,
    title: 'What became of every question, by arm',
    description: 'A bar an arm, divided into right answers, each cause of a wrong one, and rows without an answer.',
  });
  return (
    <ChartFigure svg={svg} caption={`Every row of every arm: ${arms[0]?.expected ?? 0} each.${formationNote(model)}`}>
      <FigureTable
        caption="What became of every row, by arm"
        head={['arm', ...shown.map((fate) => FATE_WORDS[fate]), 'rows', 'right, of all rows']}
        rows={arms.map(({ arm, fates, expected }, index) => ({
          name: <ArmName model={model} arm={arm} />,
          cells: [
            ...shown.map((fate) => <FateCount key={fate} model={model} arm={arm} fate={fate} count={fates[fate]} />),
            expected,
            showShare(fates.right, expected),
          ],
          rule: index === rule,
        }))}
      />
    </ChartFigure>
  );
}

/** Where its rows are found among the questions; what a filter does not tell apart has no link. */
const CHOSEN: { readonly [Kind in Fate]?: Parameters<typeof questionsLink>[0] } = {
  right: { result: 'right' },
  'never-formed': { cause: 'never-formed' },
  'wrongly-superseded': { cause: 'wrongly-superseded' },
  'not-retrieved': { cause: 'not-retrieved' },
  'cut-from-context': { cause: 'cut-from-context' },
  misread: { cause: 'misread' },
  failed: { state: 'failed' },
  lost: { state: 'lost' },
};

/** A count that leads to the questions that it counts, where they are of one dataset: the filters know of none. */
function FateCount({ model, arm, fate, count }: { model: ReportModel; arm: string; fate: Fate; count: number }): VNode {
  const chosen = CHOSEN[fate];
  if (count === 0 || chosen === undefined || model.datasets.length > 1) return <>{count}</>;
  return <a href={questionsLink({ arm, ...chosen })}>{count}</a>;
}
