import type { Digest } from '../core/digest.js';
import { digestJson } from '../core/digest.js';
import { lessonOf } from './fingerprint.js';
import type { LessonEvent } from './lesson-event.js';
import { compareText } from './values.js';

/** An event with its id. */
export interface IdentifiedEvent {
  readonly digest: Digest;
  readonly event: LessonEvent;
}

/** Within one instant: what opens a lesson comes before what speaks of it, and the evaluation sees all of its instant. */
const RANKS: Readonly<Record<LessonEvent['kind'], number>> = {
  'state-import': 0,
  'failure-observed': 1,
  recurrence: 2,
  'guard-evidence': 3,
  'guard-prevented': 4,
  'human-transition': 5,
  exposure: 6,
  evaluation: 7,
};

/**
 * Events in the one order in which they are evaluated, whatever order they came in (LE-1): by time; in one instant by kind (imports, failures,
 * recurrences, guard evidence, preventions, people's transitions, exposures, evaluations); of one kind, trials that were freshly read first, and to
 * `enforced` before to `compiled`; what is then still tied, by digest. Events of equal content are one event.
 */
export function orderEvents(events: Iterable<LessonEvent>): IdentifiedEvent[] {
  const byDigest = new Map<Digest, LessonEvent>();
  for (const event of events) byDigest.set(digestJson(event), event);
  return [...byDigest].map(([digest, event]) => ({ digest, event })).sort(compareEvents);
}

/** The order of two events, as `orderEvents` has it. */
export function compareEvents(a: IdentifiedEvent, b: IdentifiedEvent): number {
  return (
    compareText(a.event.at, b.event.at) ||
    RANKS[a.event.kind] - RANKS[b.event.kind] ||
    storedLast(a.event) - storedLast(b.event) ||
    compiledLast(a.event) - compiledLast(b.event) ||
    compareText(a.digest, b.digest)
  );
}

// A stored answer is a copy of the fresh one, so the fresh one is met first and the copy counts for nothing.
function storedLast(event: LessonEvent): number {
  return 'trial' in event && !event.trial.freshly_read ? 1 : 0;
}

// What is compiled is enforced no more; the other order is the one that people can have meant.
function compiledLast(event: LessonEvent): number {
  return event.kind === 'human-transition' && event.to === 'compiled' ? 1 : 0;
}

/** The lesson that an event is about; null for an evaluation, which names none. */
export function lessonNamed(event: LessonEvent): Digest | null {
  if ('fingerprint' in event) return lessonOf(event.fingerprint);
  return 'lesson' in event ? event.lesson : null;
}
