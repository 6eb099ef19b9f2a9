import { expect, test } from 'vitest';
import type { Label } from '../../src/fixture/label.js';
import { scorersFor } from '../../src/scoring/scorers.js';
import type { ScoredRow } from '../../src/scoring/scoring.js';

const row = (label: Partial<Label>, rest: Partial<ScoredRow>): ScoredRow => ({
  label: { question_id: 'q', category: 'single-hop', answerable: true, expected: [], evidence: [], ...label },
  answer: '',
  abstained: false,
  ranked_sources: null,
  ...rest,
});

test('R-37 whether a row counts depends on the scorer and the label alone, never on the answer: numerator and denominator agree', () => {
  const scorers = scorersFor([
    'token-f1',
    'exact-match',
    'contains',
    'abstention',
    'coverage',
    'evidence-recall@3',
    'evidence-precision@3',
    'mrr@3',
    'ndcg@3',
  ]);
  const labels: Partial<Label>[] = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial', 'own'].flatMap(
    (category) => [
      { category, expected: ['blue'], evidence: ['t1'] },
      { category, answerable: false, expected: [], evidence: ['t1'] },
    ],
  );
  for (const scorer of scorers) {
    for (const label of labels) {
      const scores = ['blue', 'red', '', 'not mentioned'].flatMap((answer) =>
        [true, false].map((abstained) => scorer.score(row(label, { answer, abstained, ranked_sources: [] }))),
      );
      expect(scores.filter((score) => score === null)).toEqual([]);
    }
  }
});

test.each(['token-f1', 'exact-match', 'contains'])('R-38 %s: an empty expected answer matches nothing', (name) => {
  const [scorer] = scorersFor([name]);
  for (const answer of ['', 'anything', 'the', '.'])
    for (const expected of [[], [''], ['the'], ['...']]) expect(scorer?.score(row({ expected }, { answer }))).toBe(0);
  expect(scorer?.score(row({ expected: ['', 'blue'] }, { answer: 'blue' }))).toBe(1);
});

test('R-39 recall is a share and not any hit; repeats never push it above 1; rank 2 is rank 2', () => {
  const ranked_sources = ['a', 'a', 'b', 'a'].map((turn, index) => ({
    turn,
    rank: index + 1,
    tokens: 10 * (index + 1),
  }));
  const [atOne, atTwo, atFour] = scorersFor(['evidence-recall@1', 'evidence-recall@2', 'evidence-recall@4']);
  const half = row({ evidence: ['a', 'z'] }, { ranked_sources });
  expect(atFour?.score(half)).toBe(0.5);
  const repeated = row({ evidence: ['a', 'a', 'b'] }, { ranked_sources });
  expect(atFour?.score(repeated)).toBe(1);
  expect(atTwo?.score(repeated)).toBe(0.5);
  const second = row(
    { evidence: ['b'] },
    { ranked_sources: ['a', 'b'].map((turn, index) => ({ turn, rank: index + 1, tokens: 10 * (index + 1) })) },
  );
  expect(atOne?.score(second)).toBe(0);
  expect(atTwo?.score(second)).toBe(1);
});
