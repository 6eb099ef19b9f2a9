import type { VNode } from 'preact';
import type { AbstentionFigures } from '../../figures/abstention-counts.js';
import type { DatasetFigures } from '../../figures/figures.js';
import { showScore, showShare } from '../../number-text.js';
import { ArmName } from '../arm-name.js';
import { orderedArms } from '../arm-order.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { abstentionChart } from '../charts/abstention.js';
import { FigureTable } from '../figure-table.js';
import type { ReportModel } from '../report-model.js';

/** Accuracy on what can be answered apart from declining what cannot, beside an arm that always abstains (OB-6). */
export async function abstentionSection(model: ReportModel): Promise<VNode> {
  const { result, matrix, datasets } = model;
  const scorer = result.arms[0]?.misses.scorer ?? matrix.analysis.primary;
  const always = result.always_abstain[matrix.analysis.primary];
  return (
    <>
      <p>
        An arm that always abstains declines every unanswerable question rightly and every answerable one wrongly
        {datasets.length === 1 && always != null
          ? `, and would score ${matrix.analysis.primary} ${showScore(always)} on this load`
          : ''}
        . It is the dashed line: what an arm gains by abstaining alone is no reading.
      </p>
      {await byDataset(datasets, (figures, place) => abstentionOf(model, figures, scorer, place))}
    </>
  );
}

async function abstentionOf(
  model: ReportModel,
  figures: DatasetFigures,
  scorer: string,
  place: number,
): Promise<VNode> {
  const arms = orderedArms(model, figures);
  const isWithout = arms.every(({ abstention }) => abstention.unanswerable.rows === 0);
  const svg = await abstentionChart(
    arms.map(({ arm, abstention }) => ({ arm, ...sharesOf(abstention) })),
    `answerable: mean ${scorer}`,
    {
      name: `abstention-${place + 1}`,
      title: 'Answerable and unanswerable questions, by arm',
      description:
        'Panels: the mean score on answerable questions, the share of unanswerable ones that were declined where there are any, and the share of answerable ones on which the reader abstained.',
    },
  );
  return (
    <ChartFigure
      svg={svg}
      caption={
        isWithout
          ? 'To the right is better on the left, and worse on the right. This load has no unanswerable question.'
          : 'To the right is better in the first two panels, and worse in the third.'
      }
    >
      <FigureTable
        caption="Answerable and unanswerable questions, of answered rows"
        head={[
          'arm',
          `answerable: mean ${scorer}`,
          'questions',
          'wrongly abstained',
          'of',
          'rightly declined',
          'of unanswerable',
        ]}
        rows={[
          ...arms.map(({ arm, abstention: { answerable, unanswerable } }) => ({
            name: <ArmName model={model} arm={arm} />,
            cells: [
              showScore(answerable.score.mean),
              answerable.score.questions,
              `${answerable.abstained} (${showShare(answerable.abstained, answerable.rows)})`,
              answerable.rows,
              `${unanswerable.declined} (${showShare(unanswerable.declined, unanswerable.rows)})`,
              unanswerable.rows,
            ],
          })),
          { name: 'always abstaining', cells: ['–', '–', '100 %', '–', '100 %', '–'], rule: true },
        ]}
      />
    </ChartFigure>
  );
}

function sharesOf({ answerable, unanswerable }: AbstentionFigures) {
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    accuracy: answerable.score.mean,
    right_abstention: share(unanswerable.declined, unanswerable.rows),
    false_abstention: share(answerable.abstained, answerable.rows),
  };
}
