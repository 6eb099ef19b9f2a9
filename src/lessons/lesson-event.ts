import { z } from 'zod';
import { fingerprintSchema } from './fingerprint.js';
import { HUMAN_TRANSITIONS, type HumanState, LESSON_STATES } from './lesson-state.js';
import { digest, id, instant, name, slug } from './values.js';

/** One question and repeat under one arm of one run. */
export const trialSchema = z.strictObject({
  run: id,
  arm: id,
  corpus: digest,
  bank: digest.nullable(),
  replicate: z.int().min(1).describe('which of the banks of one identity; 1 where there are none'),
  question: id,
  repeat: z.int().min(1),
  freshly_read: z.boolean().describe('the reader was asked anew: neither stored nor computed the same way every time'),
});
/** A trial. */
export type Trial = z.output<typeof trialSchema>;

const execution = z.enum(['fail', 'pass']);
const common = { format: z.literal('lesson-event@1'), at: instant };
const extension = z.literal(true).describe("this project's own: the paper names no such event");

/** A failure was observed. Opens the lesson of its fingerprint as a candidate, or counts as a further failure of it. */
const failureObserved = z
  .strictObject({
    ...common,
    kind: z.literal('failure-observed'),
    fingerprint: fingerprintSchema,
    trial: trialSchema,
  })
  .refine(({ fingerprint, trial }) => fingerprint.scope.corpus === trial.corpus, 'expected the corpus of the trial');
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
/** A lesson met a trial, and how that came out. Only an eligible, related success without the lesson counts towards its expiry (LE-3). */
const exposure = z.strictObject({
  ...common,
  kind: z.literal('exposure'),
  lesson: digest,
  trial: trialSchema,
  eligible: z.boolean().describe('the arm and its run could have shown the failure'),
  related: z.boolean().describe("the question is of the lesson's scope"),
  injected: z.boolean().describe('the lesson was put before the reader'),
  outcome: z.enum(['success', 'failure']).describe('the failure itself is told by an event of its own'),
});
/** A person enforces a lesson, or compiles it into a guard. Only what `HUMAN_TRANSITIONS` allows. */
const humanTransition = z
  .strictObject({
    ...common,
    extension,
    kind: z.literal('human-transition'),
    lesson: digest,
    to: z.enum(Object.keys(HUMAN_TRANSITIONS) as [HumanState, ...HumanState[]]),
    actor: name.describe('who decided'),
    reason_code: slug.nullable(),
    guard: digest.nullable().describe('of what is executed in the place of the lesson; required for compiled'),
  })
  .refine(({ to, guard }) => to !== 'compiled' || guard !== null, 'expected the guard that it was compiled into');
/** A lesson known from elsewhere. It can open a lesson, never change one that is open: that is the evaluator's alone (LE-1). */
const stateImport = z
  .strictObject({
    ...common,
    extension,
    kind: z.literal('state-import'),
    fingerprint: fingerprintSchema,
    state: z.enum(LESSON_STATES),
    first_observed_at: instant,
    source: name.describe('where it comes from'),
  })
  .refine((event) => event.first_observed_at <= event.at, 'expected first_observed_at at or before at');
/** The present, by which age is reckoned: the clock has no say (LE-3). */
const evaluation = z.strictObject({ ...common, extension, kind: z.literal('evaluation') });

/** One `lesson-event@1`. An event has no id but the digest of its canonical JSON. */
export const lessonEventSchema = z.discriminatedUnion('kind', [
  stateImport,
  failureObserved,
  recurrence,
  guardEvidence,
  guardPrevented,
  humanTransition,
  exposure,
  evaluation,
]);
/** An event. */
export type LessonEvent = z.output<typeof lessonEventSchema>;
