import type { Digest } from '../../src/core/digest.js';
import { type Fingerprint, type LessonEvent, lessonOf, type Trial } from '../../src/lessons/lessons.js';

const CORPUS: Digest = `sha256:${'c'.repeat(64)}`;
export const BANK: Digest = `sha256:${'b'.repeat(64)}`;
export const GUARD: Digest = `sha256:${'9'.repeat(64)}`;

export function fingerprint(failure: string): Fingerprint {
  const scope = { corpus: CORPUS, subjects: ['Ines', 'Rosa'], asks: 'when' as const };
  return { format: 'lesson-fingerprint@1', stage: 'recall', failure, strategy: 'bm25', scope };
}

export const MISSED = fingerprint('missed-evidence');
export const LESSON = lessonOf(MISSED);

/** A freshly read trial; `run` and `question` tell trials apart. */
export function trial(run: string, question = 'harbour/q1', changes: Partial<Trial> = {}): Trial {
  return { run, arm: 'bm25', corpus: CORPUS, bank: BANK, question, repeat: 1, freshly_read: true, ...changes };
}

type Body<Event> = Event extends LessonEvent ? Omit<Event, 'format' | 'at'> : never;

/** An event `day` days (and milliseconds) after 1 March 2026. */
export function event(day: number, body: Body<LessonEvent>, offsetMs = 0): LessonEvent {
  const at = new Date(Date.UTC(2026, 2, 1 + day) + offsetMs).toISOString();
  return { format: 'lesson-event@1', at, ...body } as LessonEvent;
}

export const failure = (day: number, of: Trial, of_kind = MISSED): LessonEvent =>
  event(day, { kind: 'failure-observed', fingerprint: of_kind, trial: of });

export const evaluation = (day: number, offsetMs = 0): LessonEvent => event(day, { kind: 'evaluation' }, offsetMs);

/** An exposure of `LESSON` and a success in one trial. */
export function successIn(
  day: number,
  of: Trial,
  told: { eligible?: boolean; injected?: boolean } = {},
): LessonEvent[] {
  return [
    event(day, { kind: 'exposure', lesson: LESSON, trial: of, eligible: true, injected: false, ...told }),
    event(day, { kind: 'success', trial: of }),
  ];
}
