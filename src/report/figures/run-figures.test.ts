import { describe, expect, it } from 'vitest';
import { type RecordedRunDescription, type RowValue, writeRecordedRun } from '../../../test/support/recorded-run.js';
import type { Observation } from '../../experiment/experiment.js';
import { openRunRecord } from '../../experiment/reading/open-run-record.js';
import type { RunRecord } from '../../experiment/run-record.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { Label } from '../../fixture/label.js';
import { coverage, evidenceRecallAt, evidenceRecallWithin } from '../../scoring/evidence-recall.js';
import { runFigures } from './run-figures.js';

const recorded = async (description: RecordedRunDescription): Promise<RunRecord> =>
  openRunRecord(await writeRecordedRun(description));

/** One arm over one fixture, its rows as they stand here. */
const oneArm = (rows: readonly RowValue[], more: RecordedRunDescription = {}): Promise<RunRecord> =>
  recorded({
    arms: ['bm25'],
    fixtures: [{ id: 'c1', questions: rows.length }],
    row: ({ index }) => rows[index] as RowValue,
    ...more,
  });

const item = (id: string, rank: number, sources: string[], tokens: number) => ({ id, rank, score: 1, sources, tokens });

/** The same run, of questions that rest on other turns. */
function resting(record: RunRecord, evidence: Readonly<Record<string, readonly string[]>>): RunRecord {
  const fixture = async (id: string) => {
    const found = (await record.fixture(id)) as Fixture;
    const labels = [...found.labels].map(([question, label]) => [
      question,
      { ...label, evidence: evidence[question] ?? [] },
    ]);
    return { ...found, labels: new Map(labels as [string, Label][]) };
  };
  return { ...record, fixture };
}

