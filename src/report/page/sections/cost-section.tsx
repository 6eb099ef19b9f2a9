import type { VNode } from 'preact';
import type { ArmResult } from '../../../experiment/experiment.js';
import { isRanked } from '../../comparison/ranked-arms.js';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import { type PricedArm, paretoFront } from '../../figures/pareto-front.js';
import { showScore } from '../../number-text.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { type CostPoint, costQualityChart } from '../charts/cost-quality.js';
import { FigureTable } from '../figure-table.js';
import type { ReportModel } from '../report-model.js';
import { ArmName, orderedArms } from './arms-section.js';

/** What arms would cost on their own, against how well they answer (RP-5, OB-2). */
export async function costSection(model: ReportModel): Promise<VNode> {
  return (
    <>
      <p>
        Attributed cost: what an arm would have cost alone, its formation and index included, whatever was replayed or
        shared. It is what arms are compared by; what this run really paid, what is paid once, and what a further
        question costs, is in the ledger. Judging is in none of it.
      </p>
      {await byDataset(model.datasets, (figures, place) => costOf(model, figures, place))}
    </>
  );
}

async function costOf(model: ReportModel, figures: DatasetFigures, place: number): Promise<VNode> {
  const { primary } = model.matrix.analysis;
  const arms = orderedArms(model, figures);
  const ranked = new Set(model.result.arms.filter(isRanked).map(({ arm }) => arm));
  const points = arms.flatMap((arm) => pointOf(arm, primary, ranked.has(arm.arm)));
  const unknown = arms.filter(({ arm }) => !points.some((point) => point.arm === arm));
  const front = paretoFront(points.filter(({ is_ranked }) => is_ranked));
  return (
    <>
      {unknown.length === 0 ? null : <WithoutCost model={model} arms={unknown} hasOthers={points.length > 0} />}
      {points.length === 0 ? null : <Front model={model} front={front} />}
      {points.length === 0 ? (
        <CostTable model={model} arms={arms} front={front} />
      ) : (
        <ChartFigure
          svg={
            await costQualityChart(points, front, primary, {
              name: `cost-${place + 1}`,
              title: `Cost against ${primary}`,
              description:
                'A point for every arm with a known cost. A dashed line of steps joins those that no other beats in both cost and score.',
            })
          }
          caption="Further up is better, further left is cheaper. Dashed: the arms that none beats in both. Hollow: not ranked, for scale. By the means as they are; which differences are real is told under Paired differences."
        >
          <CostTable model={model} arms={arms} front={front} />
        </ChartFigure>
      )}
    </>
  );
}

function pointOf({ arm, cost, scores }: ArmFigures, scorer: string, is_ranked: boolean): CostPoint[] {
  const score = scores.get(scorer)?.mean ?? null;
  if (cost.a_question === null || score === null) return [];
  return [{ arm, cost: (cost.a_question * 1000) / 1e9, score, is_ranked }];
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
  return (
    <p class="caution">
      {hasOthers ? 'Beside the chart, for their cost is not known' : 'The cost of no arm is known'}: a model has no
      price, or a call's cost is unknown. That is not 0.{' '}
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

function Front({ model, front }: { readonly model: ReportModel; readonly front: readonly PricedArm[] }): VNode | null {
  if (front.length === 0) return null;
  return (
    <p>
      No ranked arm is both cheaper and better than{' '}
      {front.map(({ arm, cost }, index) => (
        <>
          {index === 0 ? '' : index === front.length - 1 ? ' and ' : ', '}
          <ArmName model={model} arm={arm} /> ({dollars(cost)} for 1,000 questions)
        </>
      ))}
      .
    </p>
  );
}

function CostTable({
  model,
  arms,
  front,
}: {
  readonly model: ReportModel;
  readonly arms: readonly ArmFigures[];
  readonly front: readonly PricedArm[];
}): VNode {
  const { primary } = model.matrix.analysis;
  const facts = new Map(model.result.arms.map((arm) => [arm.arm, arm]));
  const rule = arms.findIndex(({ arm }) => !isRanked(facts.get(arm) as ArmResult));
  return (
    <FigureTable
      caption="What every arm would cost alone for 1,000 questions like these, what is paid once shared over this load's"
      head={['arm', `mean ${primary}`, 'attributed cost of 1,000 questions', 'beaten by none']}
      texts={[3]}
      rows={arms.map(({ arm, cost, scores }, index) => ({
        name: <ArmName model={model} arm={arm} />,
        cells: [
          showScore(scores.get(primary)?.mean),
          cost.a_question === null ? 'not known' : dollars((cost.a_question * 1000) / 1e9),
          front.some((one) => one.arm === arm) ? 'yes' : '',
        ],
        rule: index === rule,
      }))}
    />
  );
}

/** Four significant digits: the exact amounts are nano-dollars, in the documents. */
function dollars(amount: number): string {
  return `$${Number(amount.toPrecision(4))}`;
}
