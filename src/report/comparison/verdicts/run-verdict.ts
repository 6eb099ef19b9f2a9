import { counted } from '../../../core/counted.js';
import { terminalLine } from '../../../core/terminal-text.js';
import type { ArmResult, RunResult } from '../../../experiment/experiment.js';
import type { ResolvedMatrix } from '../../../matrix/matrix.js';
import { plannedWords } from '../../changed-labels-text.js';
import { FATE_WORDS, type FateCounts } from '../../figures/fate.js';
import type { ArmFigures, DatasetFigures } from '../../figures/figures.js';
import { listed } from '../../listed.js';
import { showScore } from '../../number-text.js';
import type { Comparison, Verdict } from '../comparison.js';
import { isRanked } from '../ranked-arms.js';
import { type BestVerdict, bestVerdict } from './best-verdict.js';
import { costSentences } from './cost-sentences.js';
import { type RunLimit, runLimits } from './run-limits.js';

/** What a run says, in plain sentences; each is safe to print. */
export interface RunVerdict {
  /** One after another, never pooled. */
  readonly datasets: readonly DatasetVerdict[];
  /** What every score of a run that reads beliefs rests on: its bank, or several (FB-18); null where no bank is read. */
  readonly banks: string | null;
  /** What forbids or weakens conclusions. */
  readonly limits: readonly RunLimit[];
  /** What was planned before the run, and that the rest is exploratory (MX-8). */
  readonly plan: string;
}

export interface DatasetVerdict extends BestVerdict {
  readonly dataset: string;
  /** Verdicts of the contrasts that were planned. */
  readonly planned: readonly Verdict[];
  /** References and the arm that always abstains, for scale; null where there is none. */
  readonly scale: string | null;
  /** Where the best arm loses most; null where it is not known. */
  readonly loss: string | null;
  /** What the best costs, and what as good may cost less. */
  readonly cost: readonly string[];
}

/** Makes the verdict of a run: which arms may be best, `isRanked` says. */
export function runVerdict(
  result: RunResult,
  matrix: ResolvedMatrix,
  datasets: readonly DatasetFigures[],
  comparison: Comparison | null,
): RunVerdict {
  return {
    datasets: datasets.map((figures) => datasetVerdict(figures, result, matrix, comparison)),
    banks: banksSentence(result),
    limits: runLimits(result),
    plan: planSentence(matrix, result.changed_labels.length > 0),
  };
}

function datasetVerdict(
  figures: DatasetFigures,
  result: RunResult,
  matrix: ResolvedMatrix,
  comparison: Comparison | null,
): DatasetVerdict {
  const { primary, alpha } = matrix.analysis;
  const ranked = result.arms.filter(isRanked).map(({ arm }) => arm);
  const arms = figures.arms.filter(({ arm }) => ranked.includes(arm));
  const verdict = bestVerdict(
    arms.map(({ arm, paired }) => ({ arm, scores: paired })),
    primary,
    alpha,
  );
  const best = figures.arms.find(({ arm }) => arm === verdict.best);
  const contrasts = comparison?.datasets.find(({ dataset }) => dataset === figures.dataset)?.contrasts ?? [];
  return {
    dataset: figures.dataset,
    ...verdict,
    planned: contrasts.filter(({ planned }) => planned).map(({ verdict: told }) => told),
    scale: scaleSentence(figures, result, primary),
    loss: best === undefined ? null : lossSentence(best, result.arms.find(({ arm }) => arm === best.arm)?.unit ?? null),
    cost: verdict.best === null ? [] : costSentences(verdict.best, verdict.rivals, result.arms),
  };
}

function scaleSentence({ arms }: DatasetFigures, result: RunResult, primary: string): string | null {
  const parts = arms.flatMap(({ arm, scores }) => {
    const mean = scores.get(primary)?.mean ?? null;
    const isReference = result.arms.some((one) => one.arm === arm && one.reference);
    return isReference && mean !== null ? [`${arm} ${showScore(mean)}`] : [];
  });
  return parts.length === 0 ? null : `${listed(parts)}: ${counted(parts.length, 'reference')}, never ranked.`;
}

const LOSSES = ['never-formed', 'wrongly-superseded', 'not-retrieved', 'cut-from-context', 'misread'] as const;

/** The stage that loses most; of two that lose as many, the earlier. */
function lossSentence({ arm, fates, expected, abstention }: ArmFigures, unit: ArmResult['unit']): string | null {
  const most = Math.max(...LOSSES.map((cause) => fates[cause]));
  const cause = LOSSES.find((one) => fates[one] === most);
  if (most === 0 || cause === undefined) return null;
  const wrong = `${arm} is wrong in ${wrongOf(fates)} of ${counted(expected, 'row')}, most often`;
  if (cause !== 'misread') return `${wrong} because the evidence was ${FATE_WORDS[cause]} (${most}).`;
  const unanswerable = abstention.unanswerable.rows === 0 ? '' : ', or because it answered what cannot be answered';
  return `${wrong} though the evidence had come into the context${unanswerable} (${most}).${unit === 'beliefs' ? ` ${BELIEF_CAVEAT}` : ''}`;
}

/** What `misread` does not show of an arm that reads beliefs (OB-6). */
const BELIEF_CAVEAT =
  'A belief that rests on each evidence turn was there; it may not state the answer, and then formation lost it and not the reader.';

/** Wrong answers, whatever their cause. */
function wrongOf(fates: FateCounts): number {
  return LOSSES.reduce((sum, cause) => sum + fates[cause], 0) + fates.untold;
}

function banksSentence({ replicates, arms }: RunResult): string | null {
  if (replicates === null) return null;
  if (replicates === 1)
    return 'Every score is given this bank, one a conversation: another recording of the same formation might score otherwise.';
  const deviations = arms.flatMap(({ arm, between_banks }) =>
    between_banks?.component == null ? [] : [`${arm} ${showScore(Math.sqrt(between_banks.component))}`],
  );
  const said = deviations.length === 0 ? '' : ` Standard deviation between banks: ${deviations.join(', ')}.`;
  return `Every score is across ${replicates} banks a conversation, averaged within each question.${said}`;
}

function planSentence({ analysis: { primary, contrasts } }: ResolvedMatrix, areLabelsChanged: boolean): string {
  const planned = plannedWords(areLabelsChanged);
  if (contrasts.length === 0)
    return `${planned}: ${terminalLine(primary, 120)}, and no contrast. Every difference between arms is exploratory: what it suggests wants a run of its own.`;
  const pairs = contrasts.map(([treatment, control]) => `${treatment} against ${control}`);
  return `${planned}: ${terminalLine(primary, 120)}, ${listed(pairs)}. Which arm is best, every other pair and every other score are exploratory: what they suggest wants a run of its own.`;
}
