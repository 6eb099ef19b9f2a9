import type { JsonValue } from '../../core/canonical-json.js';
import { InvalidInputErrors, RecallMatrixError } from '../../core/errors.js';
import { evaluateLessons } from '../evaluate.js';
import type { LessonEvent } from '../lesson-event.js';
import type { ThresholdProfile } from '../threshold-profile.js';
import { LESSON } from './sample-events.js';

/** What is found, by the id of the expectation that it is held against. */
export type Findings = Readonly<Record<string, () => JsonValue>>;

/** `from>to rule` of each transition after the opening. */
export function moves(...events: LessonEvent[]): string[] {
  return evaluateLessons(events)
    .transitions.filter(({ from }) => from !== null)
    .map(({ from, to, rule }) => `${from}>${to} ${rule}`);
}

/** The states of all lessons, by lesson. */
export function states(events: readonly LessonEvent[]): string[] {
  return evaluateLessons(events).lessons.map(({ state }) => state);
}

/** The state of the sample lesson. */
export function stateOf(events: readonly LessonEvent[], profile?: ThresholdProfile): string {
  return evaluateLessons(events, profile).lessons.find(({ lesson }) => lesson === LESSON)?.state ?? 'not open';
}

/** The codes of a refusal, joined; `none` where there is none. */
export function refusal(attempt: () => unknown): string {
  try {
    attempt();
    return 'none';
  } catch (error) {
    if (error instanceof InvalidInputErrors) return error.errors.map(({ code }) => code).join(' ');
    if (error instanceof RecallMatrixError) return error.code;
    throw error;
  }
}
