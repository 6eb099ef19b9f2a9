import type { VNode } from 'preact';
import { parseScorerName } from '../../../scoring/scoring.js';
import type { EvidenceFigures } from '../../figures/evidence-curve.js';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import { showScore } from '../../number-text.js';
import { byDataset } from '../by-dataset.js';
import { ChartFigure } from '../chart-figure.js';
import { evidenceRecallChart } from '../charts/evidence-recall.js';
import { DataText } from '../data-text.js';
import { FigureTable } from '../figure-table.js';
import { MeanCell } from '../mean-cell.js';
import type { ReportModel } from '../report-model.js';

/** How much of the evidence each ranking brings, by how far one looks: by items, by context tokens, and without a bound (RT-4, OB-6). */
export async function recallSection(model: ReportModel): Promise<VNode> {
  return (
    <>
      <p>
        The share of a question's evidence turns that the first items rest on, averaged over questions that have
        evidence. Coverage is the share that any item brings: what no larger k would find without a higher limit.
      </p>
      {await byDataset(model.datasets, (figures, place) => recallOf(model, figures, place))}
    </>
  );
}

type Ranking = ArmFigures & { readonly evidence: EvidenceFigures };

async function recallOf(model: ReportModel, figures: DatasetFigures, place: number): Promise<VNode> {
  const arms = figures.arms.filter((arm): arm is Ranking => arm.evidence !== null);
  if (arms.length === 0) return <Configured model={model} figures={figures} />;
  const lines = arms.map(({ arm, evidence }) => ({
    arm,
    points: evidence.by_rank.map((recall, index) => ({ at: index + 1, recall })),
  }));
  const byRank = await evidenceRecallChart(
    lines,
    { title: 'first k items', stepped: false },
    {
      name: `recall-by-rank-${place + 1}`,
      title: 'Evidence recall by number of items',
      description: 'A line an arm, rising with the number of items that are looked at.',
    },
  );
  const last = Math.max(...arms.map(({ evidence }) => evidence.by_tokens.at(-1)?.tokens ?? 0));
  const byTokens = await evidenceRecallChart(
    arms.map(({ arm, evidence }) => ({
      arm,
      points: [{ at: 0, recall: 0 }, ...pointsOf(evidence), { at: last, recall: evidence.coverage }],
    })),
    { title: 'context tokens of the first items', stepped: true },
    {
      name: `recall-by-tokens-${place + 1}`,
      title: 'Evidence recall by context tokens',
      description: 'A line an arm, rising with the tokens that the first items may take.',
    },
  );
  const ks = [...new Set([1, 2, 3, 5, 10, 20, 50, 100, ...arms.map(({ evidence }) => evidence.by_rank.length)])]
    .filter((k) => k <= Math.max(...arms.map(({ evidence }) => evidence.by_rank.length)))
    .sort((one, other) => one - other);
  return (
    <>
      <WithoutLabels figures={figures} />
      <ChartFigure svg={byRank} caption="Within the first k items; a line ends where the arm asks for no more.">
        <FigureTable
          caption="Evidence recall within the first k items"
          head={['arm', ...ks.map((k) => `k = ${k}`), 'coverage', 'questions']}
          rows={arms.map(({ arm, evidence }) => ({
            name: arm,
            cells: [
              ...ks.map((k) => showScore(evidence.by_rank[k - 1])),
              showScore(evidence.coverage),
              evidence.questions,
            ],
          }))}
        />
      </ChartFigure>
      <ChartFigure
        svg={byTokens}
        caption="Within the first items whose context lines take no more than so many tokens together, to the next 50."
      >
        <FigureTable
          caption="Evidence recall within a budget of context tokens"
          head={['arm', ...BUDGETS.map((tokens) => `${tokens} tokens`), 'coverage', 'questions']}
          rows={arms.map(({ arm, evidence }) => ({
            name: arm,
            cells: [
              ...BUDGETS.map((tokens) => showScore(within(evidence, tokens))),
              showScore(evidence.coverage),
              evidence.questions,
            ],
          }))}
        />
      </ChartFigure>
    </>
  );
}

/** Of the table: those of RT-4, and what lies below them. */
const BUDGETS = [100, 250, 500, 1000, 2000];

function within({ by_tokens }: EvidenceFigures, tokens: number): number {
  return by_tokens.findLast((point) => point.tokens <= tokens)?.recall ?? 0;
}

function pointsOf({ by_tokens }: EvidenceFigures): { readonly at: number; readonly recall: number }[] {
  return by_tokens.map(({ tokens, recall }) => ({ at: tokens, recall }));
}

function WithoutLabels({ figures: { without_labels } }: { readonly figures: DatasetFigures }): VNode | null {
  if (without_labels.length === 0) return null;
  return (
    <div class="caution">
      Without the evidence of these conversations, whose labels could not be read:
      <ul>
        {without_labels.map(({ conversation, why }) => (
          <li key={conversation}>
            <DataText text={`${conversation}: ${why}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where no label can be read any more: what the run's own scorers said. */
function Configured({ model, figures }: { readonly model: ReportModel; readonly figures: DatasetFigures }): VNode {
  const scorers = model.matrix.scoring.filter((name) => {
    const family = parseScorerName(name)?.family;
    return family === 'evidence-recall@K' || family === 'evidence-recall@K-tokens' || family === 'coverage';
  });
  const arms = figures.arms.filter(({ scores }) => scorers.some((name) => scores.get(name)?.mean != null));
  return (
    <>
      <WithoutLabels figures={figures} />
      {arms.length === 0 ? (
        <p>Nothing is ranked and scored by its evidence in this run.</p>
      ) : (
        <FigureTable
          caption="Evidence recall as the run scored it"
          head={['arm', ...scorers]}
          rows={arms.map(({ arm, scores }) => ({
            name: arm,
            cells: scorers.map((name) => <MeanCell figure={scores.get(name) ?? null} key={name} />),
          }))}
        />
      )}
    </>
  );
}
