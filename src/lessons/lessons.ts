import { z } from 'zod';
import { DIGEST_PATTERN, type Digest, digestJson } from '../core/digest.js';

/** The states of a lesson. `probationary`, `enforced` and `compiled` come in by an import alone: the paper gives no rule that leads to them (LE-3). */
export const LESSON_STATES = ['candidate', 'probationary', 'verified', 'enforced', 'compiled', 'expired'] as const;
/** One of them. */
export type LessonState = (typeof LESSON_STATES)[number];

const MAX_ID_LENGTH = 200;
const digest = z.string().regex(DIGEST_PATTERN) as unknown as z.ZodType<Digest>;
const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/=,@+-]*$/)
  .max(MAX_ID_LENGTH);
const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(MAX_ID_LENGTH);
// One width and one zone, so that instants compared as text are compared as time.
const instant = z.iso.datetime({ precision: 3 }).describe('UTC, with milliseconds');
const name = z
  .string()
  .regex(/^\S(?:[^\p{Cc}\u2028\u2029]*\S)?$/u)
  .max(MAX_ID_LENGTH)
  .refine((text) => text.isWellFormed(), 'expected well-formed text');

/** Orders two strings by UTF-16 code units: no locale has a say. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const isSortedSet = (texts: readonly string[]): boolean =>
  texts.every((text, place) => place === 0 || (texts[place - 1] as string) < text);

/**
 * What makes two failures the same one: equal fields, nothing less and nothing like it. It holds what the run and the question show, never a
 * label (LE-6). Merging and splitting fingerprints is left open, as in the paper.
 */
export const fingerprintSchema = z.strictObject({
  format: z.literal('lesson-fingerprint@1'),
  stage: z.enum(['query', 'recall', 'context', 'reader']).describe('where it failed'),
  failure: slug.describe('the kind of failure'),
  strategy: slug.nullable().describe('the retrieval in use; null where it has no part in the failure'),
  scope: z.strictObject({
    corpus: digest,
    subjects: z.array(name).refine(isSortedSet, 'expected sorted names, each once'),
    asks: z.enum(['who', 'when', 'where', 'what', 'which', 'how-many', 'how', 'why', 'yes-no', 'other']),
  }),
});
/** A structured fingerprint. */
export type Fingerprint = z.output<typeof fingerprintSchema>;

/** A lesson's id: the digest of its fingerprint's canonical JSON. */
export function lessonOf(fingerprint: Fingerprint): Digest {
  return digestJson(fingerprint);
}

/** One question and repeat under one arm of one run. */
export const trialSchema = z.strictObject({
  run: id,
  arm: id,
  corpus: digest,
  bank: digest.nullable(),
  question: id,
  repeat: z.int().min(1),
  freshly_read: z.boolean().describe('the reader was asked anew: neither stored nor computed the same way every time'),
});
/** A trial. */
export type Trial = z.output<typeof trialSchema>;

const execution = z.enum(['fail', 'pass']);
const common = { format: z.literal('lesson-event@1'), at: instant };

/** A failure was observed. Opens the lesson of its fingerprint as a candidate, or counts as a further failure of it. */
const failureObserved = z.strictObject({
  ...common,
  kind: z.literal('failure-observed'),
  fingerprint: fingerprintSchema,
  trial: trialSchema,
});
/** A further failure of an open lesson, named by id. Counts as a failure observed does. */
const recurrence = z.strictObject({ ...common, kind: z.literal('recurrence'), lesson: digest, trial: trialSchema });
/** Executions without a guard, then with it. Reproducible where each fails before, each passes after, and both were repeated. */
const guardEvidence = z.strictObject({
  ...common,
  kind: z.literal('guard-evidence'),
  lesson: digest,
  guard: digest,
  before: z.array(execution).min(1),
  after: z.array(execution).min(1),
});
/** A guard prevented the failure in a trial: the lesson is still needed. */
const guardPrevented = z.strictObject({
  ...common,
  kind: z.literal('guard-prevented'),
  lesson: digest,
  guard: digest,
  trial: trialSchema,
});
/** Whether a trial could have shown the failure, and whether the lesson was put before the reader. */
const exposure = z.strictObject({
  ...common,
  kind: z.literal('exposure'),
  lesson: digest,
  trial: trialSchema,
  eligible: z.boolean(),
  injected: z.boolean(),
});
/** A trial succeeded. What it says about a lesson is told by that lesson's exposure in the same trial; without one it is unrelated. */
const success = z.strictObject({ ...common, kind: z.literal('success'), trial: trialSchema });
/** A lesson known from elsewhere. It can open a lesson, never change one that is open: that is the evaluator's alone (LE-1). */
const stateImport = z
  .strictObject({
    ...common,
    kind: z.literal('state-import'),
    fingerprint: fingerprintSchema,
    state: z.enum(LESSON_STATES),
    first_observed_at: instant,
    source: name.describe('where it comes from'),
  })
  .refine((event) => event.first_observed_at <= event.at, 'expected first_observed_at at or before at');
