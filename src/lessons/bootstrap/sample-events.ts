import type { Digest } from '../../core/digest.js';
import { type FailureKind, type Fingerprint, lessonOf, WRONG_ANSWER_STAGES, type WrongAnswer } from '../fingerprint.js';
import type { LessonEvent, Trial } from '../lesson-event.js';
import type { HumanState, LessonState } from '../lesson-state.js';

const CORPUS: Digest = `sha256:${'c'.repeat(64)}`;
/** The digests of samples stand for files that nobody has. */
export const BANK: Digest = `sha256:${'b'.repeat(64)}`;
export const GUARD: Digest = `sha256:${'9'.repeat(64)}`;

/** The fingerprint of a wrong answer. */
export function fingerprint(failure: WrongAnswer): Fingerprint {
  return { ...sampleOf(failure), stage: WRONG_ANSWER_STAGES[failure] };
}

/** The fingerprint of a question that the reader gave no answer to. */
export function failedWith(errorCode: string): Fingerprint {
  return { ...sampleOf('failed'), error_code: errorCode };
}

function sampleOf(failure: FailureKind): Fingerprint {
  return {
    format: 'lesson-fingerprint@1',
    stage: 'reader',
    failure,
    error_code: null,
    strategy: 'bm25',
    scope: { corpus: CORPUS, subjects: ['Ines', 'Rosa'], asks: 'when' },
  };
}

/** What the samples are about where nothing else is said. */
export const MISSED = fingerprint('not-retrieved');
export const LESSON = lessonOf(MISSED);

/** A freshly read trial; `run` and `question` tell trials apart. */
export function trial(run: string, question = 'harbour/q1', changes: Partial<Trial> = {}): Trial {
  const place = { run, arm: 'bm25', corpus: CORPUS, bank: BANK, replicate: 1, question, repeat: 1 };
  return { ...place, freshly_read: true, ...changes };
}

type Body<Event> = Event extends LessonEvent ? Omit<Event, 'format' | 'at' | 'extension'> : never;
const EXTENSIONS: readonly LessonEvent['kind'][] = ['state-import', 'human-transition', 'evaluation'];

/** An event `day` days (and milliseconds) after 1 March 2026. */
export function event(day: number, body: Body<LessonEvent>, offsetMs = 0): LessonEvent {
  const at = new Date(Date.UTC(2026, 2, 1 + day) + offsetMs).toISOString();
  const mark = EXTENSIONS.includes(body.kind) ? { extension: true } : {};
  return { format: 'lesson-event@1', at, ...mark, ...body } as LessonEvent;
}

export const failure = (day: number, of: Trial, of_kind = MISSED): LessonEvent =>
  event(day, { kind: 'failure-observed', fingerprint: of_kind, trial: of });

export const evaluation = (day: number, offsetMs = 0): LessonEvent => event(day, { kind: 'evaluation' }, offsetMs);

type Execution = 'fail' | 'pass';
export const guardEvidence = (
  day: number,
  before: readonly Execution[] = ['fail', 'fail'],
  after: readonly Execution[] = ['pass', 'pass'],
  lesson = LESSON,
): LessonEvent => event(day, { kind: 'guard-evidence', lesson, guard: GUARD, before: [...before], after: [...after] });

/** Three of them, after 1 March, in runs of their own, expire a lesson. */
export const success = (day: number, of: Trial, told: Partial<Exposure> = {}): LessonEvent =>
  event(day, {
    kind: 'exposure',
    lesson: LESSON,
    trial: of,
    ...{ eligible: true, related: true, injected: false, outcome: 'success', ...told },
  });
type Exposure = Extract<LessonEvent, { kind: 'exposure' }>;

export const prevented = (day: number, of: Trial): LessonEvent =>
  event(day, { kind: 'guard-prevented', lesson: LESSON, guard: GUARD, trial: of });

export const imported = (day: number, state: LessonState, of_kind = MISSED): LessonEvent =>
  event(day, {
    kind: 'state-import',
    fingerprint: of_kind,
    state,
    first_observed_at: '2026-03-01T00:00:00.000Z',
    source: 'an earlier project',
  });

export const human = (day: number, to: HumanState, lesson = LESSON): LessonEvent =>
  event(day, {
    kind: 'human-transition',
    lesson,
    to,
    actor: 'Ann',
    reason_code: 'reviewed',
    guard: to === 'compiled' ? GUARD : null,
  });
