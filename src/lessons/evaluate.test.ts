import { describe, expect, it } from 'vitest';
import { moves, refusal, stateOf } from './bootstrap/findings.js';
import {
  BANK,
  evaluation,
  event,
  failure,
  fingerprint,
  guardEvidence,
  human,
  imported,
  LESSON,
  MISSED,
  success,
  trial,
} from './bootstrap/sample-events.js';
import { evaluateLessons } from './evaluate.js';
import type { LessonEvent } from './lesson-event.js';
import { transitionSchema } from './lessons.js';
import { PAPER_PROFILE } from './threshold-profile.js';

// What the bootstrap fixture asserts is asserted there; here stands what it leaves out.
const stored = { freshly_read: false };
const THREE = [1, 2, 3].map((day) => success(day, trial(`good-${day}`)));
const FIRST = failure(0, trial('run-1'));
const EXPIRED = ['candidate>expired expired-unassisted'];
const RECURRED = ['candidate>verified verified-by-recurrence'];
const RUNS = ['a', 'b', 'c', 'd', 'e', 'f'];

it('LE-2 a lesson says what is known of it', () => {
  expect(evaluateLessons([FIRST, failure(1, trial('run-1', 'harbour/q0')), evaluation(2)]).lessons).toEqual([
    {
      lesson: LESSON,
      fingerprint: MISSED,
      state: 'candidate',
      first_observed_at: '2026-03-01T00:00:00.000Z',
      since: '2026-03-01T00:00:00.000Z',
      is_imported: false,
      learnt_from: ['harbour/q0', 'harbour/q1'],
    },
  ]);
});

describe('recurrence', () => {
  it('LE-2 a run that only repeats stored readings adds nothing to what they were copied from', () => {
    const of = (day: number, run: string, question: string) => failure(day, trial(run, question, stored));
    expect(moves(of(0, 'run-1', 'q1'), of(1, 'run-1', 'q2'), of(2, 'run-2', 'q1'), of(3, 'run-2', 'q2'))).toEqual([]);
    expect(moves(of(0, 'run-1', 'q1'), of(2, 'run-2', 'q1'), of(3, 'run-2', 'q2'))).toEqual(RECURRED);
  });

  it('LE-2 at one instant a copy is met after the reading that it copies', () => {
    const copies = RUNS.map((run) => failure(0, trial(run, 'harbour/q1', stored)));
    for (const copy of copies) expect(moves(FIRST, copy)).toEqual([]);
  });

  it('LE-1 at one instant a lesson is opened before anything speaks of it, and an evaluation sees everything', () => {
    for (const run of RUNS) {
      const again = event(0, { kind: 'recurrence', lesson: LESSON, trial: trial(`run-${run}`) });
      expect(moves(FIRST, again)).toEqual(RECURRED);
      expect(moves(FIRST, ...THREE.slice(0, 2), success(7, trial(`good-${run}`)), evaluation(7))).toEqual(EXPIRED);
    }
  });

  it('LE-2 an enforced, compiled or verified lesson that recurs stays what it is', () => {
    for (const state of ['enforced', 'compiled', 'verified'] as const)
      expect(moves(imported(0, state), failure(1, trial('run-1')), failure(2, trial('run-2')))).toEqual([]);
  });
});

describe('expiry', () => {
  it('LE-3 an exposure of one lesson says nothing about another', () => {
    const other = failure(0, trial('run-1'), fingerprint('misread'));
    const found = evaluateLessons([FIRST, other, ...THREE, evaluation(7)]).lessons;
    expect(Object.fromEntries(found.map(({ fingerprint: { failure: kind }, state }) => [kind, state]))).toEqual({
      'not-retrieved': 'expired',
      misread: 'candidate',
    });
  });

  it('LE-3 stored successes of questions apart count', () => {
    const apart = ['a', 'b', 'c'].map((run) => success(2, trial(run, `harbour/${run}`, stored)));
    expect(moves(FIRST, ...apart, evaluation(7))).toEqual(EXPIRED);
  });

  it('LE-3 a further failure in the same run is no recurrence; one of an imported lesson is', () => {
    const strict = { ...PAPER_PROFILE, recurrence_runs: 3 };
    const state = (...more: LessonEvent[]) => stateOf([FIRST, ...THREE, ...more, evaluation(7)], strict);
    expect(state(failure(4, trial('run-2')))).toBe('candidate');
    expect(state(failure(4, trial('run-1', 'harbour/q2')))).toBe('expired');
    expect(moves(imported(0, 'candidate'), ...THREE, failure(4, trial('run-2')), evaluation(7))).toEqual([]);
  });

  it('LE-3 no event but an import makes a lesson probationary', () => {
    expect(evaluateLessons([imported(0, 'probationary')]).transitions).toMatchObject([
      { from: null, to: 'probationary', rule: 'opened-by-import', first_observed_at: '2026-03-01T00:00:00.000Z' },
    ]);
  });
});

