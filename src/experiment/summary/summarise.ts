import { isOwnFailure } from '../asking/row-score.js';
import type { ArmResult } from '../experiment.js';
import { judgedRows } from '../judging/judged-rows.js';
import { unique } from '../resuming/model-changes.js';
import { isDegraded, lookupMisses } from '../vectors/lookup-misses.js';
import { jsonAmount, sumKnown } from './amounts.js';
import { armCosts } from './arm-costs.js';
import { armMisses } from './arm-misses.js';
import { betweenBanks } from './between-banks.js';
import type { InSample } from './in-sample.js';
import { scoreDetails } from './score-detail.js';
import type { IntervalRule } from './score-interval.js';
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
    | 'aa_of'
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
  /** How the scores' intervals are reckoned (RP-3). */
  readonly intervals: IntervalRule;
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
  const details = scoreDetails(rows, scorers, facts.intervals);
  const missed = lookupMisses(rows);
  return {
    arm: facts.arm,
    status: facts.status,
    reason: facts.reason,
    reference: facts.reference,
    oracle: facts.oracle,
    aa_of: facts.aa_of,
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
    by_category: byCategory(rows, scorers, facts.intervals),
    by_answerable: {
      answerable: scoreDetails(
        rows.filter((row) => row.answerable),
        scorers,
        facts.intervals,
      ),
      unanswerable: scoreDetails(
        rows.filter((row) => !row.answerable),
        scorers,
        facts.intervals,
      ),
    },
    lessons: facts.sample === null ? null : bySample(rows, scorers, facts.sample, facts.intervals),
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

function byCategory(
  rows: readonly SummaryRow[],
  scorers: readonly string[],
  rule: IntervalRule,
): ArmResult['by_category'] {
  const categories = [...new Set(rows.map((row) => row.category))].sort();
  return Object.fromEntries(
    categories.map((category) => [
      category,
      scoreDetails(
        rows.filter((row) => row.category === category),
        scorers,
        rule,
      ),
    ]),
  );
}

function bySample(
  rows: readonly SummaryRow[],
  scorers: readonly string[],
  sample: Pick<InSample, 'has'>,
  rule: IntervalRule,
): ArmResult['lessons'] {
  const scored = (isIn: boolean) =>
    scoreDetails(
      rows.filter((row) => sample.has(row) === isIn),
      scorers,
      rule,
    );
  return {
    injected_rows: rows.filter(({ lessons }) => lessons.length > 0).length,
    in_sample: scored(true),
    out_of_sample: scored(false),
  };
}

/** The nearest-rank percentile of sorted numbers; null for none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
