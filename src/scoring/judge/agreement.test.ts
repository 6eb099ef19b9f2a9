import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../core/random.js';
import { type Confusion, kappaOf, sensitivityOf, specificityOf, wilson } from './agreement.js';
import { correctedShare } from './bias-correction.js';
import { criticalValue, normalQuantile } from './normal-quantile.js';
import { rankChanges, ranksOf } from './rank-changes.js';

const Z = criticalValue(0.05);
const table = (both_correct: number, judge_only: number, human_only: number, both_incorrect: number): Confusion => ({
  both_correct,
  judge_only,
  human_only,
  both_incorrect,
});

describe('OB-7 critical values', () => {
  it.each([
    [0.975, 1.9599639845400543],
    [0.95, 1.6448536269514722],
    [0.6, 0.2533471031357997],
    [1e-9, -5.997807015007687],
    [0.9995, 3.2905267314919255],
  ])('the normal quantile of %d', (p, expected) => {
    expect(normalQuantile(p)).toBeCloseTo(expected, 10);
  });
});

describe('OB-7 sensitivity, specificity and kappa', () => {
  it('Wilson intervals, as the textbooks have them', () => {
    const { estimate, lo, hi, n } = wilson(8, 10, Z);
    expect([estimate, n]).toEqual([0.8, 10]);
    expect(lo).toBeCloseTo(0.4901624715, 9);
    expect(hi).toBeCloseTo(0.9433178485, 9);
    expect(wilson(0, 0, Z)).toEqual({ estimate: null, lo: null, hi: null, n: 0 });
    expect(wilson(5, 5, Z).hi).toBe(1);
    expect(wilson(0, 5, Z).lo).toBe(0);
  });

  it('each has its own denominator: what people held to be correct, and what they did not', () => {
    // 45 both, 4 the judge alone, 6 people alone, 25 neither
    const labels = table(45, 4, 6, 25);
    expect(sensitivityOf(labels, Z)).toMatchObject({ estimate: 45 / 51, n: 51 });
    expect(specificityOf(labels, Z)).toMatchObject({ estimate: 25 / 29, n: 29 });
    expect(sensitivityOf(labels, Z).lo).toBeCloseTo(0.7661915569, 9);
  });

  it('kappa: agreement beyond chance, its interval by the delta method, computed apart by numeric derivatives', () => {
    // po 0.7, pe 0.5: (0.7 - 0.5) / 0.5
    const kappa = kappaOf(table(20, 5, 10, 15), Z);
    expect(kappa.estimate).toBeCloseTo(0.4, 12);
    expect(kappa.lo).toBeCloseTo(0.15109229, 6);
    expect(kappa.hi).toBeCloseTo(0.64890771, 6);
    const other = kappaOf(table(45, 4, 6, 25), Z);
    expect([other.estimate, other.lo, other.hi].map((value) => value?.toFixed(6))).toEqual([
      '0.733511',
      '0.579603',
      '0.887419',
    ]);
    expect(kappaOf(table(3, 0, 0, 4), Z)).toMatchObject({ estimate: 1, hi: 1, n: 7 });
    expect(kappaOf(table(7, 0, 0, 0), Z).estimate).toBeNull();
    expect(kappaOf(table(0, 0, 0, 0), Z).estimate).toBeNull();
  });
});

