import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.js';
import { evaluation, event, failure, success, trial } from '../../src/lessons/bootstrap/sample-events.js';
import { evaluateLessons, replayLessons, transitionLines } from '../../src/lessons/evaluate.js';
import type { LessonEvent } from '../../src/lessons/lesson-event.js';
import { projectionOf } from '../../src/lessons/projection.js';
import { readLessonEvents } from '../../src/lessons/read-events.js';
import { useBundledChild } from '../support/bundled-child.js';
import { day, LESSONS, shuffled, story } from '../support/lesson-stories.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const bytesOf = (list: readonly LessonEvent[]): string => {
  const { transitions, lessons } = evaluateLessons(list);
  return `${transitionLines(transitions)}${projectionOf(lessons).digest}\n`;
};
const movesOf = (list: readonly LessonEvent[]): string => transitionLines(evaluateLessons(list).transitions);
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
      { numRuns: 250, seed: 18 },
    );
    // The positive control: the events reach every rule that they can.
    expect([...reached].sort()).toEqual([
      'compiled-by-human',
      'enforced-by-human',
      'expired-unassisted',
      'opened-by-failure',
      'verified-by-guard',
      'verified-by-recurrence',
    ]);
  });

  it('LE-5 what was known at a time does not change with what comes later', () => {
    fc.assert(
      fc.property(story, day, (list, until) => {
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
      fc.property(story, (list) => {
        const { transitions, lessons } = evaluateLessons(list);
        const last = new Map(transitions.map(({ lesson, to }) => [lesson, to]));
        expect(new Map(lessons.map(({ lesson, state }) => [lesson, state]))).toEqual(last);
      }),
      { numRuns: 100, seed: 18 },
    );
  });
});

const RUNS = { numRuns: 100, seed: 18 };

describe('what never counts', () => {
  const without = (kind: LessonEvent['kind'], list: readonly LessonEvent[]): LessonEvent[] =>
    list.filter((one) => one.kind !== kind);

  it('LE-3 time alone never expires', () => {
    fc.assert(
      fc.property(story, fc.array(fc.integer({ min: 0, max: 36_500 })), (list, days) => {
        const aged = [...without('exposure', without('human-transition', list)), ...days.map((at) => evaluation(at))];
        expect(evaluateLessons(aged).transitions.filter(({ to }) => to === 'expired')).toEqual([]);
      }),
      RUNS,
    );
  });

  it.each([
    ['injected', { injected: true }],
    ['ineligible', { eligible: false }],
    ['unrelated', { related: false }],
  ])('LE-3 any number of %s successes changes nothing', (_what, told) => {
    fc.assert(
      fc.property(story, fc.array(fc.tuple(day, fc.constantFrom(...LESSONS))), (list, exposures) => {
        const more = exposures.map(([at, lesson], place) => success(at, trial(`more-${place}`), { ...told, lesson }));
        expect(bytesOf([...list, ...more])).toBe(bytesOf(list));
      }),
      RUNS,
    );
    // The positive control: without that mark the same successes do count.
    const plain = [1, 2, 3].map((at) => success(at, trial(`more-${at}`)));
    const first = failure(0, trial('r0'));
    expect(movesOf([first, ...plain, evaluation(7)])).toContain('"to":"expired"');
  });

  it('LE-2 duplicates of a run, and copies of its stored readings, change no state', () => {
    const copy = { freshly_read: false };
    fc.assert(
      fc.property(story, fc.array(fc.tuple(day, fc.constantFrom(...LESSONS), fc.boolean())), (list, duplicates) => {
        const more = duplicates.map(([at, lesson, isSameRun], place) => {
          const where = isSameRun ? trial('r0', `d${place}`) : trial(`copy-${place}`, 'f0', copy);
          return event(at, { kind: 'recurrence', lesson, trial: where }, 1);
        });
        const humanless = without('human-transition', list);
        expect(movesOf([...humanless, ...more, ...structuredClone(humanless)])).toBe(movesOf(humanless));
      }),
      RUNS,
    );
  });
});

const program = useBundledChild('lesson-child');

it('LE-1 other processes under other zones, languages, folders and file orders give the same bytes', {
  timeout: 120_000,
}, async () => {
  const folder = await temporaryFolder();
  const told = fc.sample(story, { numRuns: 400, seed: 18 }).find((list) => {
    const rules = evaluateLessons(list).transitions.map(({ rule }) => rule);
    return rules.includes('expired-unassisted');
  })!;
  const files = [told.slice(0, 9), told.slice(9)].map((list, index) => {
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
  const bytes = bytesOf(told);
  expect(bytes).toContain('"to":"expired"');
  expect(run({ TZ: 'Pacific/Auckland', LANG: '' }, folder, files)).toBe(bytes);
  expect(run({ TZ: 'America/Los_Angeles', LC_ALL: 'tr_TR.UTF-8' }, tmpdir(), files.toReversed())).toBe(bytes);
});
