import type { Digest } from '../../core/digest.js';
import type { Observation, ObservedRun } from '../../experiment/experiment.js';
import type { Question } from '../../fixture/question.js';
import { MISS_BELOW } from '../../scoring/miss.js';
import { FAILURE_STAGES, type FailureStage, type Fingerprint, WRONG_ANSWER_STAGES } from '../fingerprint.js';
import type { Trial } from '../lesson-event.js';
import { scopeOf } from '../question-scope.js';

/** What a trial showed. */
export interface TrialResult {
  readonly trial: Trial;
  readonly scope: Fingerprint['scope'];
  readonly strategy: Observation['strategy'];
  readonly unit: Observation['unit'];
  /** The lessons that were put before the reader. */
  readonly injected: readonly string[];
  readonly outcome: 'success' | 'failure';
  /** Null for a success, and for a wrong answer whose cause nothing tells. */
  readonly failure: Fingerprint | null;
  /** The stage that lost the answer; null where none did, or nothing tells which. */
  readonly lost_at: FailureStage | null;
  /** Whether a reader of ours was asked: not where the budget refused the question, or another system answered it. */
  readonly was_asked: boolean;
}

/**
 * Rows that teach nothing, by why: the evidence arm, whose retrieval was handed labels; what the provider lost, which is not of the arm's making (OB-4);
 * an answer without the score that says what is wrong; what an arm that retrieves nothing did not retrieve.
 */
export const LEFT_OUT = ['oracle', 'lost', 'unscored', 'no_retrieval'] as const;
/** One of them. */
export type LeftOut = (typeof LEFT_OUT)[number];

/** What a finalised row shows (LE-6). Of its label it tells nothing but the cause of a miss. */
export function trialResult(
  row: Observation,
  { run, miss_scorer }: Pick<ObservedRun, 'run' | 'miss_scorer'>,
  question: Question,
): TrialResult | LeftOut {
  const { outcome } = row;
  if (row.oracle) return 'oracle';
  if (outcome.kind === 'failed' && outcome.cause?.own_making !== true) return 'lost';
  const score = miss_scorer === null ? null : (row.scores[miss_scorer] ?? null);
  if (outcome.kind === 'answered' && score === null) return 'unscored';
  if (row.strategy === 'none' && row.miss?.cause === 'not-retrieved') return 'no_retrieval';
  const scope = scopeOf(row.corpus as Digest, question);
  const isSuccess = outcome.kind === 'answered' && (score as number) >= MISS_BELOW;
  const failure = isSuccess ? null : failureOf(row, scope);
  return {
    trial: trialOf(row, run),
    scope,
    strategy: row.strategy,
    unit: row.unit,
    injected: row.lessons,
    outcome: isSuccess ? 'success' : 'failure',
    failure,
    lost_at: failure?.stage ?? null,
    was_asked: outcome.kind !== 'refused' && !isGiven(row),
  };
}

/** Another system's answer was read from no context of ours (RT-7). */
function isGiven({ outcome, context }: Observation): boolean {
  return outcome.kind === 'answered' && context === null;
}

function trialOf(row: Observation, run: string): Trial {
  const { arm, corpus, bank, replicate, question, repeat, actual } = row;
  return {
    run,
    arm,
    corpus: corpus as Digest,
    bank: bank as Digest | null,
    replicate,
    question,
    repeat,
    // A replayed answer and a local reader's are no sends: both are the same every time.
    freshly_read: actual.calls > 0,
  };
}

function failureOf({ outcome, miss, strategy }: Observation, scope: Fingerprint['scope']): Fingerprint | null {
  const format = 'lesson-fingerprint@1' as const;
  if (outcome.kind === 'answered') {
    if (miss === null || miss.cause === 'untold') return null;
    const stage = WRONG_ANSWER_STAGES[miss.cause];
    return { format, stage, failure: miss.cause, error_code: null, strategy: part(stage, strategy), scope };
  }
  const stage = FAILURE_STAGES.find((known) => known === outcome.cause?.stage);
  if (stage === undefined || outcome.cause === null) return null;
  const failure = outcome.kind === 'refused' ? 'refused' : 'failed';
  return { format, stage, failure, error_code: outcome.cause.code, strategy: part(stage, strategy), scope };
}

/** Retrieval has a part in what was not retrieved, or did not fit; beliefs are formed, and contexts read, whatever retrieves. */
function part(stage: FailureStage, strategy: Observation['strategy']): string | null {
  return stage === 'recall' || stage === 'query' || stage === 'context' ? strategy : null;
}
