import { z } from 'zod';
import type { Digest } from '../core/digest.js';
import { type Fingerprint, fingerprintSchema } from './fingerprint.js';
import { LESSON_STATES, type LessonState } from './lesson-state.js';
import { thresholdProfileSchema } from './threshold-profile.js';
import { digest, instant } from './values.js';

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
  'enforced-by-human',
  'compiled-by-human',
  'expired-unassisted',
] as const;
/** One of them. */
export type TransitionRule = (typeof TRANSITION_RULES)[number];

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
  lineage: z.strictObject({
    evaluator: z.literal(EVALUATOR_VERSION),
    rules: z.literal(RULE_VERSION),
    profile: thresholdProfileSchema,
    profile_digest: digest,
    cause: digest.describe('the event that completed the evidence'),
    evidence: z.array(digest).describe('the events that were counted, in the order in which they were'),
  }),
});
/** A transition. */
export type Transition = z.output<typeof transitionSchema>;

/** A lesson as it stands. */
export interface Lesson {
  readonly lesson: Digest;
  readonly fingerprint: Fingerprint;
  readonly state: LessonState;
  readonly first_observed_at: string;
  /** When it came into this state. */
  readonly since: string;
  /** An import opened it: nobody knows what questions it was learnt from before. */
  readonly is_imported: boolean;
  /** The questions of its corpus that its failures were observed in, counted or not, sorted. */
  readonly learnt_from: readonly string[];
}

/** What an evaluation gives. */
export interface LessonEvaluation {
  /** In the order in which they happened. */
  readonly transitions: readonly Transition[];
  /** Every open lesson, by id. */
  readonly lessons: readonly Lesson[];
}
