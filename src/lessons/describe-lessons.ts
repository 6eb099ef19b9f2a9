import { digestJson, digestText } from '../core/digest.js';
import { causesOf } from './causes.js';
import type {
  EvaluationBasis,
  LessonDocument,
  LessonListDocument,
  LessonReplayDocument,
  LessonTrials,
  StateCounts,
} from './documents.js';
import { evaluateLessons, replayLessons, transitionLines } from './evaluate.js';
import { findLesson } from './find-lesson.js';
import type { LessonEvent } from './lesson-event.js';
import { LESSON_STATES, type LessonState } from './lesson-state.js';
import { EVALUATOR_VERSION, type Lesson, RULE_VERSION } from './lessons.js';
import type { LogContent } from './log.js';
import { projectionOf } from './projection.js';
import { PAPER_PROFILE, type ThresholdProfile } from './threshold-profile.js';

/** What states rest on beside the events, under the paper's thresholds. */
export const BASIS = basisOf(PAPER_PROFILE);

/** @param state the lessons that are listed; null for all. */
export function listLessons({ events, torn_bytes }: LogContent, state: LessonState | null): LessonListDocument {
  const { lessons } = evaluateLessons(events);
  const listed = lessons.filter((lesson) => state === null || lesson.state === state);
  return { format: 'lesson-list@1', ...BASIS, events: events.length, torn_bytes, lessons: listed };
}

/** @param id as `findLesson` takes it. */
export function describeLesson({ events }: LogContent, id: string): LessonDocument {
  const { lessons, transitions } = evaluateLessons(events);
  const lesson = findLesson(lessons, id);
  const own = transitions.filter((one) => one.lesson === lesson.lesson);
  return {
    format: 'lesson-description@1',
    ...BASIS,
    lesson,
    trials: trialsOf(lesson, events),
    transitions: own,
    causes: causesOf(own, events),
  };
}

/**
 * @param at the time that the states are of, that instant included; null: after all events.
 * @param profile the thresholds: others than the paper's say what they would have made of the same events, and nothing rests on it.
 */
export function replayLog(
  { events }: LogContent,
  at: string | null,
  profile: ThresholdProfile = PAPER_PROFILE,
): LessonReplayDocument {
  const { lessons, transitions } = at === null ? evaluateLessons(events, profile) : replayLessons(events, at, profile);
  return {
    format: 'lesson-replay@1',
    ...basisOf(profile),
    at,
    transitions,
    lessons,
    transitions_sha256: digestText(transitionLines(transitions)),
    projection_sha256: projectionOf(lessons, profile).digest,
  };
}

/** How many lessons are in each state. */
export function stateCounts(lessons: readonly Lesson[]): StateCounts {
  const counts = LESSON_STATES.map((state) => [state, lessons.filter((one) => one.state === state).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function trialsOf({ lesson }: Lesson, events: readonly LessonEvent[]): LessonTrials {
  const met = new Map(
    events.flatMap((event) =>
      event.kind === 'exposure' && event.lesson === lesson && event.eligible && event.related
        ? [[digestJson(event), event] as const]
        : [],
    ),
  );
  const count = (injected: boolean, outcome: 'success' | 'failure'): number =>
    [...met.values()].filter((event) => event.injected === injected && event.outcome === outcome).length;
  return {
    injected: { successes: count(true, 'success'), failures: count(true, 'failure') },
    not_injected: { successes: count(false, 'success'), failures: count(false, 'failure') },
  };
}

function basisOf(profile: ThresholdProfile): EvaluationBasis {
  return {
    evaluator: EVALUATOR_VERSION,
    rules: RULE_VERSION,
    profile,
    profile_digest: digestJson(profile),
    calibrated: profile.calibrated,
  };
}