/** The present, by which age is reckoned: the clock has no say (LE-3). */
const evaluation = z.strictObject({ ...common, kind: z.literal('evaluation') });

/** One `lesson-event@1`. An event has no id but the digest of its canonical JSON. */
export const lessonEventSchema = z.discriminatedUnion('kind', [
  stateImport,
  failureObserved,
  recurrence,
  guardEvidence,
  guardPrevented,
  exposure,
  success,
  evaluation,
]);
/** An event. */
export type LessonEvent = z.output<typeof lessonEventSchema>;

/** The thresholds of an evaluation, recorded whole in each transition (LE-5). They are not calibrated. */
export const thresholdsSchema = z.strictObject({
  format: z.literal('lesson-thresholds@1'),
  name: slug,
  recurrence_runs: z.int().min(2).describe('independent runs with the failure that verify a lesson'),
  guard_executions: z
    .int()
    .min(1)
    .describe('executions before, and as many after, that make guard evidence reproducible'),
  unassisted_successes: z.int().min(1).describe('successes in eligible exposures without the lesson, for expiry'),
  minimum_age_days: z.int().min(0).max(36_500).describe('since first observed, of 86,400,000 ms each, for expiry'),
});
/** A threshold profile. */
export type Thresholds = z.output<typeof thresholdsSchema>;

/** The paper's thresholds (LE-2, LE-3). It asks for "reproducible" guard evidence without a number: two executions, the fewest that repeat. */
export const PAPER_THRESHOLDS: Thresholds = {
  format: 'lesson-thresholds@1',
  name: 'paper',
  recurrence_runs: 2,
  guard_executions: 2,
  unassisted_successes: 3,
  minimum_age_days: 7,
};

/** Changes when the same events and thresholds could give other transitions by a fault mended in the code. */
export const EVALUATOR_VERSION = 'lesson-evaluator@1';
/** Changes when a rule changes. */
export const RULE_VERSION = 'lesson-rules@1';

/** Why a lesson's state changed. */
export const TRANSITION_RULES = [
  'opened-by-failure',
  'opened-by-import',
  'verified-by-recurrence',
  'verified-by-guard',
  'expired-unassisted',
] as const;

/** One `lesson-transition@1`: a change of state and all that it follows from (LE-5). */
export const transitionSchema = z.strictObject({
  format: z.literal('lesson-transition@1'),
  at: instant.describe('the time of the cause'),
  lesson: digest,
  fingerprint: fingerprintSchema,
  from: z.enum(LESSON_STATES).nullable().describe('null: the lesson was not open'),
  to: z.enum(LESSON_STATES),
  rule: z.enum(TRANSITION_RULES),
  first_observed_at: instant,
  cause: digest.describe('the event that completed the evidence'),
  evidence: z.array(digest).describe('the events that were counted, in the order in which they were'),
  lineage: z.strictObject({
    evaluator: z.literal(EVALUATOR_VERSION),
    rules: z.literal(RULE_VERSION),
    thresholds: thresholdsSchema,
  }),
});
/** A transition. */
export type Transition = z.output<typeof transitionSchema>;

/** A lesson as it stands. */
export interface Lesson {
  readonly lesson: Digest;
  readonly fingerprint: Fingerprint;
  readonly state: LessonState;
  readonly firstObservedAt: string;
  /** When it came into this state. */
  readonly since: string;
}

/** What an evaluation gives. */
export interface LessonEvaluation {
  /** In the order in which they happened. */
  readonly transitions: readonly Transition[];
  /** Every open lesson, by id. */
  readonly lessons: readonly Lesson[];
}
