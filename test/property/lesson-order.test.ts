import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { evaluateLessons, replayLessons, transitionLines } from '../../src/lessons/evaluate.js';
import { type LessonEvent, lessonOf } from '../../src/lessons/lessons.js';
import { readLessonEvents } from '../../src/lessons/read-events.js';
import { useBundledChild } from '../support/bundled-child.js';
import { evaluation, event, failure, fingerprint, GUARD, trial } from '../support/lesson-samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KINDS = ['missed-evidence', 'wrong-answer'].map(fingerprint);
const of = fc.constantFrom(...KINDS);
const day = fc.integer({ min: 0, max: 12 });
// Whether a trial is fresh, and how it was exposed, follows from its name, so that no two events contradict each other.
const someTrial = fc
  .tuple(fc.constantFrom('r1', 'r2', 'r3', 'r4'), fc.constantFrom('q1', 'q2', 'q3'))
  .map(([run, question]) => trial(run, question, { freshly_read: run < 'r3' }));
const pair = fc.constantFrom<('fail' | 'pass')[]>(['fail', 'fail'], ['pass', 'pass'], ['fail', 'pass'], ['fail']);

const later: fc.Arbitrary<LessonEvent> = fc.oneof(
  fc.tuple(day, someTrial, of).map(([at, where, kind]) => failure(at, where, kind)),
  fc
    .tuple(day, someTrial, of)
    .map(([at, where, kind]) => event(at, { kind: 'recurrence', lesson: lessonOf(kind), trial: where })),
  fc
    .tuple(day, pair, pair, of)
    .map(([at, before, after, kind]) =>
      event(at, { kind: 'guard-evidence', lesson: lessonOf(kind), guard: GUARD, before, after }),
    ),
  fc
    .tuple(day, someTrial, of)
    .map(([at, where, kind]) =>
      event(at, { kind: 'guard-prevented', lesson: lessonOf(kind), guard: GUARD, trial: where }),
    ),
  fc.tuple(day, someTrial, of).map(([at, where, kind]) =>
    event(at, {
      kind: 'exposure',
      lesson: lessonOf(kind),
      trial: where,
      eligible: where.question !== 'q3' || where.run !== 'r1',
      injected: where.run === 'r4',
    }),
  ),
  fc.tuple(day, someTrial).map(([at, where]) => event(at, { kind: 'success', trial: where })),
  day.map((at) => evaluation(at)),
);
const OPENING = KINDS.map((kind) => failure(0, trial('r0', 'q0'), kind));
// Drawn apart, or no drawn story would have three successes of one lesson that never recurs.
const assisted = fc.tuple(day, someTrial).map(([at, where]) => [
  event(at, {
    kind: 'exposure',
    lesson: lessonOf(KINDS[0]!),
    trial: where,
    eligible: where.question !== 'q3' || where.run !== 'r1',
    injected: where.run === 'r4',
  }),
  event(at, { kind: 'success', trial: where }),
]);
const events = fc
  .tuple(fc.array(later, { maxLength: 8 }), fc.array(assisted, { maxLength: 6 }), fc.array(day, { maxLength: 3 }))
  .map(([any, successes, days]) => [...OPENING, ...any, ...successes.flat(), ...days.map((at) => evaluation(at))]);
const shuffled = events.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
);

const bytesOf = (list: readonly LessonEvent[]): string => transitionLines(evaluateLessons(list).transitions);
const textOf = (list: readonly LessonEvent[]): string => list.map((one) => `${canonicalJson(one)}\n`).join('');

describe('the evaluator', () => {
  it('LE-1 events in any order, in any files, twice or once, give the same bytes', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(shuffled, fc.nat(30), ([list, other], cut) => {
        const bytes = bytesOf(list);
        for (const { rule } of evaluateLessons(list).transitions) reached.add(rule);
        expect(bytesOf(other)).toBe(bytes);
        const files = [other.slice(cut), other.slice(0, cut), other.slice(0, 3)];
        expect(bytesOf(readLessonEvents(files.map((file) => ({ name: 'x', text: textOf(file) }))))).toBe(bytes);
      }),
      { numRuns: 150, seed: 18 },
    );
    // The positive control: the events reach every rule that they can.
    expect([...reached].sort()).toEqual([
      'expired-unassisted',
      'opened-by-failure',
      'verified-by-guard',
      'verified-by-recurrence',
    ]);
  });

  it('LE-5 what was known at a time does not change with what comes later', () => {
    fc.assert(
      fc.property(events, day, (list, until) => {
        const { at } = evaluation(until);
        const then = replayLessons(list, at);
        const whole = evaluateLessons(list).transitions.filter((transition) => transition.at <= at);
        expect(transitionLines(then.transitions)).toBe(transitionLines(whole));
      }),
      { numRuns: 100, seed: 18 },
    );
  });

  it('LE-5 the last transition of each lesson gives its state', () => {
    fc.assert(
      fc.property(events, (list) => {
        const { transitions, lessons } = evaluateLessons(list);
        const last = new Map(transitions.map(({ lesson, to }) => [lesson, to]));
        expect(new Map(lessons.map(({ lesson, state }) => [lesson, state]))).toEqual(last);
      }),
      { numRuns: 100, seed: 18 },
    );
  });
});

const program = useBundledChild('lesson-child');

it('LE-1 other processes under other zones, languages, folders and file orders give the same bytes', {
  timeout: 120_000,
}, async () => {
  const folder = await temporaryFolder();
  const story = fc.sample(events, { numRuns: 40, seed: 18 }).find((list) => {
    const rules = evaluateLessons(list).transitions.map(({ rule }) => rule);
    return rules.includes('expired-unassisted');
  })!;
  const files = [story.slice(0, 9), story.slice(9)].map((list, index) => {
    const path = join(folder, `${index}.jsonl`);
    writeFileSync(path, textOf(list));
    return path;
  });
  const run = (env: Record<string, string>, cwd: string, paths: readonly string[]): string =>
    execFileSync(process.execPath, [program(), ...paths], {
      cwd,
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
      timeout: 50_000,
    });
  const bytes = bytesOf(story);
  expect(bytes).toContain('"to":"expired"');
  expect(run({ TZ: 'Pacific/Auckland', LANG: '' }, folder, files)).toBe(bytes);
  expect(run({ TZ: 'America/Los_Angeles', LC_ALL: 'tr_TR.UTF-8' }, tmpdir(), files.toReversed())).toBe(bytes);
});
