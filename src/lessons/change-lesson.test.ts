import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { systemClock } from '../core/clock.js';
import { failedWith, failure, fingerprint, GUARD, LESSON, MISSED, trial } from './bootstrap/sample-events.js';
import { importEvents, recordDecision, recordEvaluation } from './change-lesson.js';
import { evaluateLessons } from './evaluate.js';
import { findLesson } from './find-lesson.js';
import { LOG_FILE, readLessonLog, withLessonLog } from './log.js';

const world = { clock: systemClock, signal: new AbortController().signal };
const NOW = '2026-04-01T00:00:00.000Z';
const decision = { id: LESSON, to: 'enforced', actor: 'Ann', reason_code: null, guard: null } as const;

describe('what people change', () => {
  it('LE-1 a refused decision is not in the log; an allowed one is, with what it led to', async () => {
    const folder = await temporaryFolder();
    const bytes = () => readFile(join(folder, LOG_FILE), 'utf8');
    await withLessonLog(folder, world, async (log) => {
      await log.append([failure(0, trial('r1'))]);
      const before = await bytes();
      const refused = { errors: [{ code: 'LESSON_TRANSITION_REFUSED' }] };
      await expect(recordDecision(log, decision, NOW)).rejects.toMatchObject(refused);
      const unguarded = { ...decision, to: 'compiled' } as const;
      await expect(recordDecision(log, unguarded, NOW)).rejects.toMatchObject({ code: 'LESSON_EVENT_INVALID' });
      expect(await bytes()).toBe(before);
      await log.append([failure(1, trial('r2'))]);
      const enforced = await recordDecision(log, decision, NOW);
      expect(enforced).toMatchObject({ is_new: true, states: { enforced: 1 } });
      expect(enforced.transitions.map(({ rule }) => rule)).toEqual(['enforced-by-human']);
      const compiling = { ...unguarded, guard: GUARD };
      expect((await recordDecision(log, compiling, NOW)).states).toEqual({ compiled: 1 });
      // Nobody is told to wait for evidence that has been there long ago.
      await expect(recordDecision(log, decision, '2026-04-02T00:00:00.000Z')).rejects.toMatchObject({
        errors: [
          {
            code: 'LESSON_TRANSITION_REFUSED',
            remedy: 'leave it as it is: it is compiled already, and no rule leads back',
          },
        ],
      });
    });
  });

  it('LE-6 nothing is written that could not be read again, whoever tells it', async () => {
    const folder = await temporaryFolder();
    const invalid = { code: 'LESSON_EVENT_INVALID', exitCode: 2 };
    const coded = failure(1, trial('r2'), { ...failedWith('BAD'), error_code: 'no code' });
    await withLessonLog(folder, world, async (log) => {
      await log.append([failure(0, trial('r1'))]);
      await expect(recordEvaluation(log, '+010000-01-01T11:59:59.000Z')).rejects.toMatchObject(invalid);
      await expect(importEvents(log, [failure(1, trial('r3')), coded])).rejects.toMatchObject(invalid);
    });
    expect((await readLessonLog(folder)).events).toEqual([failure(0, trial('r1'))]);
  });

  it('LE-6 a lesson is found by its id and by its first digits, as long as no other begins so', () => {
    const kinds = [MISSED, fingerprint('misread'), fingerprint('never-formed')];
    const { lessons } = evaluateLessons(kinds.map((kind, place) => failure(0, trial('r1', `q${place}`), kind)));
    for (const lesson of lessons) {
      expect(findLesson(lessons, lesson.lesson)).toBe(lesson);
      expect(findLesson(lessons, lesson.lesson.slice('sha256:'.length, 20))).toBe(lesson);
    }
    const [first] = lessons as [(typeof lessons)[number]];
    const twin = { ...first, lesson: `${first.lesson.slice(0, -1)}x` as typeof first.lesson };
    const refusal = (code: string) => expect.objectContaining({ code, exitCode: 2 });
    expect(() => findLesson([first, twin], first.lesson.slice(0, 20))).toThrow(refusal('LESSON_AMBIGUOUS'));
    for (const id of ['sha256:', 'abc', 'zzzz', '', 'ffffffffffff'])
      expect(() => findLesson(lessons, id)).toThrow(refusal('LESSON_UNKNOWN'));
  });
});