describe('RP-5 the figures of a run', () => {
  it('RP-3 are those of one dataset after another, and never of both together', async () => {
    const [one, other, ...more] = await runFigures(
      await recorded({
        arms: ['bm25'],
        fixtures: [
          { id: 'a', dataset: 'left', questions: 1 },
          { id: 'b', dataset: 'right', questions: 1 },
        ],
        row: ({ fixture }) => (fixture === 'a' ? 1 : 0),
      }),
    );
    expect([one?.dataset, other?.dataset, more]).toEqual(['left', 'right', []]);
    expect([one, other].map((dataset) => dataset?.arms[0]?.scores.get('token-f1')?.mean)).toEqual([1, 0]);
  });

  it('RP-3 FB-18 a replicate that lost a repeat weighs as much as another, as in run.json', async () => {
    const record = await recorded({
      arms: ['bm25'],
      fixtures: [{ id: 'a', questions: 1 }],
      repeats: 2,
      replicates: 2,
      row: ({ repeat, replicate }) => (replicate === 1 ? (repeat === 1 ? 1 : 0) : repeat === 1 ? 1 : 'lost'),
    });
    const [dataset] = await runFigures(record);
    expect(dataset?.arms[0]?.scores.get('token-f1')).toEqual({ mean: 0.75, questions: 1, rows: 3 });
    expect(record.result.arms[0]?.scores['token-f1']).toBe(0.75);
  });

  it('RP-3 FB-18 RT-4 evidence recall too weighs replicates alike, whatever one of them lost', async () => {
    const record = await recorded({
      arms: ['bm25'],
      fixtures: [{ id: 'a', questions: 1 }],
      repeats: 2,
      replicates: 2,
      row: ({ repeat, replicate }) => {
        if (replicate === 2 && repeat === 2) return 'lost';
        return { retrieved: replicate === 2 ? [item('i1', 1, ['x'], 40)] : [] };
      },
    });
    const [dataset] = await runFigures(resting(record, { 'a/q1': ['x'] }));
    expect(dataset?.arms[0]?.evidence).toMatchObject({
      questions: 1,
      rows: 3,
      coverage: 0.5,
      by_tokens: [{ tokens: 50, recall: 0.5 }],
    });
  });

  it('OB-4 FB-18 a mean weighs every question alike: repeats and replicates first, own failures as zero, lost rows in none', async () => {
    const record = await recorded({
      arms: ['bm25', 'semantic'],
      fixtures: [
        { id: 'a', questions: [{}, { category: 'temporal' }, {}] },
        { id: 'b', questions: 1 },
      ],
      repeats: 2,
      replicates: 2,
      row: ({ fixture, index, repeat, replicate }) => {
        if (fixture === 'b') return 0.5;
        if (index === 0) return repeat === 2 && replicate === 1 ? 0 : 1;
        return index === 1 ? 'failed' : 'lost';
      },
      unfinished: ({ arm, replicate }) => arm === 'semantic' && replicate === 2,
    });
    const [dataset] = await runFigures(record);
    const [arm, half] = dataset?.arms ?? [];
    expect(arm?.scores.get('token-f1')).toEqual({ mean: (0.75 + 0 + 0.5) / 3, questions: 3, rows: 12 });
    expect(record.result.arms[0]?.scores['token-f1']).toBeCloseTo((0.75 + 0 + 0.5) / 3, 12);
    expect(dataset?.categories).toEqual(['single-hop', 'temporal']);
    expect(arm?.by_category.map((figure) => figure?.mean)).toEqual([0.625, 0]);
    expect(arm?.by_conversation.map((figure) => figure?.mean)).toEqual([0.375, 0.5]);
    expect(arm?.new_conversations).toMatchObject({ kind: 'estimated', degrees_of_freedom: 1 });
    // Two repeats of four questions under two banks are to be.
    expect(arm?.expected).toBe(16);
    expect(arm?.fates).toMatchObject({ right: 7, untold: 1, failed: 4, lost: 4, unasked: 0 });
    expect(half?.fates.unasked).toBe(8);
    for (const { fates, expected } of [arm, half] as NonNullable<typeof arm>[])
      expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBe(expected);
  });

  it('OB-6 every row has one fate: right, the stage that lost it, no score, failed or lost', async () => {
    const miss = (cause: NonNullable<Observation['miss']>['cause']): Partial<Observation> => ({
      scores: { 'token-f1': 0 },
      miss: { cause, turns: [] },
    });
    const record = await oneArm([
      1,
      miss('never-formed'),
      miss('not-retrieved'),
      miss('misread'),
      { scores: { 'token-f1': null }, applicable: [] },
      'failed',
      'lost',
    ]);
    const [dataset] = await runFigures(record);
    expect(dataset?.arms[0]?.fates).toEqual({
      right: 1,
      'never-formed': 1,
      'wrongly-superseded': 0,
      'not-retrieved': 1,
      'cut-from-context': 0,
      misread: 1,
      untold: 0,
      unscored: 1,
      failed: 1,
      lost: 1,
      unasked: 0,
    });
  });

  it('RT-4 OB-6 evidence recall by k and by tokens is that of the scorers at every k and budget, coverage its end', async () => {
    const retrieved = [item('i1', 1, ['x', 'a'], 60), item('i2', 2, ['a'], 30), item('i3', 3, ['c', 'b'], 40)];
    const evidence = { 'c1/q1': ['a', 'b'], 'c1/q2': ['c'], 'c1/q3': ['d', 'd'], 'c1/q4': [] };
    const record = await oneArm([{ retrieved }, { retrieved }, { retrieved }, { retrieved }], {
      arms: ['bm25', 'none'],
    });
    const [dataset] = await runFigures(resting(record, evidence));
    const [bm25, none] = dataset?.arms ?? [];
    expect(none?.evidence).toBeNull();
    const ranked_sources = [
      { turn: 'x', rank: 1, tokens: 60 },
      { turn: 'a', rank: 1, tokens: 60 },
      { turn: 'c', rank: 3, tokens: 130 },
      { turn: 'b', rank: 3, tokens: 130 },
    ];
    const mean = (scorer: ReturnType<typeof evidenceRecallAt>): number => {
      const scores = Object.entries(evidence).flatMap(([question_id, turns]) => {
        const label = { question_id, category: 'x', answerable: true, expected: ['y'], evidence: turns };
        return scorer.score({ label, answer: '', abstained: false, ranked_sources }) ?? [];
      });
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    };
    expect(bm25?.evidence?.questions).toBe(3);
    expect(bm25?.evidence?.by_rank).toEqual(
      Array.from({ length: 10 }, (_, index) => mean(evidenceRecallAt(index + 1))),
    );
    expect(bm25?.evidence?.by_tokens).toEqual(
      [100, 150].map((tokens) => ({ tokens, recall: mean(evidenceRecallWithin(tokens)) })),
    );
    expect(bm25?.evidence?.coverage).toBe(mean(coverage));
  });

  it('OB-4 a row that failed found no evidence, one that was lost is in no recall, and labels that are gone are said to be', async () => {
    const record = await recorded({
      arms: ['bm25'],
      fixtures: [
        { id: 'a', questions: 3 },
        { id: 'b', questions: 1 },
      ],
      row: ({ index }) => ([1, 'failed', 'lost'] as const)[index] as RowValue,
    });
    const gone = { missing: 'b is not there' };
    const [dataset] = await runFigures({
      ...record,
      fixture: async (id) => (id === 'b' ? gone : record.fixture(id)),
    });
    expect(dataset?.arms[0]?.evidence).toMatchObject({ questions: 2, coverage: 0.5 });
    expect(dataset?.without_labels).toEqual([{ conversation: 'b', why: 'b is not there' }]);
  });

  it('OB-6 answering what can be answered and declining what cannot are counted apart, LoCoMo’s phrases as declining', async () => {
    const scored = (score: number, changes: Partial<Observation>): Partial<Observation> => ({
      scores: { 'token-f1': score },
      ...changes,
    });
    const rows: RowValue[] = [
      1,
      scored(0, { abstained: true, answer: '' }),
      scored(1, { abstained: true, answer: '' }),
      scored(1, { abstained: false, answer: 'Not mentioned in the conversation' }),
      scored(0, { abstained: false, answer: 'Harbour Lane' }),
      'failed',
    ];
    const answerable = [true, true, false, false, false, true];
    const record = await oneArm(rows, {
      fixtures: [{ id: 'c1', questions: answerable.map((is) => ({ answerable: is })) }],
    });
    const [dataset] = await runFigures(record);
    expect(dataset?.arms[0]?.abstention).toEqual({
      answerable: { rows: 2, abstained: 1, score: { mean: 1 / 3, questions: 3, rows: 3 } },
      unanswerable: { rows: 3, declined: 2, abstained: 1 },
    });
  });

  it('LE-6 questions that lessons were learnt from are in no pair', async () => {
    const record = await oneArm([1, 1], {
      result: {
        lessons: {
          projection: `sha256:${'0'.repeat(64)}`,
          lessons: 1,
          of_unknown_origin: 0,
          calibrated: false,
          in_sample: [{ fixture: 'c1', questions: ['c1/q2'] }],
          pairs: [],
        },
      },
    });
    const [dataset] = await runFigures(record);
    expect(dataset?.arms[0]?.paired.map(({ question }) => question)).toEqual(['c1/q1']);
    expect(dataset?.arms[0]?.scores.get('token-f1')?.questions).toBe(2);
  });
});