describe('OB-7 an accuracy corrected for the judge', () => {
  it('is Rogan and Gladen’s: (0.6 + 0.8 - 1) / (0.9 + 0.8 - 1), with the labels’ own uncertainty', () => {
    const share = correctedShare(60, 100, table(90, 20, 10, 80), Z);
    expect(share).toMatchObject({ n: 100, clamped: false, reason: null });
    expect(share.estimate).toBeCloseTo(4 / 7, 12);
    expect(share.lo).toBeCloseTo(0.413345451, 8);
    expect(share.hi).toBeCloseTo(0.7220726086, 8);
    // Fewer labels of the same kind: a wider interval.
    const few = correctedShare(60, 100, table(9, 2, 1, 8), Z);
    expect((few.hi ?? 0) - (few.lo ?? 0)).toBeGreaterThan(0.4);
  });

  it('a judge without a fault on few labels still leaves an interval wider than the share’s own', () => {
    const { lo, hi } = correctedShare(60, 100, table(5, 0, 0, 5), Z);
    const own = wilson(60, 100, Z);
    expect((hi as number) - (lo as number)).toBeGreaterThan((own.hi as number) - (own.lo as number));
  });

  it('is cut at 0 and 1, and says so', () => {
    const below = correctedShare(2, 100, table(90, 20, 10, 80), Z);
    expect(below).toMatchObject({ estimate: 0, lo: 0, clamped: true });
    expect(correctedShare(99, 100, table(90, 20, 10, 80), Z)).toMatchObject({ estimate: 1, hi: 1, clamped: true });
  });

  it('is not given where it would mean nothing, and says why', () => {
    expect(correctedShare(0, 0, table(9, 1, 1, 9), Z).reason).toContain('no answer of this arm');
    expect(correctedShare(5, 9, table(0, 1, 0, 9), Z).reason).toContain('sensitivity is unknown');
    expect(correctedShare(5, 9, table(9, 0, 1, 0), Z).reason).toContain('specificity is unknown');
    // As labelled no better than chance, though its shrunk counts are.
    expect(correctedShare(5, 9, table(1, 20, 4, 80), Z).reason).toContain('no better than chance');
    expect(correctedShare(5, 9, table(5, 5, 5, 5), Z)).toMatchObject({
      estimate: null,
      reason: expect.stringContaining('chance'),
    });
  });

  it('covers the truth about as often as it says (seed 7)', () => {
    const random = seededRandom('7');
    const draw = (chance: number, n: number): number =>
      Array.from({ length: n }).filter(() => random.integer(0, 999_999) < chance * 1_000_000).length;
    const [truth, se, sp] = [0.6, 0.9, 0.85];
    let covered = 0;
    for (let trial = 0; trial < 1000; trial += 1) {
      const correct = draw(truth * se + (1 - truth) * (1 - sp), 200);
      const [found, rejected] = [draw(se, 40), draw(sp, 40)];
      const { lo, hi } = correctedShare(correct, 200, table(found, 40 - rejected, 40 - found, rejected), Z);
      if ((lo as number) <= truth && truth <= (hi as number)) covered += 1;
    }
    expect(covered).toBeGreaterThan(930);
    expect(covered).toBeLessThan(985);
  });
});

describe('OB-7 rank changes', () => {
  const ranks = (means: Record<string, number | null>) =>
    ranksOf(Object.entries(means).map(([arm, mean]) => ({ arm, mean })));

  it('ranks by mean, ties sharing a rank, an arm without a verdict having none', () => {
    expect(ranks({ a: 0.5, b: 0.7, c: 0.5, d: null }).map(({ rank }) => rank)).toEqual([2, 1, 2, null]);
  });

  it('names every pair whose order two judges reverse; a tie reverses nothing', () => {
    const judges = new Map([
      ['kind', ranks({ a: 0.9, b: 0.8, c: 0.7, d: null })],
      ['strict', ranks({ a: 0.4, b: 0.5, c: 0.4, d: 0.9 })],
      ['other', ranks({ a: 0.4, b: 0.4, c: 0.6, d: 0.9 })],
    ]);
    expect(rankChanges(judges)).toEqual([
      { judges: ['kind', 'strict'], arms: ['a', 'b'] },
      { judges: ['kind', 'other'], arms: ['a', 'c'] },
      { judges: ['kind', 'other'], arms: ['b', 'c'] },
      { judges: ['strict', 'other'], arms: ['b', 'c'] },
    ]);
  });
});
