import { expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import type { Label } from '../../fixture/label.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import { scorersFor } from '../../scoring/scorers.js';
import type { Observation } from '../asking/observation.js';
import { scoreRow, storedRow } from './score-row.js';

const LABEL: Label = {
  question_id: 'q1',
  category: 'multi-hop',
  answerable: true,
  expected: ['Lisbon'],
  evidence: ['t:2'],
};
const arm = (strategy: string): ArmSettings => ({ name: 'a', retrieval: { strategy, unit: 'beliefs' } }) as ArmSettings;
const RANKED = [
  { id: 'b1', rank: 1, score: 2, sources: ['t:1', 't:2'], tokens: 10 },
  { id: 'b2', rank: 2, score: 1, sources: ['t:2', 't:3'], tokens: null },
  { id: 'b3', rank: 3, score: 1, sources: ['t:4'], tokens: 5 },
];
const ranking = (row: Partial<Observation>, strategy = 'bm25') =>
  storedRow(sampleRow({ retrieved: RANKED, ...row }), arm(strategy), LABEL).ranked_sources;

it('RP-6 R-39 a stored row has the ranking that it had: each turn once, by its first item, with the context tokens up to there', () => {
  expect(ranking({})).toEqual([
    { turn: 't:1', rank: 1, tokens: 10 },
    { turn: 't:2', rank: 1, tokens: 10 },
    { turn: 't:3', rank: 2, tokens: 10 },
    { turn: 't:4', rank: 3, tokens: 15 },
  ]);
  expect(ranking({}, 'full-history')).toBeNull();
});

it('RP-6 RT-7 another system’s answer that came alone has no ranking; one that came with some, and one that failed, have theirs', () => {
  const given = { request: null, answer: 'Lisbon' };
  expect(ranking({ ...given, effective_strategy: null, retrieved: [] }, 'file')).toBeNull();
  expect(ranking({ ...given, effective_strategy: 'file' }, 'file')).toHaveLength(4);
  expect(ranking({ request: null, answer: null, effective_strategy: null, retrieved: [] }, 'file')).toEqual([]);
});

it('OB-4 a failed row gets no score, and the scorers that apply to it; a module that fails then does not apply', async () => {
  const failing = async () => Promise.reject(new Error('no'));
  const failed = sampleRow({ answer: null, outcome: { kind: 'failed', cause: null } });
  const scorers = scorersFor(['contains', 'mrr@5']);
  const row = await scoreRow(failed, arm('bm25'), LABEL, scorers, failing);
  expect(row).toMatchObject({
    category: 'multi-hop',
    scores: { contains: null, 'mrr@5': null },
    applicable: ['contains', 'mrr@5'],
  });
  await expect(scoreRow(sampleRow(), arm('bm25'), LABEL, scorers, failing)).rejects.toThrow('no');
});
