import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitByWeight } from './split-by-weight.js';

describe('OB-2 shares by weight', () => {
  it('OB-2 are in proportion, by largest remainder, the first of equal remainders first', () => {
    expect(splitByWeight(10n, [5n, 20n, 5n])).toEqual([2n, 7n, 1n]);
    expect(splitByWeight(10n, [1n, 1n, 1n])).toEqual([4n, 3n, 3n]);
    expect(splitByWeight(1n, [1n, 3n])).toEqual([0n, 1n]);
    expect(splitByWeight(0n, [1n, 3n])).toEqual([0n, 0n]);
  });

  it('OB-2 always sum up to the whole, none further than one from its proportion', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.array(fc.bigInt({ min: 1n, max: 5000n }), { minLength: 1, maxLength: 12 }),
        (total, weights) => {
          const shares = splitByWeight(total, weights);
          const all = weights.reduce((sum, weight) => sum + weight, 0n);
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
          for (const [index, share] of shares.entries()) {
            const exact = total * (weights[index] as bigint);
            expect(share * all).toBeGreaterThan(exact - all);
            expect(share * all).toBeLessThan(exact + all);
          }
        },
      ),
    );
  });
});