describe("people's transitions", () => {
  it('LE-3 evidence moves no lesson that a person has led on', () => {
    const compiled = [FIRST, guardEvidence(1), human(2, 'compiled')];
    expect(stateOf([...compiled, failure(3, trial('run-2')), ...THREE, evaluation(30)])).toBe('compiled');
  });

  it('LE-1 at one instant evidence comes first, and enforcing before compiling, whatever their digests', () => {
    for (const actor of RUNS) {
      const decided = [human(1, 'compiled'), { ...human(1, 'enforced'), actor } as LessonEvent];
      expect(moves(...decided, guardEvidence(1), FIRST)).toHaveLength(3);
    }
  });
});

it('LE-5 every transition is of its format, with the profile that decided', () => {
  const eager = { ...PAPER_PROFILE, name: 'eager', unassisted_successes: 1, minimum_age_days: 2 };
  const { transitions } = evaluateLessons([FIRST, ...THREE, evaluation(2), failure(8, trial('run-2'))], eager);
  expect(transitions.map(({ to, lineage }) => [to, lineage.profile.name])).toEqual([
    ['candidate', 'eager'],
    ['expired', 'eager'],
    ['verified', 'eager'],
  ]);
  for (const transition of transitions) expect(transitionSchema.parse(transition)).toEqual(transition);
  expect(new Set(transitions.map(({ lineage }) => lineage.profile_digest)).size).toBe(1);
  expect(transitions[0]?.lineage.profile_digest).not.toBe(
    evaluateLessons([FIRST]).transitions[0]?.lineage.profile_digest,
  );
});

describe('events that tell no single story', () => {
  const codes = (...events: LessonEvent[]): string => refusal(() => evaluateLessons(events));

  it('LE-1 only the evaluator changes an open lesson: an import of one is refused', () => {
    expect(codes(FIRST, imported(1, 'enforced'))).toBe('LESSON_ALREADY_OPEN');
    expect(codes(imported(0, 'candidate'), imported(1, 'verified'))).toBe('LESSON_ALREADY_OPEN');
    expect(codes(imported(0, 'enforced'), FIRST)).toBe('none');
  });

  it('LE-1 an event about a lesson that is not open yet is refused, not passed over', () => {
    expect(codes(guardEvidence(0), failure(1, trial('run-1')))).toBe('LESSON_NOT_OPEN');
    expect(codes(human(0, 'enforced'))).toBe('LESSON_NOT_OPEN');
    expect(codes(FIRST, guardEvidence(0))).toBe('none');
  });

  it('LE-1 a trial, an exposure or an outcome that is told in two ways is refused', () => {
    const twice = [failure(1, trial('run-2')), failure(2, trial('run-2', 'harbour/q1', stored))];
    expect(codes(FIRST, ...twice)).toBe('LESSON_TRIAL_CONTRADICTS');
    const banks = [null, BANK].map((bank, day) => success(day + 1, trial('x', 'q', { bank })));
    expect(codes(FIRST, ...banks)).toBe('LESSON_TRIAL_CONTRADICTS');
    const replicates = [1, 2].map((replicate) => success(replicate, trial('x', 'q', { replicate })));
    expect(codes(FIRST, ...replicates)).toBe('none');
    for (const told of [{ injected: true }, { eligible: false }, { related: false }])
      expect(codes(FIRST, success(1, trial('x')), success(2, trial('x'), told))).toBe('LESSON_EXPOSURE_CONTRADICTS');
    expect(codes(FIRST, success(1, trial('x')), success(2, trial('x')))).toBe('none');
    expect(codes(FIRST, success(1, trial('x')), failure(1, trial('x')))).toBe('LESSON_OUTCOME_CONTRADICTS');
    expect(codes(FIRST, success(1, trial('x'), { outcome: 'failure' }), failure(1, trial('x')))).toBe('none');
  });

  it('LE-2 a recurrence in another corpus is another lesson', () => {
    const elsewhere = trial('run-2', 'harbour/q1', { corpus: BANK });
    expect(codes(FIRST, event(1, { kind: 'recurrence', lesson: LESSON, trial: elsewhere }))).toBe(
      'LESSON_OTHER_CORPUS',
    );
  });
});
