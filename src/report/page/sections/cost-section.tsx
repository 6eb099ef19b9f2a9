import type { VNode } from 'preact';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import { type PricedArm, paretoFront } from '../../figures/pareto-front.js';
import { showCount, showScore } from '../../number-text.js';
import { ArmName } from '../arm-name.js';
import { orderedArms, rankedArms, ruleAt } from '../arm-order.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { type CostPoint, costQualityChart } from '../charts/cost-quality.js';
import { FigureTable } from '../figure-table.js';
import type { ReportModel } from '../report-model.js';

/** What arms would cost on their own, and what their readers are given to read, against how well they answer (RP-5, OB-2). */
export async function costSection(model: ReportModel): Promise<VNode> {
  return (
    <>
      <p>
        Attributed cost: what an arm would have cost alone, its formation and index included, whatever was replayed or
        shared. It is what arms are compared by; what this run really paid, what is paid once, and what a further
        question costs, is in the ledger. Judging is in none of it. Context tokens are what the reader is given of
        memory for a question: they are known without a price, and are no money.
      </p>
      {await byDataset(model.datasets, (figures, place) => costOf(model, figures, place))}
    </>
  );
}

async function costOf(model: ReportModel, figures: DatasetFigures, place: number): Promise<VNode> {
  const arms = orderedArms(model, figures);
  const unpriced = arms.filter((arm) => thousandQuestions(arm) === null);
  const priced = await costAgainstQuality(model, arms, MONEY, place);
  return (
    <>
      {unpriced.length === 0 ? null : <WithoutCost model={model} arms={unpriced} hasOthers={priced !== null} />}
      {priced}
      {unpriced.length === 0 ? null : await costAgainstQuality(model, arms, TOKENS, place)}
    </>
  );
}

/** What arms are weighed by: one unit for all, and the words that it needs. */
interface CostKind {
  /** Of the chart's ids. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly axis: string;
  /** A format of d3. */
  readonly format: string;
  readonly caption: string;
  /** What no other arm is, or does. */
  readonly beats: string;
  readonly show: (cost: number) => string;
  readonly costOf: (arm: ArmFigures) => number | null;
  readonly Table: (props: TableProps) => VNode;
}

const MONEY: CostKind = {
  name: 'cost',
  title: 'Cost',
  description:
    'A point for every arm with a known cost. A dashed line of steps joins those that no other beats in both cost and score.',
  axis: 'attributed cost of 1,000 questions, USD',
  format: '~g',
  caption: 'Further up is better, further left is cheaper.',
  beats: 'is both cheaper and better than',
  show: (cost) => `${dollars(cost)} for 1,000 questions`,
  costOf: thousandQuestions,
  Table: CostTable,
};

const TOKENS: CostKind = {
  name: 'context',
  title: 'Context tokens',
  description:
    'A point for every arm whose reader is given a context. A dashed line of steps joins those that no other beats in both tokens and score.',
  axis: 'context tokens of a question, median',
  format: ',d',
  caption: 'Further up is better, further left reads less.',
  beats: 'both reads fewer context tokens and scores higher than',
  show: showCount,
  costOf: ({ context_tokens }) => context_tokens,
  Table: TokenTable,
};

/** Nothing where the cost of no arm is known. */
async function costAgainstQuality(
  model: ReportModel,
  arms: readonly ArmFigures[],
  { name, title, description, axis, format, caption, beats, show, costOf, Table }: CostKind,
  place: number,
): Promise<VNode | null> {
  const { primary } = model.matrix.analysis;
  const ranked = rankedArms(model);
  const points = arms.flatMap((arm) => pointOf(arm, costOf(arm), primary, ranked.has(arm.arm)));
  if (points.length === 0) return null;
  const front = paretoFront(points.filter(({ is_ranked }) => is_ranked));
  const svg = await costQualityChart(
    points,
    front,
    { cost: axis, format, score: `mean ${primary}` },
    { name: `${name}-${place + 1}`, title: `${title} against ${primary}`, description },
  );
  return (
    <>
      <Front model={model} front={front} words={beats} unit={show} />
      <ChartFigure svg={svg} caption={`${caption} ${READING}`}>
        <Table model={model} arms={arms} front={front} />
      </ChartFigure>
    </>
  );
}

