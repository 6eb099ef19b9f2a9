import fc from 'fast-check';
import { InvalidInputErrors } from '../../src/core/errors.js';
import {
  evaluation,
  event,
  failure,
  fingerprint,
  guardEvidence,
  human,
  success,
  trial,
} from '../../src/lessons/bootstrap/sample-events.js';
import { evaluateLessons } from '../../src/lessons/evaluate.js';
import { lessonOf } from '../../src/lessons/fingerprint.js';
import type { LessonEvent, Trial } from '../../src/lessons/lesson-event.js';

const KINDS = (['not-retrieved', 'misread'] as const).map(fingerprint);
export const LESSONS = KINDS.map(lessonOf);
export const day = fc.integer({ min: 0, max: 12 });
const kind = fc.constantFrom(...KINDS);
const lesson = fc.constantFrom(...LESSONS);
const run = fc.constantFrom('r1', 'r2', 'r3', 'r4');
const executions = fc.constantFrom<('fail' | 'pass')[]>(['fail', 'fail'], ['pass', 'pass'], ['fail', 'pass'], ['fail']);

/** Whether a trial is fresh, how it came out and how a lesson met it follows from its name, so that no two events contradict each other. */
const trialOf = (questions: readonly string[]): fc.Arbitrary<Trial> =>
  fc
    .tuple(run, fc.constantFrom(...questions))
    .map(([name, question]) => trial(name, question, { freshly_read: name < 'r3' }));
const failed = trialOf(['f1', 'f2', 'f3']);
const succeeded = trialOf(['g1', 'g2', 'g3']);
const exposed = (at: number, where: Trial, of = LESSONS[0]!): LessonEvent =>
  success(at, where, {
    lesson: of,
    eligible: where.question !== 'g3' || where.run !== 'r1',
    related: where.question !== 'g3' || where.run !== 'r2',
    injected: where.run === 'r4',
  });

const someEvent: fc.Arbitrary<LessonEvent> = fc.oneof(
  fc.tuple(day, failed, kind).map(([at, where, of]) => failure(at, where, of)),
  fc.tuple(day, failed, lesson).map(([at, where, of]) => event(at, { kind: 'recurrence', lesson: of, trial: where })),
  fc.tuple(day, executions, executions, lesson).map(([at, before, after, of]) => guardEvidence(at, before, after, of)),
  fc
    .tuple(day, succeeded, lesson)
    .map(([at, where, of]) => event(at, { kind: 'guard-prevented', lesson: of, guard: of, trial: where })),
  fc.tuple(day, succeeded, lesson).map(([at, where, of]) => exposed(at, where, of)),
  fc
    .tuple(day, fc.constantFrom('enforced' as const, 'compiled' as const), lesson)
    .map(([at, to, of]) => human(at, to, of)),
);
// Drawn apart, or no drawn story would have three successes of one lesson that never recurs.
const someSuccesses = fc.array(
  fc.tuple(day, succeeded).map(([at, where]) => exposed(at, where)),
  { maxLength: 6 },
);
/** Both lessons, opened in one fresh run. */
const OPENING = KINDS.map((of) => failure(0, trial('r0', 'f0'), of));

/** Stories of two lessons that an evaluator accepts: people's transitions stand only where all of them are allowed. */
export const story: fc.Arbitrary<LessonEvent[]> = fc
  .tuple(fc.array(someEvent, { maxLength: 8 }), someSuccesses, fc.array(day, { maxLength: 3 }))
  .map(([any, successes, days]) => [...OPENING, ...any, ...successes, ...days.map((at) => evaluation(at))])
  .map((events) => (isAccepted(events) ? events : events.filter((one) => one.kind !== 'human-transition')));

function isAccepted(events: readonly LessonEvent[]): boolean {
  try {
    evaluateLessons(events);
    return true;
  } catch (error) {
    if (error instanceof InvalidInputErrors) return false;
    throw error;
  }
}

/** A story and the same events in another order. */
export const shuffled: fc.Arbitrary<[LessonEvent[], LessonEvent[]]> = story.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
);
