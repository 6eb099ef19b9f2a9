import { describe, expect, it } from 'vitest';
import {
  BANK,
  evaluation,
  event,
  failure,
  fingerprint,
  GUARD,
  LESSON,
  MISSED,
  successIn,
  trial,
} from '../../test/support/lesson-samples.js';
import { digestJson, digestText } from '../core/digest.js';
import { evaluateLessons, replayLessons, transitionLines } from './evaluate.js';
import { type LessonEvent, type LessonState, lessonOf, PAPER_THRESHOLDS, transitionSchema } from './lessons.js';

const stored = { freshly_read: false };
const guard = (day: number, before: ('fail' | 'pass')[], after: ('fail' | 'pass')[]): LessonEvent =>
  event(day, { kind: 'guard-evidence', lesson: LESSON, guard: GUARD, before, after });
const imported = (day: number, state: LessonState): LessonEvent =>
  event(day, {
    kind: 'state-import',
    fingerprint: MISSED,
    state,
    first_observed_at: '2026-03-01T00:00:00.000Z',
    source: 'an earlier project',
  });
const THREE = [1, 2, 3].flatMap((day) => successIn(day, trial(`good-${day}`)));
const FIRST = failure(0, trial('run-1'));

/** `from>to` of each transition after the opening. */
const moves = (...events: LessonEvent[]): string[] =>
  evaluateLessons(events)
    .transitions.slice(1)
    .map(({ from, to, rule }) => `${from}>${to} ${rule}`);
const EXPIRED = ['candidate>expired expired-unassisted'];
const RECURRED = ['candidate>verified verified-by-recurrence'];
const GUARDED = ['candidate>verified verified-by-guard'];

describe('recurrence', () => {
  it('LE-2 a first failure is a candidate and no more, however often it is evaluated', () => {
    expect(evaluateLessons([FIRST, evaluation(400)]).lessons).toEqual([
      {
        lesson: LESSON,
        fingerprint: MISSED,
        state: 'candidate',
        firstObservedAt: '2026-03-01T00:00:00.000Z',
        since: '2026-03-01T00:00:00.000Z',
      },
    ]);
  });

  it('LE-2 the same failure in two independent runs verifies, at once', () => {
    expect(moves(FIRST, failure(1, trial('run-2')))).toEqual(RECURRED);
    expect(moves(FIRST, event(1, { kind: 'recurrence', lesson: LESSON, trial: trial('run-2') }))).toEqual(RECURRED);
  });

  it('LE-2 another fingerprint is another lesson', () => {
    const other = failure(1, trial('run-2'), fingerprint('wrong-answer'));
    expect(evaluateLessons([FIRST, other]).lessons.map(({ state }) => state)).toEqual(['candidate', 'candidate']);
  });

  it('LE-2 duplicates of one run count once', () => {
    expect(moves(FIRST, failure(1, trial('run-1', 'harbour/q2')), failure(2, trial('run-1', 'harbour/q3')))).toEqual(
      [],
    );
    expect(moves(FIRST, structuredClone(FIRST))).toEqual([]);
  });

  it('LE-2 what shares bank, question and repeat and was not freshly read counts once', () => {
    expect(moves(FIRST, failure(1, trial('run-2', 'harbour/q1', stored)))).toEqual([]);
    expect(moves(FIRST, failure(1, trial('run-2', 'harbour/q1', { ...stored, arm: 'hybrid' })))).toEqual([]);
    expect(moves(FIRST, failure(1, trial('run-2', 'harbour/q2', stored)))).toEqual(RECURRED);
    expect(moves(FIRST, failure(1, trial('run-2', 'harbour/q1', { ...stored, repeat: 2 })))).toEqual(RECURRED);
    const otherBank = { ...stored, bank: GUARD };
    expect(moves(FIRST, failure(1, trial('run-2', 'harbour/q1', otherBank)))).toEqual(RECURRED);
    expect(moves(FIRST, failure(1, trial('run-2', 'harbour/q1')))).toEqual(RECURRED);
  });

  it('LE-2 a run that only repeats stored readings adds nothing to what they were copied from', () => {
    const of = (day: number, run: string, question: string) => failure(day, trial(run, question, stored));
    expect(moves(of(0, 'run-1', 'q1'), of(1, 'run-1', 'q2'), of(2, 'run-2', 'q1'), of(3, 'run-2', 'q2'))).toEqual([]);
    expect(moves(of(0, 'run-1', 'q1'), of(2, 'run-2', 'q1'), of(3, 'run-2', 'q2'))).toEqual(RECURRED);
  });

  it('LE-2 at one instant a copy is met after the reading that it copies', () => {
    const copies = ['a', 'b', 'c', 'd', 'e', 'f'].map((run) => failure(0, trial(run, 'harbour/q1', stored)));
    for (const copy of copies) expect(moves(FIRST, copy)).toEqual([]);
  });

  it('LE-1 at one instant a lesson is opened before anything speaks of it, and an evaluation sees everything', () => {
    for (const run of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const again = event(0, { kind: 'recurrence', lesson: LESSON, trial: trial(`run-${run}`) });
      expect(moves(FIRST, again)).toEqual(RECURRED);
      const last = successIn(7, trial(`good-${run}`));
      expect(moves(FIRST, ...THREE.slice(0, 4), ...last, evaluation(7))).toEqual(EXPIRED);
    }
  });

  it('LE-2 an expired lesson that recurs is verified; an enforced or compiled one stays what it is', () => {
    expect(moves(FIRST, ...THREE, evaluation(7), failure(8, trial('run-2')))).toEqual([
      ...EXPIRED,
      'expired>verified verified-by-recurrence',
    ]);
    for (const state of ['enforced', 'compiled', 'verified'] as const)
      expect(moves(imported(0, state), failure(1, trial('run-1')), failure(2, trial('run-2')))).toEqual([]);
  });
});

