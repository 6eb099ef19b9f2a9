import { expect, it } from 'vitest';
import {
  evaluation,
  event,
  failure,
  GUARD,
  guardEvidence,
  human,
  imported,
  LESSON,
  success,
  trial,
} from '../../lessons/bootstrap/sample-events.js';
import { describeLesson } from '../../lessons/describe-lessons.js';
import type { LessonEvent } from '../../lessons/lesson-event.js';
import { showLesson } from './lessons-table.js';

const shown = (...events: LessonEvent[]): string =>
  showLesson(describeLesson({ path: 'log', events, torn_bytes: 0 }, LESSON));
/** The lines that tell of causes, without digests. */
const causes = (text: string): string[] => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('cause '));
  const told = lines.slice(start + 1).filter((line) => /^[0-9a-f]{12} {2}2026/.test(line));
  return told.map((line) => line.slice(14).replace(/ {2,}/g, ' | '));
};

it('LE-5 a lesson is shown with what each event says that its transitions rest on, each once', () => {
  const again = event(1, { kind: 'recurrence', lesson: LESSON, trial: trial('run-2', 'harbour/q1', { repeat: 2 }) });
  const text = shown(failure(0, trial('run-1')), again, human(2, 'enforced'), human(3, 'compiled'), evaluation(4));
  expect(causes(text)).toEqual([
    '2026-03-01T00:00:00.000Z | failure-observed | run-1, bm25: harbour/q1, read anew',
    '2026-03-02T00:00:00.000Z | recurrence | run-2, bm25: harbour/q1, repeat 2, read anew',
    '2026-03-03T00:00:00.000Z | human-transition | to enforced, by Ann: reviewed',
    `2026-03-04T00:00:00.000Z | human-transition | to compiled as guard ${GUARD.slice(7, 19)}, by Ann: reviewed`,
  ]);
});

it('LE-5 so are guard evidence, imports, and the successes and the present that expire a lesson', () => {
  expect(causes(shown(imported(0, 'candidate'), guardEvidence(1)))).toEqual([
    '2026-03-01T00:00:00.000Z | state-import | candidate, from an earlier project',
    `2026-03-02T00:00:00.000Z | guard-evidence | guard ${GUARD.slice(7, 19)}: fail, fail without it; pass, pass with it`,
  ]);
  const stored = { freshly_read: false };
  const successes = [1, 2, 3].map((day) => success(day, trial(`good-${day}`, `harbour/q${day}`, stored)));
  expect(causes(shown(failure(0, trial('run-1')), ...successes, evaluation(7))).slice(1)).toEqual([
    ...[1, 2, 3].map(
      (day) =>
        `2026-03-0${day + 1}T00:00:00.000Z | exposure | success: good-${day}, bm25: harbour/q${day}, not read anew`,
    ),
    '2026-03-08T00:00:00.000Z | evaluation',
  ]);
});

it('LE-5 RS-4 what people wrote steers no terminal', () => {
  const hostile = { ...human(1, 'enforced'), actor: 'An\u202en' } as LessonEvent;
  expect(shown(imported(0, 'verified'), hostile)).not.toContain('\u202e');
});
