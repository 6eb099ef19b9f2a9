import type { ArmResult, FormationResult, RunResult, ScoreDetail } from '../../src/experiment/experiment.js';
import { SAMPLE_DIGEST } from './observation-samples.js';

/** Results of runs as `run --json` prints them; a test says only what matters to it. */

/** A mean over some rows of one conversation. */
export function detail(mean: number | null, n: number): ScoreDetail {
  return {
    mean,
    mean_without_failures: mean,
    n,
    questions: n,
    failed: 0,
    lo: null,
    hi: null,
    method: 'mean',
    clusters: 1,
  };
}

export const NO_MISSES: ArmResult['misses'] = {
  scorer: 'token-f1',
  below: 0.5,
  n: 30,
  causes: {
    'never-formed': 0,
    'wrongly-superseded': 0,
    'not-retrieved': 0,
    'cut-from-context': 0,
    misread: 0,
    untold: 0,
  },
};

/** A whole arm without a blemish, but for what a test says. */
export function arm(name: string, changes: Partial<ArmResult> = {}): ArmResult {
  return {
    arm: name,
    status: 'complete',
    reason: null,
    reference: false,
    recall: 'automatic',
    searches: 0,
    oracle: false,
    aa_of: null,
    unit: 'beliefs',
    degraded: false,
    lookup_misses: {},
    questions: 30,
    answered: 30,
    failed: 0,
    lost: 0,
    abstained: 2,
    replayed_calls: 12,
    parity: 'equal',
    scores: { 'token-f1': 0.5, coverage: null },
    score_details: { 'token-f1': detail(0.5, 30), coverage: detail(null, 0) },
    between_banks: null,
    by_category: {
      temporal: { 'token-f1': detail(0.25, 8) },
      'single-hop': { 'token-f1': detail(0.75, 22) },
    },
    by_answerable: { answerable: {}, unanswerable: {} },
    lessons: null,
    misses: NO_MISSES,
    judging: {},
    context_tokens: { p50: 300, p95: 400, mean: 300 },
    attributed_nano_usd: 1_500_000,
    costs: { fixed_nano_usd: 1_000_000, marginal_nano_usd: 20_000, break_even_questions: 13 },
    actual_nano_usd: 0,
    uncertain_nano_usd: 0,
    reported_models: [],
    ...changes,
  };
}

const NONE_SENT = { sends: 0, actual_nano_usd: 0, uncertain_nano_usd: 0 };

/** A replayed formation. */
export const formation: FormationResult = {
  fixture: 'harbour',
  replicate: 1,
  corpus: SAMPLE_DIGEST,
  bank: SAMPLE_DIGEST,
  vector_bank: SAMPLE_DIGEST,
  vectors: [{ unit: 'beliefs', source: 'replayed', vector_bank: SAMPLE_DIGEST, items: 90, queries: 12 }],
  source: 'replayed',
  calls: 12,
  attributed_nano_usd: null,
  actual_nano_usd: 0,
  uncertain_nano_usd: 0,
  embedding: { index: NONE_SENT, query: NONE_SENT },
  state: SAMPLE_DIGEST,
  live_states: null,
  reported_models: [],
  review: 'changed-since-review',
};

/** A whole run of some arms. */
export function run(arms: readonly ArmResult[], changes: Partial<RunResult> = {}): RunResult {
  return {
    format: 'run-result@1',
    run: 'quickstart-1',
    path: '/runs/quickstart-1',
    matrix: SAMPLE_DIGEST,
    resume: null,
    status: 'complete',
    replicates: 1,
    formation: [formation],
    arms,
    ledger: {
      limit_nano_usd: 500_000_000,
      spent_nano_usd: 0,
      held_nano_usd: 20,
      uncertain_nano_usd: 20,
      sends: 0,
      breached: false,
      by_arm_and_stage: [],
    },
    query_preparation: null,
    lessons: null,
    judging: null,
    changed_labels: [],
    model_changes: [],
    analysis: {
      primary: 'token-f1',
      contrasts: [['bm25', 'none']],
      alpha: 0.05,
      power: 0.8,
      margin: 0.02,
      exploratory: { scorers: [], arms: [] },
    },
    always_abstain: {},
    problems: [],
    ...changes,
  };
}