describe('guard evidence', () => {
  it('LE-2 reproducible fail-before, pass-after evidence verifies', () => {
    expect(moves(FIRST, guard(1, ['fail', 'fail'], ['pass', 'pass']))).toEqual(GUARDED);
  });

  it('LE-2 evidence that was not repeated, or came out otherwise once, does not', () => {
    expect(moves(FIRST, guard(1, ['fail'], ['pass', 'pass']))).toEqual([]);
    expect(moves(FIRST, guard(1, ['fail', 'fail'], ['pass']))).toEqual([]);
    expect(moves(FIRST, guard(1, ['fail', 'pass'], ['pass', 'pass']))).toEqual([]);
    expect(moves(FIRST, guard(1, ['fail', 'fail'], ['pass', 'fail']))).toEqual([]);
  });

  it('LE-2 that a guard prevented the failure does not verify', () => {
    expect(
      moves(FIRST, event(1, { kind: 'guard-prevented', lesson: LESSON, guard: GUARD, trial: trial('run-2') })),
    ).toEqual([]);
  });
});

describe('expiry', () => {
  it('LE-3 three unassisted successes and seven days expire a candidate, with the evaluation and not before', () => {
    expect(moves(FIRST, ...THREE)).toEqual([]);
    expect(moves(FIRST, ...THREE, evaluation(7, -1))).toEqual([]);
    expect(moves(FIRST, ...THREE, evaluation(7))).toEqual(EXPIRED);
    expect(moves(imported(0, 'probationary'), ...THREE, evaluation(7))).toEqual([
      'probationary>expired expired-unassisted',
    ]);
  });

  it('LE-3 two successes do not, nor does time alone', () => {
    expect(moves(FIRST, ...THREE.slice(0, 4), evaluation(7))).toEqual([]);
    expect(moves(FIRST, evaluation(36_500))).toEqual([]);
  });

  it('LE-3 injected, ineligible and unrelated successes do not count', () => {
    const two = THREE.slice(0, 4);
    const third = trial('good-3');
    expect(moves(FIRST, ...two, ...successIn(3, third), evaluation(7))).toEqual(EXPIRED);
    expect(moves(FIRST, ...two, ...successIn(3, third, { injected: true }), evaluation(7))).toEqual([]);
    expect(moves(FIRST, ...two, ...successIn(3, third, { eligible: false }), evaluation(7))).toEqual([]);
    expect(moves(FIRST, ...two, event(3, { kind: 'success', trial: third }), evaluation(7))).toEqual([]);
    expect(moves(FIRST, ...two, successIn(3, third)[0]!, evaluation(7))).toEqual([]);
  });

  it('LE-3 an exposure of one lesson says nothing about another', () => {
    const other = failure(0, trial('run-1'), fingerprint('wrong-answer'));
    const found = evaluateLessons([FIRST, other, ...THREE, evaluation(7)]).lessons;
    expect(Object.fromEntries(found.map(({ fingerprint: { failure: kind }, state }) => [kind, state]))).toEqual({
      'missed-evidence': 'expired',
      'wrong-answer': 'candidate',
    });
  });

  it('LE-3 a success counts once a trial, after the first failure, and not as a copy of a stored one', () => {
    const two = THREE.slice(0, 4);
    const again = event(5, { kind: 'success', trial: trial('good-2') });
    expect(moves(FIRST, ...two, again, evaluation(7))).toEqual([]);
    const early = failure(4, trial('run-1'));
    expect(moves(early, ...successIn(5, trial('x')), ...successIn(5, trial('y')), evaluation(20))).toEqual([]);
    expect(
      moves(early, event(3, { kind: 'success', trial: trial('z') }), ...exposed(5, 'x', 'y', 'z'), evaluation(20)),
    ).toEqual([]);
    const copies = ['a', 'b', 'c'].flatMap((run) => successIn(2, trial(run, 'harbour/q1', stored)));
    const apart = ['a', 'b', 'c'].flatMap((run) => successIn(2, trial(run, `harbour/${run}`, stored)));
    expect(moves(FIRST, ...copies, evaluation(7))).toEqual([]);
    expect(moves(FIRST, ...apart, evaluation(7))).toEqual(EXPIRED);
  });

  it('LE-3 recurrence or a prevention by a guard keeps a lesson', () => {
    const prevented = event(4, { kind: 'guard-prevented', lesson: LESSON, guard: GUARD, trial: trial('run-2') });
    expect(moves(FIRST, ...THREE, prevented, evaluation(7))).toEqual([]);
    const strict = { ...PAPER_THRESHOLDS, recurrence_runs: 3 };
    const state = (...more: LessonEvent[]) =>
      evaluateLessons([FIRST, ...THREE, ...more, evaluation(7)], strict).lessons.map((lesson) => lesson.state);
    expect(state(failure(4, trial('run-2')))).toEqual(['candidate']);
    expect(state(failure(4, trial('run-1', 'harbour/q2')))).toEqual(['expired']);
    expect(moves(imported(0, 'candidate'), ...THREE, failure(4, trial('run-2')), evaluation(7))).toEqual([]);
  });

  it('LE-3 verified, enforced and compiled lessons do not expire', () => {
    for (const state of ['verified', 'enforced', 'compiled', 'expired'] as const)
      expect(moves(imported(0, state), ...THREE, evaluation(30))).toEqual([]);
  });

  it('LE-3 no event but an import makes a lesson probationary', () => {
    expect(evaluateLessons([imported(0, 'probationary')]).transitions).toMatchObject([
      { from: null, to: 'probationary', rule: 'opened-by-import', first_observed_at: '2026-03-01T00:00:00.000Z' },
    ]);
  });
});

