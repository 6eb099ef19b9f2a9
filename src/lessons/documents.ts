import type { Digest } from '../core/digest.js';
import type { Harvest } from './harvest/harvest-run.js';
import type { LessonState } from './lesson-state.js';
import type { Lesson, Transition } from './lessons.js';
import type { IdentifiedEvent } from './order-events.js';
import type { ThresholdProfile } from './threshold-profile.js';

/** What every document says of how states were reached. */
export interface EvaluationBasis {
  readonly evaluator: string;
  readonly rules: string;
  readonly profile: ThresholdProfile;
  readonly profile_digest: Digest;
  /** Nobody has measured how often the thresholds are right. */
  readonly calibrated: false;
}

/** What `lessons list --json` prints. */
export interface LessonListDocument extends EvaluationBasis {
  readonly format: 'lesson-list@1';
  /** In the log. */
  readonly events: number;
  readonly torn_bytes: number;
  /** By id. */
  readonly lessons: readonly Lesson[];
}

/** Eligible trials of a lesson's scope, by whether it was put before the reader: the pairs that tell what it does. */
export interface LessonTrials {
  readonly injected: { readonly successes: number; readonly failures: number };
  readonly not_injected: { readonly successes: number; readonly failures: number };
}

/** What `lessons show --json` prints. */
export interface LessonDocument extends EvaluationBasis {
  readonly format: 'lesson-description@1';
  readonly lesson: Lesson;
  readonly trials: LessonTrials;
  readonly transitions: readonly Transition[];
  /** The events that the transitions rest on, each once, in the order of their evaluation. */
  readonly causes: readonly IdentifiedEvent[];
}

/** What `lessons replay --json` prints: the same bytes for the same events, wherever it is printed (LE-1). */
export interface LessonReplayDocument extends EvaluationBasis {
  readonly format: 'lesson-replay@1';
  /** Null: all events. */
  readonly at: string | null;
  readonly transitions: readonly Transition[];
  readonly lessons: readonly Lesson[];
  /** Of the transitions' canonical JSON lines. */
  readonly transitions_sha256: Digest;
  readonly projection_sha256: Digest;
}

/** What `lessons evaluate --json`, `enforce --json` and `compile --json` print: an event that was recorded, and what it led to. */
export interface LessonChangeDocument extends EvaluationBasis {
  readonly format: 'lesson-change@1';
  readonly at: string;
  readonly event: Digest;
  /** False where the log had that event already. */
  readonly is_new: boolean;
  readonly transitions: readonly Transition[];
  readonly states: StateCounts;
}

/** What `lessons import --json` prints. */
export interface LessonImportDocument extends EvaluationBasis {
  readonly format: 'lesson-import@1';
  readonly added: number;
  readonly known: number;
  readonly states: StateCounts;
}

/** What `lessons harvest --json` prints. */
export interface LessonHarvestDocument extends EvaluationBasis {
  readonly format: 'lesson-harvest@1';
  /** What a crash had torn off the log, and what was cut off. */
  readonly torn_bytes: number;
  /** In the order of their starts. */
  readonly runs: readonly HarvestedRun[];
  readonly states: StateCounts;
}

/** A run's part: `added` of its events are new in the log, and `known` were there. */
export interface HarvestedRun extends Omit<Harvest, 'events'> {
  readonly added: number;
  readonly known: number;
}

/** Lessons by state; only the states that occur. */
export type StateCounts = { readonly [State in LessonState]?: number };
