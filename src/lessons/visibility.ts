import type { LessonState } from './lesson-state.js';
import type { Lesson } from './lessons.js';

/** What becomes of a lesson in a prompt (LE-4). */
export type Visibility = 'shown' | 'quarantined' | 'left-out';

const VISIBILITIES: Readonly<Record<LessonState, Visibility>> = {
  candidate: 'quarantined',
  probationary: 'quarantined',
  verified: 'shown',
  enforced: 'shown',
  // Its executable guard is authoritative: words beside it could only disagree.
  compiled: 'left-out',
  expired: 'quarantined',
};

/** Whether general retrieval shows a lesson of a state, keeps it in quarantine, or leaves it to its guard (LE-4). */
export function visibilityOf(state: LessonState): Visibility {
  return VISIBILITIES[state];
}

/** The lessons that general retrieval may show, in their order: verified and enforced ones only (LE-4). */
export function retrievableLessons(lessons: readonly Lesson[]): Lesson[] {
  return lessons.filter(({ state }) => visibilityOf(state) === 'shown');
}
