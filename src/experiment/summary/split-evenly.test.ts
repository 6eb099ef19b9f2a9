import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Usage } from '../../provider/usage.js';
import { addUsage, NO_USAGE } from '../../provider/usage.js';
import { splitEvenly, splitUsage } from './split-evenly.js';

const parts = fc.integer({ min: 1, max: 400 });

it('OB-2 shares sum exactly to the amount, differ by at most one, and the first carry the remainder', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 9_007_199_254_740_991n }), parts, (total, count) => {
      const shares = splitEvenly(total, count);
      expect(shares).toHaveLength(count);
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
      expect((shares[0] as bigint) - (shares.at(-1) as bigint)).toBe(total % BigInt(count) === 0n ? 0n : 1n);
      expect(shares).toEqual([...shares].sort((a, b) => Number(b - a)));
    }),
    { seed: 20260101, numRuns: 200 },
  );
});

it('OB-2 seven nano-dollars over three rows are 3, 2 and 2', () => {
  expect(splitEvenly(7n, 3)).toEqual([3n, 2n, 2n]);
  expect(splitEvenly(2n, 3)).toEqual([1n, 1n, 0n]);
});

it('OB-2 every part of a usage is split, and sums exactly', () => {
  const tokens = fc.integer({ min: 0, max: 1_000_000 });
  const usage: fc.Arbitrary<Usage> = fc.record({
    input_uncached: tokens,
    cache_read: tokens,
    cache_write: tokens,
    output: tokens,
    reasoning: tokens,
  });
  fc.assert(
    fc.property(usage, parts, (total, count) => {
      expect(splitUsage(total, count).reduce(addUsage, NO_USAGE)).toEqual(total);
    }),
    { seed: 20260102, numRuns: 100 },
  );
});