/** An exposure and, but for the last run, a success of each run. */
function exposed(day: number, ...runs: string[]): LessonEvent[] {
  return runs.flatMap((run, place) => successIn(day, trial(run)).slice(0, place === runs.length - 1 ? 1 : 2));
}

describe('lineage and replay', () => {
  const second = failure(1, trial('run-2'));
  const story = [FIRST, ...THREE, evaluation(7), failure(8, trial('run-2')), evaluation(9)];

  it('LE-5 a transition says what it follows from, to the byte', () => {
    const { transitions } = evaluateLessons([second, FIRST]);
    expect(transitions[1]).toEqual({
      format: 'lesson-transition@1',
      at: '2026-03-02T00:00:00.000Z',
      lesson: LESSON,
      fingerprint: MISSED,
      from: 'candidate',
      to: 'verified',
      rule: 'verified-by-recurrence',
      first_observed_at: '2026-03-01T00:00:00.000Z',
      cause: digestJson(second),
      evidence: [digestJson(FIRST), digestJson(second)],
      lineage: {
        evaluator: 'lesson-evaluator@1',
        rules: 'lesson-rules@1',
        thresholds: {
          format: 'lesson-thresholds@1',
          name: 'paper',
          recurrence_runs: 2,
          guard_executions: 2,
          unassisted_successes: 3,
          minimum_age_days: 7,
        },
      },
    });
    for (const transition of transitions) expect(transitionSchema.parse(transition)).toEqual(transition);
    // Both digests were reckoned by another program, in another language.
    expect(lessonOf(MISSED)).toBe('sha256:d8bb6397e531a4887a0468f889a24de4e4bb9543ecd70b483aea6d948e7ab9a8');
    expect(digestText(transitionLines(transitions))).toBe(
      'sha256:26b6e1dec6d904d2eaaec22d4d0373fa2a7ec679b1e82bdf06f36839a8bfc3fc',
    );
  });

  it('LE-5 an expiry cites the successes that it counted', () => {
    const expiry = evaluateLessons(story).transitions[1];
    expect(expiry?.evidence).toEqual(THREE.filter(({ kind }) => kind === 'success').map(digestJson));
    expect(expiry?.cause).toBe(digestJson(evaluation(7)));
  });

  it('LE-5 another threshold profile is in the lineage, and decides', () => {
    const eager = { ...PAPER_THRESHOLDS, name: 'eager', unassisted_successes: 1, minimum_age_days: 2 };
    const { transitions } = evaluateLessons([FIRST, ...THREE, evaluation(2)], eager);
    expect(transitions.map(({ to, lineage }) => [to, lineage.thresholds.name])).toEqual([
      ['candidate', 'eager'],
      ['expired', 'eager'],
    ]);
  });

  it('LE-5 replay gives the state at any time, that instant included', () => {
    const stateAt = (at: string) => replayLessons(story, at).lessons.map(({ state, since }) => `${state} ${since}`);
    expect(stateAt('2026-02-28T23:59:59.999Z')).toEqual([]);
    expect(stateAt('2026-03-01T00:00:00.000Z')).toEqual(['candidate 2026-03-01T00:00:00.000Z']);
    expect(stateAt('2026-03-07T23:59:59.999Z')).toEqual(['candidate 2026-03-01T00:00:00.000Z']);
    expect(stateAt('2026-03-08T00:00:00.000Z')).toEqual(['expired 2026-03-08T00:00:00.000Z']);
    expect(stateAt('2026-03-09T00:00:00.000Z')).toEqual(['verified 2026-03-09T00:00:00.000Z']);
  });
});

