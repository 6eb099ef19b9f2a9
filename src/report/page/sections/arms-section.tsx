import type { VNode } from 'preact';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import { showConfidence, showCount, showScore } from '../../number-text.js';
import { ArmName } from '../arm-name.js';
import { orderedArms, rankedArms, ruleAt } from '../arm-order.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { armMeansChart } from '../charts/arm-means.js';
import { FigureTable } from '../figure-table.js';
import { meanInterval } from '../mean-cell.js';
import { MeansTable } from '../means-table.js';
import type { ReportModel } from '../report-model.js';

/** Every arm with its means and both intervals; references and twins below a rule (RP-5). */
export async function armsSection(model: ReportModel): Promise<VNode> {
  const { analysis } = model.matrix;
  return (
    <>
      <p>
        Means over questions, each first averaged over its repeats and replicates. Failures of an arm's own making count
        as 0, rows that were lost to the provider or the budget are in no mean. Intervals are of{' '}
        {showConfidence(analysis.alpha)}: for new conversations of the same kind, and for other questions about these
        ones. To tell two arms apart, read the paired differences and not whether these intervals overlap.
      </p>
      {await byDataset(model.datasets, (figures, place) => armsOf(model, figures, place))}
    </>
  );
}

async function armsOf(model: ReportModel, figures: DatasetFigures, place: number): Promise<VNode> {
  const { primary } = model.matrix.analysis;
  const arms = orderedArms(model, figures);
  const ranked = rankedArms(model);
  const svg = await armMeansChart(arms, (arm) => ranked.has(arm), primary, {
    name: `arm-means-${place + 1}`,
    title: `Mean ${primary} of every arm`,
    description: 'A point an arm, with a thick line for these conversations and a thin one for new conversations.',
  });
  return (
    <>
      <ChartFigure
        svg={svg}
        isOpen
        caption="Thick line: the interval for other questions about these conversations. Thin line: for new conversations, cut at 0 and 1. Hollow diamond: not ranked."
      >
        <ArmsTable model={model} figures={figures} arms={arms} />
      </ChartFigure>
      <ScoresTable model={model} arms={arms} />
      <ReadingTable model={model} arms={arms} />
    </>
  );
}

function ArmsTable({
  model,
  figures,
  arms,
}: {
  readonly model: ReportModel;
  readonly figures: DatasetFigures;
  readonly arms: readonly ArmFigures[];
}): VNode {
  const { primary } = model.matrix.analysis;
  const rule = ruleAt(model, arms);
  return (
    <FigureTable
      caption={`${primary} of every arm: ${figures.conversations.length} conversations`}
      head={['arm', 'mean', 'these conversations', 'new conversations', 'questions', 'rows']}
      rows={arms.map((arm, index) => {
        const mean = arm.scores.get(primary);
        return {
          name: <ArmName model={model} arm={arm.arm} />,
          cells: [
            showScore(mean?.mean),
            meanInterval(arm.these_conversations),
            meanInterval(arm.new_conversations),
            mean?.questions ?? 0,
            mean?.rows ?? 0,
          ],
          rule: index === rule,
        };
      })}
    />
  );
}

/** What each arm's reader was given, and what it did with it. */
function ReadingTable({ model, arms }: { readonly model: ReportModel; readonly arms: readonly ArmFigures[] }): VNode {
  const rule = ruleAt(model, arms);
  const facts = new Map(model.result.arms.map((arm) => [arm.arm, arm]));
  return (
    <FigureTable
      caption="What each arm reads, and how often it answered and abstained"
      head={['arm', 'reads', 'context tokens (median)', 'answered', 'abstained']}
      texts={[1]}
      rows={arms.map((arm, index) => ({
        name: <ArmName model={model} arm={arm.arm} />,
        cells: [
          facts.get(arm.arm)?.unit ?? '–',
          showCount(arm.context_tokens),
          `${answeredOf(arm)} of ${arm.expected}`,
          arm.abstention.answerable.abstained + arm.abstention.unanswerable.abstained,
        ],
        rule: index === rule,
      }))}
    />
  );
}

/** Every score's mean beside each other, with the number of its questions. */
function ScoresTable({ model, arms }: { readonly model: ReportModel; readonly arms: readonly ArmFigures[] }): VNode {
  const { scoring, analysis } = model.matrix;
  const rule = ruleAt(model, arms);
  return (
    <MeansTable
      caption={`Every score of every arm; n: its questions. ${analysis.primary} was planned, ${model.result.changed_labels.length > 0 ? 'by labels that were changed since: all' : 'the others'} are exploratory.`}
      corner="arm"
      columns={scoring}
      rows={arms.map((arm, index) => ({
        name: <ArmName model={model} arm={arm.arm} />,
        means: scoring.map((scorer) => arm.scores.get(scorer) ?? null),
        rule: index === rule,
      }))}
    />
  );
}

function answeredOf({ abstention: { answerable, unanswerable } }: ArmFigures): number {
  return answerable.rows + unanswerable.rows;
}
