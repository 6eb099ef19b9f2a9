import { expect, it } from 'vitest';
import { LESSON, MISSED } from './bootstrap/sample-events.js';
import { LESSON_STATES } from './lesson-state.js';
import type { Lesson } from './lessons.js';
import { retrievableLessons, visibilityOf } from './visibility.js';

const at = '2026-03-01T00:00:00.000Z';
const lessons: Lesson[] = LESSON_STATES.map((state) => ({
  lesson: LESSON,
  fingerprint: MISSED,
  state,
  first_observed_at: at,
  since: at,
  is_imported: false,
  learnt_from: [],
}));

it('LE-4 general retrieval shows verified and enforced lessons and no others', () => {
  expect(retrievableLessons(lessons).map(({ state }) => state)).toEqual(['verified', 'enforced']);
});

it('LE-4 candidate and expired lessons are quarantined; compiled ones are left to their guard', () => {
  expect(Object.fromEntries(LESSON_STATES.map((state) => [state, visibilityOf(state)]))).toEqual({
    candidate: 'quarantined',
    probationary: 'quarantined',
    verified: 'shown',
    enforced: 'shown',
    compiled: 'left-out',
    expired: 'quarantined',
  });
});
