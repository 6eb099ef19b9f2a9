import { describe, expect, test } from 'vitest';
import { scorersFor } from './scorers.js';
import type { ScoredRow } from './scoring.js';

/** A question with this evidence, its retrieved items in rank order, each with the turns that it rests on. */
function row(evidence: readonly string[], items: readonly (readonly string[])[] | null): ScoredRow {
  return {
    label: { question_id: 'q', category: 'single-hop', answerable: true, expected: ['x'], evidence },
    answer: '',
    abstained: false,
    ranked_sources:
      items === null
        ? null
        : items.flatMap((turns, index) => turns.map((turn) => ({ turn, rank: index + 1, tokens: 10 }))),
  };
}

const score = (name: string, scored: ScoredRow): number | null => scorersFor([name])[0]?.score(scored) as number | null;
const log2 = Math.log2;

// Ranks of the evidence a, b, c in five turns: b at 2, a at 4; c is not found.
const TURNS = row(['a', 'b', 'c'], [['x'], ['b'], ['y'], ['a'], ['z']]);

describe('OB-6 evidence-precision', () => {
  test('of turns it is the precision of the items', () => {
    expect(score('evidence-precision@1', TURNS)).toBe(0);
    expect(score('evidence-precision@2', TURNS)).toBe(1 / 2);
    expect(score('evidence-precision@5', TURNS)).toBe(2 / 5);
  });

  test('divides by what was retrieved, not by k', () => {
    expect(score('evidence-precision@10', TURNS)).toBe(2 / 5);
    expect(score('evidence-precision@10', row(['a'], []))).toBe(0);
  });

  test('R-39 five beliefs on one evidence turn are one turn', () => {
    const repeated = row(['a'], [['a'], ['a', 'x'], ['a'], ['a'], ['a']]);
    expect(score('evidence-precision@1', repeated)).toBe(1);
    expect(score('evidence-precision@5', repeated)).toBe(1 / 2);
  });
});

describe('OB-6 mrr', () => {
  test('is one over the rank of the first item with evidence, 0 beyond k', () => {
    expect(score('mrr@5', TURNS)).toBe(1 / 2);
    expect(score('mrr@2', TURNS)).toBe(1 / 2);
    expect(score('mrr@1', TURNS)).toBe(0);
    expect(
      score(
        'mrr@3',
        row(
          ['a'],
          [
            ['x', 'y', 'z'],
            ['w', 'a'],
          ],
        ),
      ),
    ).toBe(1 / 2);
  });
});

describe('OB-6 ndcg', () => {
  test('discounts by 1 / log2(rank + 1) against an ideal order: rank 2 is no rank 1 (R-39)', () => {
    const ideal = 1 + 1 / log2(3) + 1 / log2(4);
    expect(score('ndcg@5', TURNS)).toBeCloseTo((1 / log2(3) + 1 / log2(5)) / ideal, 12);
    expect(score('ndcg@2', TURNS)).toBeCloseTo(1 / log2(3) / (1 + 1 / log2(3)), 12);
    expect(score('ndcg@1', row(['a'], [['a']]))).toBe(1);
    expect(score('ndcg@2', row(['a'], [['x'], ['a']]))).toBeCloseTo(0.6309297535714575, 12);
  });

  test('an ideal list scores 1, also where there is more evidence than k', () => {
    expect(score('ndcg@3', row(['a', 'b', 'c'], [['c'], ['a'], ['b']]))).toBe(1);
    expect(score('ndcg@2', row(['a', 'b', 'c'], [['c'], ['a'], ['b']]))).toBe(1);
  });

  test('R-39 repeats never push it above 1, and a belief on several turns counts as that many items', () => {
    expect(score('ndcg@4', row(['a'], [['a'], ['a'], ['a'], ['a']]))).toBe(1);
    expect(score('ndcg@2', row(['a', 'b'], [['a', 'b']]))).toBe(1);
    expect(score('ndcg@1', row(['a', 'b'], [['a', 'b']]))).toBe(1);
    // Both turns come with the item of rank 2: the first counts there, and so does the second, whose place is 2.
    expect(score('ndcg@5', row(['a', 'b'], [['x'], ['a', 'b']]))).toBeCloseTo(
      (2 * (1 / log2(3))) / (1 + 1 / log2(3)),
      12,
    );
  });
});

test('OB-6 a score of rankings is n/a where nothing is ranked or the label names no evidence, and 0 for an empty ranking', () => {
  for (const name of ['evidence-precision@3', 'mrr@3', 'ndcg@3']) {
    expect(score(name, row(['a'], null))).toBeNull();
    expect(score(name, row([], [['a']]))).toBeNull();
    expect(score(name, row(['a'], []))).toBe(0);
  }
});