describe('events that tell no single story', () => {
  const codes = (...events: LessonEvent[]): string[] => {
    try {
      evaluateLessons(events);
    } catch (error) {
      return (error as { errors: { code: string }[] }).errors.map(({ code }) => code);
    }
    return [];
  };

  it('LE-1 only the evaluator changes an open lesson: an import of one is refused', () => {
    expect(codes(FIRST, imported(1, 'enforced'))).toEqual(['LESSON_ALREADY_OPEN']);
    expect(codes(imported(0, 'candidate'), imported(1, 'verified'))).toEqual(['LESSON_ALREADY_OPEN']);
    expect(codes(imported(0, 'enforced'), FIRST)).toEqual([]);
  });

  it('LE-1 an event about a lesson that is not open yet is refused, not passed over', () => {
    expect(codes(guard(0, ['fail', 'fail'], ['pass', 'pass']), failure(1, trial('run-1')))).toEqual([
      'LESSON_NOT_OPEN',
    ]);
    expect(codes(FIRST, guard(0, ['fail', 'fail'], ['pass', 'pass']))).toEqual([]);
  });

  it('LE-1 a trial or an exposure that is told in two ways is refused', () => {
    const twice = [failure(1, trial('run-2')), failure(2, trial('run-2', 'harbour/q1', stored))];
    expect(codes(FIRST, ...twice)).toEqual(['LESSON_TRIAL_CONTRADICTS']);
    expect(
      codes(FIRST, ...successIn(1, trial('x', 'q', { bank: null })), ...successIn(2, trial('x', 'q', { bank: BANK }))),
    ).toEqual(['LESSON_TRIAL_CONTRADICTS', 'LESSON_TRIAL_CONTRADICTS']);
    expect(codes(FIRST, ...successIn(1, trial('x')), ...successIn(2, trial('x'), { injected: true }))).toEqual([
      'LESSON_EXPOSURE_CONTRADICTS',
    ]);
    expect(codes(FIRST, ...successIn(1, trial('x')), ...successIn(2, trial('x')))).toEqual([]);
  });
});
