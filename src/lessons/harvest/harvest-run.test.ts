import { describe, expect, it } from 'vitest';
import { failedRow, SAMPLE_CAUSE, SAMPLE_DIGEST, sampleRow } from '../../../test/support/observation-samples.js';
import type { Observation, ObservedRun } from '../../experiment/experiment.js';
import type { Question } from '../../fixture/question.js';
import { evaluateLessons } from '../evaluate.js';
import { type Fingerprint, lessonOf } from '../fingerprint.js';
import type { LessonEvent } from '../lesson-event.js';
import { harvestRun } from './harvest-run.js';

const FIRST = '2026-03-01T20:00:00.000Z';
const SECOND = '2026-03-02T20:00:00.000Z';
const question = (id: string, text = 'When did Rosa meet Ines?'): Question => ({
  id,
  question: text,
  asked_at: '2026-03-01T00:00:00' as never,
  subjects: ['Rosa', 'Ines'],
});
const QUESTIONS = [question('q1'), question('q2'), question('w1', 'Where does Rosa live?')];

/** A run of one fixture and some cells. */
function observed(run: string, started_at: string, cells: Observation[][], unfinished = 0): ObservedRun {
  const questions = new Map(QUESTIONS.map((one) => [one.id, one]));
  const fixture = {
    id: 'harbour',
    corpus: SAMPLE_DIGEST,
    questions,
    cells: async function* () {
      for (const rows of cells) yield { rows: rows.map((row) => ({ ...row, run })), is_finished: true };
      for (let cell = 0; cell < unfinished; cell += 1) yield { rows: [], is_finished: false };
    },
  };
  return { run, started_at, miss_scorer: 'token-f1', fixtures: [fixture] };
}

const wrong = (cause: NonNullable<Observation['miss']>['cause'], changes: Partial<Observation> = {}): Observation =>
  sampleRow({ scores: { 'token-f1': 0 }, miss: { cause, turns: ['t1'] }, ...changes });
const asked = { calls: 1, usage: null, nano_usd: 5, uncertain_nano_usd: 0 };
const semantic = { arm: 'semantic', strategy: 'semantic' as const };

const failures = (events: readonly LessonEvent[]) => events.filter((event) => event.kind === 'failure-observed');
const exposures = (events: readonly LessonEvent[]) => events.filter((event) => event.kind === 'exposure');
const scope: Fingerprint['scope'] = { corpus: SAMPLE_DIGEST, subjects: ['Ines', 'Rosa'], asks: 'when' };

