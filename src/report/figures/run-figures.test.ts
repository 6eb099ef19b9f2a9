import { describe, expect, it } from 'vitest';
import { failedRow, sampleRow } from '../../../test/support/observation-samples.js';
import { sampleRecord } from '../../../test/support/report-samples.js';
import type { Observation } from '../../experiment/experiment.js';
import { coverage, evidenceRecallAt, evidenceRecallWithin } from '../../scoring/evidence-recall.js';
import { runFigures } from './run-figures.js';

const scored = (score: number, changes: Partial<Observation>): Partial<Observation> => ({
  scores: { 'token-f1': score },
  ...changes,
});

const item = (id: string, rank: number, sources: string[], tokens: number) => ({ id, rank, score: 1, sources, tokens });

describe('RP-5 the figures of a run', () => {
  it('RP-3 are those of one dataset after another, and never of both together', async () => {
    const [one, other, ...more] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }],
        fixtures: [
          { id: 'a', dataset: 'left', questions: 1 },
          { id: 'b', dataset: 'right', questions: 1 },
          { id: 'c', dataset: null, questions: 1 },
        ],
        rows: [scored(1, { fixture: 'a' }), scored(0, { fixture: 'b' }), scored(0.5, { fixture: 'c' })],
      }),
    );
    expect([one?.dataset, other?.dataset, more.map(({ dataset }) => dataset)]).toEqual([
      'left',
      'right',
      ['not stated'],
    ]);
    expect([one, other].map((dataset) => dataset?.arms[0]?.scores.get('token-f1')?.mean)).toEqual([1, 0]);
  });

  it('OB-4 FB-18 a mean weighs every question alike: repeats and replicates first, own failures as zero, lost rows in none', async () => {
    const [dataset] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }],
        fixtures: [
          { id: 'a', questions: 3 },
          { id: 'b', questions: 1 },
        ],
        matrix: { load: { questions: 'all', categories: null, repeats: 2, sample: null } },
        rows: [
          scored(1, { fixture: 'a', question: 'q1', repeat: 1 }),
          scored(0, { fixture: 'a', question: 'q1', repeat: 2 }),
          scored(1, { fixture: 'a', question: 'q1', repeat: 1, replicate: 2 }),
          scored(1, { fixture: 'a', question: 'q1', repeat: 2, replicate: 2 }),
          failedRow(true, { fixture: 'a', question: 'q2', category: 'temporal' }),
          failedRow(false, { fixture: 'a', question: 'q3' }),
          // The same id in another conversation is another question.
          scored(0.5, { fixture: 'b', question: 'q1' }),
        ],
      }),
    );
    const arm = dataset?.arms[0];
    expect(arm?.scores.get('token-f1')).toEqual({ mean: (0.75 + 0 + 0.5) / 3, questions: 3, rows: 6 });
    expect(dataset?.categories).toEqual(['single-hop', 'temporal']);
    expect(arm?.by_category.map((figure) => figure?.mean)).toEqual([0.625, 0]);
    expect(arm?.by_conversation.map((figure) => figure?.mean)).toEqual([0.375, 0.5]);
    expect(arm?.new_conversations).toMatchObject({ kind: 'estimated', degrees_of_freedom: 1 });
    // Two repeats of four questions under two banks are to be.
    expect(arm?.expected).toBe(16);
    expect(arm?.fates).toMatchObject({ right: 5, failed: 1, lost: 1, unasked: 9 });
    expect(Object.values(arm?.fates ?? {}).reduce((sum, count) => sum + count, 0)).toBe(16);
  });

  it('OB-6 every row has one fate: right, the stage that lost it, no score, failed, lost or not asked', async () => {
    const miss = (cause: string): Partial<Observation> =>
      scored(0, { miss: { cause, turns: [] } as unknown as Observation['miss'] });
    const rows: Partial<Observation>[] = [
      scored(1, {}),
      miss('never-formed'),
      miss('not-retrieved'),
      miss('misread'),
      { scores: { 'token-f1': null }, applicable: [] },
      failedRow(true),
      failedRow(false),
    ];
    const [dataset] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }],
        fixtures: [{ id: 'harbour', questions: 8 }],
        rows: rows.map((row, index) => ({ ...row, question: `q${index}` })),
      }),
    );
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
      unasked: 1,
    });
  });

  it('RT-4 OB-6 evidence recall by k and by tokens is that of the scorers at every k and budget, coverage its end', async () => {
    const retrieved = [item('i1', 1, ['x', 'a'], 60), item('i2', 2, ['a'], 30), item('i3', 3, ['c', 'b'], 40)];
    const evidence = { q1: ['a', 'b'], q2: ['c'], q3: ['d', 'd'], q4: [] };
    const [dataset] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }, { name: 'none', strategy: 'none' }],
        fixtures: [{ id: 'harbour', questions: 4, evidence }],
        rows: Object.keys(evidence).map((question) => ({ question, retrieved })),
      }),
    );
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
    const found = { retrieved: [item('i1', 1, ['a'], 10)] };
    const [dataset] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }],
        fixtures: [
          { id: 'a', questions: 3, evidence: { q1: ['a'], q2: ['a'], q3: ['a'] } },
          { id: 'b', questions: 1 },
        ],
        rows: [
          { fixture: 'a', question: 'q1', ...found },
          failedRow(true, { fixture: 'a', question: 'q2', ...found }),
          failedRow(false, { fixture: 'a', question: 'q3', ...found }),
          { fixture: 'b', question: 'q1', ...found },
        ],
      }),
    );
    expect(dataset?.arms[0]?.evidence).toMatchObject({ questions: 2, coverage: 0.5 });
    expect(dataset?.without_labels).toEqual([{ conversation: 'b', why: 'b is not there' }]);
  });

  it('OB-6 answering what can be answered and declining what cannot are counted apart, LoCoMo’s phrases as declining', async () => {
    const unanswerable = { answerable: false };
    const rows: Partial<Observation>[] = [
      scored(1, {}),
      scored(0, { abstained: true, answer: '' }),
      scored(1, { ...unanswerable, abstained: true, answer: '' }),
      scored(1, { ...unanswerable, answer: 'Not mentioned in the conversation' }),
      scored(0, { ...unanswerable, answer: 'Harbour Lane' }),
      failedRow(true, {}),
    ];
    const [dataset] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }],
        fixtures: [{ id: 'harbour', questions: 6 }],
        rows: rows.map((row, index) => ({ ...row, question: `q${index}` })),
      }),
    );
    expect(dataset?.arms[0]?.abstention).toEqual({
      answerable: { rows: 2, abstained: 1, score: { mean: 1 / 3, questions: 3, rows: 3 } },
      unanswerable: { rows: 3, declined: 2, abstained: 1 },
    });
  });

  it('LE-6 questions that lessons were learnt from are in no pair', async () => {
    const [dataset] = await runFigures(
      sampleRecord({
        arms: [{ name: 'bm25' }],
        fixtures: [{ id: 'harbour', questions: 2 }],
        rows: [sampleRow(), sampleRow({ question: 'q2' })],
        result: { lessons: { in_sample: [{ fixture: 'harbour', questions: ['q2'] }] } },
      }),
    );
    expect(dataset?.arms[0]?.paired.map(({ question }) => question)).toEqual(['q1']);
    expect(dataset?.arms[0]?.scores.get('token-f1')?.questions).toBe(2);
  });
});
