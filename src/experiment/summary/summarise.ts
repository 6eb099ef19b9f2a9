import { countedScore, isOwnFailure, meanOverQuestions, questionKey } from '../asking/row-score.js';
import type { ArmResult, ScoreDetail } from '../experiment.js';
import { judgedRows } from '../judging/judged-rows.js';
import { unique } from '../resuming/model-changes.js';
import { isDegraded, lookupMisses } from '../vectors/lookup-misses.js';
import { jsonAmount, sumKnown } from './amounts.js';
import { armCosts } from './arm-costs.js';
import { armMisses } from './arm-misses.js';
import { betweenBanks } from './between-banks.js';
import type { InSample } from './in-sample.js';
import type { SummaryRow } from './summary-row.js';

/** What a summary needs to know of an arm beside its rows. */
export interface ArmFacts
  extends Pick<
    ArmResult,
    | 'arm'
    | 'status'
    | 'reason'
    | 'reference'
    | 'oracle'
    | 'unit'
    | 'recall'
    | 'parity'
    | 'replayed_calls'
    /** Questions, repeats and replicates of the whole load. */
    | 'questions'
  > {
  /** What says that an answer is wrong (`missScorer`). */
  readonly miss_scorer: string | null;
  /** Which of its questions the run's lessons were learnt from; null where it has no lessons (LE-6). */
  readonly sample: Pick<InSample, 'has'> | null;
  readonly actual_nano_usd: bigint;
  readonly uncertain_nano_usd: bigint;
  /** Banks a fixture (FB-18). */
  readonly replicates: number;
  /** The scorer whose component between banks is given. */
  readonly primary: string;
}

/** Sums an arm's rows up: means by OB-4, costs by OB-2. */
export function summariseArm(
  facts: ArmFacts,
  rows: readonly SummaryRow[],
  scorers: readonly string[],
  fullHistory: readonly SummaryRow[] | null = null,
): ArmResult {
  const tokens = rows.flatMap((row) => (row.context === null ? [] : [row.context.tokens])).sort((a, b) => a - b);
  const attributed = sumKnown(
    rows.map((row) => (row.attributed.nano_usd === null ? null : BigInt(row.attributed.nano_usd))),
  );
  const details = scoreDetails(rows, scorers);
  const missed = lookupMisses(rows);
  return {
    arm: facts.arm,
    status: facts.status,
    reason: facts.reason,
    reference: facts.reference,
    oracle: facts.oracle,
    unit: facts.unit,
    recall: facts.recall,
    searches: rows.reduce((sum, row) => sum + row.searches.length, 0),
    degraded: isDegraded(missed),
    lookup_misses: missed,
    questions: facts.questions,
    answered: rows.filter((row) => row.outcome.kind === 'answered').length,
    failed: rows.filter(isOwnFailure).length,
    lost: rows.filter((row) => row.outcome.kind !== 'answered' && !isOwnFailure(row)).length,
    abstained: rows.filter((row) => row.abstained === true).length,
    replayed_calls: facts.replayed_calls,
    parity: facts.parity,
    scores: Object.fromEntries(Object.entries(details).map(([name, detail]) => [name, detail.mean])),
    score_details: details,
    between_banks: betweenBanks(rows, facts.primary, facts.replicates),
    by_category: byCategory(rows, scorers),
    by_answerable: {
      answerable: scoreDetails(
        rows.filter((row) => row.answerable),
        scorers,
      ),
      unanswerable: scoreDetails(
        rows.filter((row) => !row.answerable),
        scorers,
      ),
    },
    lessons: facts.sample === null ? null : bySample(rows, scorers, facts.sample),
    misses: armMisses(facts.miss_scorer, rows),
    judging: judgedRows(rows, scorers),
    context_tokens: {
      p50: percentile(tokens, 0.5),
      p95: percentile(tokens, 0.95),
      mean: tokens.length === 0 ? null : tokens.reduce((sum, value) => sum + value, 0) / tokens.length,
    },
    attributed_nano_usd: rows.length === 0 || attributed === null ? null : jsonAmount(attributed),
    costs: armCosts(rows, fullHistory),
    actual_nano_usd: jsonAmount(facts.actual_nano_usd),
    uncertain_nano_usd: jsonAmount(facts.uncertain_nano_usd),
    reported_models: unique(rows.flatMap((row) => row.reported_models)),
  };
}

function byCategory(rows: readonly SummaryRow[], scorers: readonly string[]): ArmResult['by_category'] {
  const categories = [...new Set(rows.map((row) => row.category))].sort();
  return Object.fromEntries(
    categories.map((category) => [
      category,
      scoreDetails(
        rows.filter((row) => row.category === category),
        scorers,
      ),
    ]),
  );
}

function bySample(
  rows: readonly SummaryRow[],
  scorers: readonly string[],
  sample: Pick<InSample, 'has'>,
): ArmResult['lessons'] {
  const scored = (isIn: boolean) =>
    scoreDetails(
      rows.filter((row) => sample.has(row) === isIn),
      scorers,
    );
  return {
    injected_rows: rows.filter(({ lessons }) => lessons.length > 0).length,
    in_sample: scored(true),
    out_of_sample: scored(false),
  };
}

function scoreDetails(rows: readonly SummaryRow[], scorers: readonly string[]): { [scorer: string]: ScoreDetail } {
  return Object.fromEntries(scorers.map((name) => [name, scoreDetail(rows, name)]));
}

function scoreDetail(rows: readonly SummaryRow[], scorer: string): ScoreDetail {
  const counted = rows.flatMap((row) => {
    const score = countedScore(row, scorer);
    return score === null ? [] : [{ question: questionKey(row), score, isFailure: isOwnFailure(row) }];
  });
  return {
    mean: meanOverQuestions(counted),
    mean_without_failures: meanOverQuestions(counted.filter(({ isFailure }) => !isFailure)),
    n: counted.length,
    questions: new Set(counted.map(({ question }) => question)).size,
    failed: counted.filter(({ isFailure }) => isFailure).length,
    lo: null,
    hi: null,
    method:
      'mean over questions, each that of its repeats and replicates; no interval: `compare` gives paired ones once it is built',
    clusters: new Set(rows.map((row) => row.fixture)).size,
  };
}

/** The nearest-rank percentile of sorted numbers; null for none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