describe('the events of a run', () => {
  it.each([
    ['never-formed', 'formation', null],
    ['wrongly-superseded', 'formation', null],
    ['not-retrieved', 'recall', 'bm25'],
    ['cut-from-context', 'context', 'bm25'],
    ['misread', 'reader', null],
  ] as const)('LE-6 a wrong answer that was %s is a failure of stage %s', async (cause, stage, strategy) => {
    const { events } = await harvestRun(observed('r1', FIRST, [[wrong(cause)]]), []);
    expect(failures(events)).toEqual([
      {
        format: 'lesson-event@1',
        at: FIRST,
        kind: 'failure-observed',
        fingerprint: { format: 'lesson-fingerprint@1', stage, failure: cause, error_code: null, strategy, scope },
        trial: {
          run: 'r1',
          arm: 'bm25',
          corpus: SAMPLE_DIGEST,
          bank: SAMPLE_DIGEST,
          replicate: 1,
          question: 'q1',
          repeat: 1,
          freshly_read: false,
        },
      },
    ]);
  });

  it('LE-6 an answer that cannot be used and a refusal of the budget are failures by stage and stable code', async () => {
    const cause = (stage: 'reader' | 'budget' | 'recall', code: string) => ({ ...SAMPLE_CAUSE, stage, code });
    const rows = [
      failedRow(true, { outcome: { kind: 'failed', cause: { ...cause('reader', 'EMPTY'), own_making: true } } }),
      failedRow(true, {
        question: 'q2',
        outcome: { kind: 'failed', cause: { ...cause('recall', 'BAD'), own_making: true } },
      }),
      sampleRow({
        question: 'w1',
        scores: {},
        outcome: { kind: 'refused', cause: cause('budget', 'BUDGET_EXHAUSTED') },
      }),
    ];
    const { events, failures: count } = await harvestRun(observed('r1', FIRST, [rows]), []);
    const found = failures(events).map(({ fingerprint: { stage, failure, error_code, strategy } }) => [
      stage,
      failure,
      error_code,
      strategy,
    ]);
    expect(found).toEqual([
      ['reader', 'failed', 'EMPTY', null],
      ['recall', 'failed', 'BAD', 'bm25'],
      ['budget', 'refused', 'BUDGET_EXHAUSTED', null],
    ]);
    expect(count).toBe(3);
    expect(exposures(events).some(({ trial }) => trial.question === 'w1')).toBe(false);
  });

  it('LE-6 what the provider lost, what the evidence arm did, what had no retrieval and what has no score teach nothing, and are counted', async () => {
    const rows = [
      failedRow(false),
      sampleRow({ question: 'q2', oracle: true, arm: 'evidence', strategy: 'evidence', scores: { 'token-f1': 0 } }),
      sampleRow({ question: 'w1', scores: { 'token-f1': null } }),
      wrong('untold', { repeat: 2 }),
      wrong('not-retrieved', { arm: 'none', strategy: 'none', unit: null }),
    ];
    const { events, ...told } = await harvestRun(observed('r1', FIRST, [rows], 2), []);
    expect(events).toEqual([]);
    expect(told).toEqual({
      run: 'r1',
      at: FIRST,
      rows: 5,
      failures: 0,
      exposures: 0,
      untold: 1,
      left_out: { lost: 1, oracle: 1, no_retrieval: 1, unscored: 1, told_otherwise: 0 },
      unfinished_cells: 2,
      harvest_again: [],
    });
  });

  it('LE-2 a reading is fresh where the reader was really asked in that run', async () => {
    const rows = [wrong('misread'), wrong('misread', { question: 'q2', actual: asked })];
    const { events } = await harvestRun(observed('r1', FIRST, [rows]), []);
    expect(failures(events).map(({ trial }) => trial.freshly_read)).toEqual([false, true]);
  });

  it('LE-6 a trial meets the lessons of its scope that its arm could have shown: paired successes among them', async () => {
    const cells = [
      [wrong('not-retrieved'), wrong('misread', { question: 'q2' }), sampleRow({ question: 'w1' })],
      [sampleRow(semantic), sampleRow({ ...semantic, question: 'q2' }), sampleRow({ ...semantic, question: 'w1' })],
    ];
    const { events } = await harvestRun(observed('r1', FIRST, cells), []);
    const lessons = new Map(failures(events).map(({ fingerprint }) => [lessonOf(fingerprint), fingerprint.failure]));
    const met = exposures(events).map(({ trial, lesson, eligible, outcome }) => [
      trial.arm,
      trial.question,
      lessons.get(lesson),
      eligible,
      outcome,
    ]);
    expect(met).toEqual([
      ['bm25', 'q1', 'not-retrieved', true, 'failure'],
      // Retrieval lost the answer: what the reader would have made of it nobody knows.
      ['bm25', 'q1', 'misread', false, 'failure'],
      ['bm25', 'q2', 'not-retrieved', true, 'failure'],
      ['bm25', 'q2', 'misread', true, 'failure'],
      // What bm25 did not retrieve says nothing of another strategy, nor a question of when anything of where.
      ['semantic', 'q1', 'misread', true, 'success'],
      ['semantic', 'q2', 'misread', true, 'success'],
    ]);
    expect(exposures(events).every(({ related, injected }) => related && !injected)).toBe(true);
  });

  it("LE-3 another system's answer says nothing of a reader of ours, nor does a right one that nothing was retrieved for", async () => {
    const other = { arm: 'other', strategy: 'file' as const, unit: 'turns' as const };
    const none = { arm: 'none', strategy: 'none' as const, unit: null };
    const ours = [sampleRow(other)];
    const cells = [[wrong('misread')], [sampleRow({ ...other, context: null })], [sampleRow(none)]];
    const { events } = await harvestRun(observed('r1', FIRST, cells), []);
    expect(exposures(events).map(({ trial, eligible }) => [trial.arm, eligible])).toEqual([
      ['bm25', true],
      ['none', false],
    ]);
    // Our reader was asked over another system's ranking.
    const ranked = await harvestRun(observed('r1', FIRST, [[wrong('misread')], ours]), []);
    expect(exposures(ranked.events).map(({ eligible }) => eligible)).toEqual([true, true]);
    const failed = { kind: 'failed' as const, cause: { ...SAMPLE_CAUSE, own_making: true } };
    const alike = await harvestRun(
      observed('r1', FIRST, [[failedRow(true, { outcome: failed })], [sampleRow(none)]]),
      [],
    );
    expect(exposures(alike.events).map(({ eligible }) => eligible)).toEqual([true, true]);
  });

  it('LE-6 what formation lost is met by arms over beliefs alone', async () => {
    const turns = { arm: 'turns', unit: 'turns' as const };
    const cells = [[wrong('never-formed')], [sampleRow(turns)], [sampleRow({ arm: 'beliefs' })]];
    const { events } = await harvestRun(observed('r1', FIRST, cells), []);
    expect(exposures(events).map(({ trial }) => trial.arm)).toEqual(['bm25', 'beliefs']);
  });

  it('LE-6 an injected lesson is met as injected, and as unrelated where the question is of another scope', async () => {
    const first = await harvestRun(observed('r1', FIRST, [[wrong('misread')]]), []);
    const [lesson] = failures(first.events).map(({ fingerprint }) => lessonOf(fingerprint));
    const lessons = [lesson as string];
    const rows = [sampleRow({ lessons }), sampleRow({ question: 'q2' }), sampleRow({ question: 'w1', lessons })];
    const { events } = await harvestRun(observed('r2', SECOND, [rows]), first.events);
    expect(
      exposures(events).map(({ trial, related, injected, eligible }) => [trial.question, related, injected, eligible]),
    ).toEqual([
      ['q1', true, true, true],
      ['q2', true, false, true],
      ['w1', false, true, true],
    ]);
  });

  it('LE-6 harvesting a run again gives the same events, also with a log that knows them and a later run', async () => {
    const cells = [[wrong('not-retrieved'), sampleRow({ question: 'q2' })], [sampleRow(semantic)]];
    const run = observed('r1', FIRST, cells);
    const first = await harvestRun(run, []);
    const later = await harvestRun(observed('r2', SECOND, [[wrong('misread', { actual: asked })]]), first.events);
    const again = await harvestRun(run, [...first.events, ...later.events]);
    expect(again.events).toEqual(first.events);
    expect(again.harvest_again).toEqual([]);
    expect(() => evaluateLessons([...first.events, ...later.events])).not.toThrow();
  });

  it('LE-6 an extended run adds what is new alone', async () => {
    const before = await harvestRun(observed('r1', FIRST, [[wrong('misread')]]), []);
    const rows = [wrong('misread'), sampleRow({ question: 'q2' })];
    const after = await harvestRun(observed('r1', FIRST, [rows]), before.events);
    const added = after.events.filter(
      (event) => !before.events.some((old) => JSON.stringify(old) === JSON.stringify(event)),
    );
    expect(added.map((event) => ('trial' in event ? [event.kind, event.trial.question] : []))).toEqual([
      ['exposure', 'q2'],
    ]);
  });

  it('LE-6 an earlier run that is harvested later says which runs have to be harvested again', async () => {
    const later = await harvestRun(observed('r2', SECOND, [[wrong('misread'), sampleRow({ question: 'q2' })]]), []);
    const earlier = await harvestRun(observed('r1', FIRST, [[wrong('not-retrieved')]]), later.events);
    expect(earlier.harvest_again).toEqual(['r2']);
  });

  it('LE-6 a question that the budget refused, and that was answered when the run was resumed, is told as it was told first', async () => {
    const cause = { ...SAMPLE_CAUSE, stage: 'budget' as const, code: 'BUDGET_EXHAUSTED' };
    const refused = sampleRow({ scores: {}, outcome: { kind: 'refused', cause } });
    const before = await harvestRun(observed('r1', FIRST, [[refused]]), []);
    // A reading that is fresh, and a success that is not: neither is what the log says of the trial.
    for (const row of [wrong('misread', { actual: asked }), sampleRow()]) {
      const after = await harvestRun(observed('r1', FIRST, [[row]]), before.events);
      expect(after.events).toEqual([]);
      expect(after.left_out.told_otherwise).toBe(1);
    }
  });

  it('LE-6 two fixtures of one history with a question of one id give one trial: the first', async () => {
    const run = observed('r1', FIRST, [[wrong('misread')], [wrong('misread', { arm: 'bm25' })]]);
    const { events, left_out } = await harvestRun(run, []);
    expect(failures(events)).toHaveLength(1);
    expect(left_out.told_otherwise).toBe(1);
  });

  it('LE-6 no label enters an event: other categories, answerability and evidence give the same bytes', async () => {
    const other = { category: 'secret-category', answerable: false, labels: 'sha256:x' };
    const row = wrong('not-retrieved');
    const plain = await harvestRun(observed('r1', FIRST, [[row]]), []);
    const shuffled = { ...row, ...other, miss: { cause: 'not-retrieved' as const, turns: ['secret-turn'] } };
    const told = await harvestRun(observed('r1', FIRST, [[shuffled]]), []);
    expect(JSON.stringify(told.events)).toBe(JSON.stringify(plain.events));
  });

  it('LE-2 two nights with fresh readings verify a lesson; the same nights from a bank do not', async () => {
    const nights = async (actual: Observation['actual']) => {
      const first = await harvestRun(observed('r1', FIRST, [[wrong('misread', { actual })]]), []);
      const second = await harvestRun(observed('r2', SECOND, [[wrong('misread', { actual })]]), first.events);
      return evaluateLessons([...first.events, ...second.events]).lessons.map(({ state }) => state);
    };
    expect(await nights(asked)).toEqual(['verified']);
    expect(await nights(sampleRow().actual)).toEqual(['candidate']);
  });
});