/** How such a chart is read. */
const READING =
  'Dashed: the arms that none beats in both. Hollow: not ranked, for scale. By the means as they are; which differences are real is told under Paired differences.';

function thousandQuestions({ cost }: ArmFigures): number | null {
  return cost.a_question === null ? null : (cost.a_question * 1000) / 1e9;
}

function pointOf({ arm, scores }: ArmFigures, cost: number | null, scorer: string, is_ranked: boolean): CostPoint[] {
  const score = scores.get(scorer)?.mean ?? null;
  return cost === null || score === null ? [] : [{ arm, cost, score, is_ranked }];
}

/** An arm without a price is never one that costs nothing (OB-2). */
function WithoutCost({
  model,
  arms,
  hasOthers,
}: {
  readonly model: ReportModel;
  readonly arms: readonly ArmFigures[];
  readonly hasOthers: boolean;
}): VNode {
  const { primary } = model.matrix.analysis;
  const why = "a model has no price, or a call's cost is unknown. That is not 0.";
  if (!hasOthers)
    return (
      <p class="caution">
        The cost of no arm is known: {why} What each gives its reader to read is known, and stands in its place.
      </p>
    );
  return (
    <p class="caution">
      Beside the chart, for their cost is not known: {why}{' '}
      {arms.map(({ arm, scores }, index) => (
        <>
          {index === 0 ? '' : ', '}
          <ArmName model={model} arm={arm} /> ({primary} {showScore(scores.get(primary)?.mean)})
        </>
      ))}
      .
    </p>
  );
}

function Front({
  model,
  front,
  words,
  unit,
}: {
  readonly model: ReportModel;
  readonly front: readonly PricedArm[];
  /** What none of the others is, or does. */
  readonly words: string;
  readonly unit: (cost: number) => string;
}): VNode | null {
  if (front.length === 0) return null;
  return (
    <p>
      No ranked arm {words}{' '}
      {front.map(({ arm, cost }, index) => (
        <>
          {index === 0 ? '' : index === front.length - 1 ? ' and ' : ', '}
          <ArmName model={model} arm={arm} /> ({unit(cost)})
        </>
      ))}
      .
    </p>
  );
}

interface TableProps {
  readonly model: ReportModel;
  readonly arms: readonly ArmFigures[];
  readonly front: readonly PricedArm[];
}

function CostTable({ model, arms, front }: TableProps): VNode {
  const { primary } = model.matrix.analysis;
  const rule = ruleAt(model, arms);
  return (
    <FigureTable
      caption="What every arm would cost alone for 1,000 questions like these, what is paid once shared over this load's; and what its reader is given for one"
      head={[
        'arm',
        `mean ${primary}`,
        'attributed cost of 1,000 questions',
        'beaten by none',
        'context tokens of a question (median)',
      ]}
      texts={[3]}
      rows={arms.map((arm, index) => {
        const cost = thousandQuestions(arm);
        return {
          name: <ArmName model={model} arm={arm.arm} />,
          cells: [
            showScore(arm.scores.get(primary)?.mean),
            cost === null ? 'not known' : dollars(cost),
            isOn(front, arm) ? 'yes' : '',
            showCount(arm.context_tokens),
          ],
          rule: index === rule,
        };
      })}
    />
  );
}

function TokenTable({ model, arms, front }: TableProps): VNode {
  const { primary } = model.matrix.analysis;
  const rule = ruleAt(model, arms);
  return (
    <FigureTable
      caption="What every arm's reader is given for a question, the median of its contexts"
      head={['arm', `mean ${primary}`, 'context tokens of a question (median)', 'beaten by none']}
      texts={[3]}
      rows={arms.map((arm, index) => ({
        name: <ArmName model={model} arm={arm.arm} />,
        cells: [showScore(arm.scores.get(primary)?.mean), showCount(arm.context_tokens), isOn(front, arm) ? 'yes' : ''],
        rule: index === rule,
      }))}
    />
  );
}

function isOn(front: readonly PricedArm[], { arm }: ArmFigures): boolean {
  return front.some((one) => one.arm === arm);
}

/** Four significant digits: the exact amounts are nano-dollars, in the documents. */
function dollars(amount: number): string {
  return `$${Number(amount.toPrecision(4))}`;
}
