import { describe, expect, it } from 'vitest';
import { failedRow, sampleRow } from '../../../test/support/observation-samples.js';
import { scoreDetails } from './score-detail.js';
import { scoreInterval } from './score-interval.js';

const RULE = { alpha: 0.05, datasetOf: () => 'made up' };
const means = (...conversations: readonly (readonly number[])[]) =>
  conversations.flatMap((scores, index) => scores.map((score) => ({ conversation: `c${index}`, score })));

describe('RP-3 the interval of a mean score', () => {
  it('RP-3 is the t interval of the means of conversations that are as long, on one degree of freedom less', () => {
    // Means 0.2, 0.4 and 0.9: mean 0.5, s² = 0.13, SE = √(0.13/3), and t(0.975; 2) = 4.302653.
    const { lo, hi, ...rest } = scoreInterval(means([0.1, 0.3], [0.4, 0.4], [0.8, 1]), RULE);
    const half = 4.302652729911275 * Math.sqrt(0.13 / 3);
    expect([lo, hi]).toEqual([expect.closeTo(0.5 - half, 10), expect.closeTo(0.5 + half, 10)]);
    expect(rest).toEqual({
      clusters: 3,
      method: '95 % for new conversations: cluster-robust t (jackknife) over question means, 2 degrees of freedom',
    });
    expect(scoreInterval(means([0, 1], [1, 1]), { ...RULE, alpha: 0.1 }).method).toMatch(/^90 % .* 1 degree of/);
  });

  it('RP-3 two conversations say little, and the interval is not cut at 0 and 1', () => {
    // Means 0.5 and 0.25, SE = 0.125, and t(0.975; 1) = 12.7062.
    const { lo, hi } = scoreInterval(means([0, 1], [0, 0.5]), RULE);
    expect([lo, hi]).toEqual([expect.closeTo(0.375 - 1.588275, 5), expect.closeTo(0.375 + 1.588275, 5)]);
  });

  it('RP-3 there is none, and the method says why: one conversation, nothing scored, nothing that varies', () => {
    const why = (...conversations: readonly (readonly number[])[]) => {
      const { lo, hi, method } = scoreInterval(means(...conversations), RULE);
      expect([lo, hi]).toEqual([null, null]);
      return method;
    };
    expect(why([0, 1])).toMatch(/^no interval: one conversation/);
    expect(why()).toMatch(/^no interval: no question has this score/);
    expect(why([1, 1], [1])).toMatch(/^no interval: every question has the same score/);
    expect(why([0, 1], [1, 0])).toMatch(/^no interval: every conversation has the same mean/);
  });

  it('RP-3 conversations of several datasets are never pooled', () => {
    const datasetOf = (fixture: string) => (fixture === 'c2' ? 'another' : 'made up');
    const { lo, hi, method, clusters } = scoreInterval(means([0, 1], [1, 1], [0, 0]), { ...RULE, datasetOf });
    expect({ lo, hi, clusters }).toEqual({ lo: null, hi: null, clusters: 3 });
    expect(method).toContain('several datasets');
    expect(scoreInterval(means([0, 1], [1, 1]), { ...RULE, datasetOf }).lo).not.toBeNull();
  });

  it('OB-4 RP-3 own failures are in it as 0, lost rows are not, and a question counts once however often it was asked', () => {
    const scored = (fixture: string, question: string, score: number, repeat = 1) =>
      sampleRow({ fixture, question, repeat, scores: { 'token-f1': score } });
    const rows = [
      scored('a', 'q1', 0.2, 1),
      scored('a', 'q1', 0.6, 2),
      failedRow(true, { fixture: 'a', question: 'q2' }),
      scored('b', 'q1', 1),
      failedRow(false, { fixture: 'c', question: 'q1' }),
    ];
    const detail = scoreDetails(rows, ['token-f1'], RULE)['token-f1'];
    expect(detail).toMatchObject({ questions: 3, ...scoreInterval(means([0.4, 0], [1]), RULE) });
    expect(detail).toMatchObject({ clusters: 2, lo: expect.any(Number) });
  });
});
