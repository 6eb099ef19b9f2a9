import { describe, expect, it } from 'vitest';
import { pairedDifferences, type Score } from './paired-differences.js';

const score = (
  question: string,
  replicate: number,
  repeat: number,
  value: number | null,
  conversation = 'c',
): Score => ({
  conversation,
  question,
  replicate,
  repeat,
  score: value,
});

describe('RP-3 differences paired by question', () => {
  it('averages repeats first, then replicates: a replicate with more repeats weighs no more', () => {
    const base = [score('q', 1, 1, 0), score('q', 1, 2, 1), score('q', 1, 3, 0.5), score('q', 2, 1, 1)];
    const head = [score('q', 1, 1, 1)];
    expect(pairedDifferences(base, head).pairs).toEqual([
      { conversation: 'c', question: 'q', base: 0.75, head: 1, difference: 0.25 },
    ]);
  });

  it('pairs by conversation and question, in order, and counts what has no other side', () => {
    const base = [
      score('b', 1, 1, 0, 'y'),
      score('b', 1, 1, 0.5, 'x'),
      score('a', 1, 1, 1, 'x'),
      score('z', 1, 1, 1, 'x'),
    ];
    const head = [
      score('a', 1, 1, 0, 'x'),
      score('b', 1, 1, 1, 'x'),
      score('b', 1, 1, 1, 'y'),
      score('n', 1, 1, 1, 'y'),
    ];
    const { pairs, only_base, only_head } = pairedDifferences(base, head);
    expect(pairs.map(({ conversation, question, difference }) => [conversation, question, difference])).toEqual([
      ['x', 'a', -1],
      ['x', 'b', 0.5],
      ['y', 'b', 1],
    ]);
    expect([only_base, only_head]).toEqual([1, 1]);
  });

  it('OB-4 a score of null leaves its mean, never as 0, and a question without any leaves the pairs', () => {
    const base = [score('q', 1, 1, 1), score('q', 1, 2, null), score('r', 1, 1, null)];
    const head = [score('q', 1, 1, 1), score('r', 1, 1, 1)];
    expect(pairedDifferences(base, head)).toEqual({
      pairs: [{ conversation: 'c', question: 'q', base: 1, head: 1, difference: 0 }],
      only_base: 0,
      only_head: 1,
    });
    expect(pairedDifferences([], [])).toEqual({ pairs: [], only_base: 0, only_head: 0 });
  });

  it('refuses a score given twice, and one that is no number', () => {
    expect(() => pairedDifferences([score('q', 1, 1, 1), score('q', 1, 1, 1)], [])).toThrow(
      'two scores in replicate 1, repeat 1',
    );
    expect(() => pairedDifferences([], [score('q', 1, 1, Number.NaN)])).toThrow('NaN');
  });
});
