import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUsd, showUsd } from '../../src/ledger/money.js';
import { costNanoUsd, type PriceEntry, type PriceTier, worstCaseNanoUsd } from '../../src/provider/prices.js';
import type { Usage } from '../../src/provider/usage.js';

/** Rates as integers of 1e-12 USD a token: another representation than the code's, and exact for six decimals. */
const rate = fc.integer({ min: 0, max: 100_000_000 });
const usdText = (picoUsd: number): string => `${Math.trunc(picoUsd / 1e6)}.${String(picoUsd % 1e6).padStart(6, '0')}`;

const rates = fc.record({ input: rate, cache_read: fc.option(rate), cache_write: fc.option(rate), output: rate });
type Rates = { input: number; cache_read: number | null; cache_write: number | null; output: number };
const tiersOfRates = fc
  .tuple(
    fc.array(rates, { minLength: 1, maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 4, maxLength: 4 }),
  )
  .map(([all, steps]) =>
    all.map((each, index) => ({ from: steps.slice(0, index).reduce((a, b) => a + b, 0), rates: each })),
  );

const asEntry = (tiers: readonly { from: number; rates: Rates }[]): PriceEntry => ({
  model: 'm',
  as_of: '2026-05-01',
  source: null,
  tiers: tiers.map(
    ({ from, rates: { input, cache_read, cache_write, output } }): PriceTier => ({
      above_input_tokens: from,
      input: usdText(input),
      cache_read: cache_read === null ? null : usdText(cache_read),
      cache_write: cache_write === null ? null : usdText(cache_write),
      output: usdText(output),
    }),
  ),
});

const tokens = fc.nat({ max: 6_000 });
const anyUsage: fc.Arbitrary<Usage> = fc
  .record({ input_uncached: tokens, cache_read: tokens, cache_write: tokens, output: tokens })
  .chain((parts) => fc.nat({ max: parts.output }).map((reasoning) => ({ ...parts, reasoning })));

function referenceCost(tiers: readonly { from: number; rates: Rates }[], usage: Usage): bigint {
  const total = usage.input_uncached + usage.cache_read + usage.cache_write;
  let chosen = tiers[0]!.rates;
  for (const tier of tiers) if (total > tier.from) chosen = tier.rates;
  const pico =
    BigInt(usage.input_uncached) * BigInt(chosen.input) +
    BigInt(usage.cache_read) * BigInt(chosen.cache_read ?? chosen.input) +
    BigInt(usage.cache_write) * BigInt(chosen.cache_write ?? chosen.input) +
    BigInt(usage.output) * BigInt(chosen.output);
  return pico / 1000n + (pico % 1000n > 0n ? 1n : 0n);
}

describe('money', () => {
  it('LG-4 amounts survive text, both ways', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }), (amount) => {
        expect(parseUsd(showUsd(amount))).toBe(amount);
      }),
    );
  });

  it('LG-4 LG-8 R-30 a cost equals the exact sum, rounded up once', () => {
    fc.assert(
      fc.property(tiersOfRates, anyUsage, (tiers, usage) => {
        expect(costNanoUsd(asEntry(tiers), usage)).toBe(referenceCost(tiers, usage));
      }),
    );
  });

  it('LG-2 LG-3 R-33 no usage within the bounds of a call costs more than its worst case', () => {
    fc.assert(
      fc.property(
        tiersOfRates,
        anyUsage,
        fc.nat({ max: 500 }),
        fc.nat({ max: 500 }),
        (tiers, usage, spare, overhead) => {
          const input = usage.input_uncached + usage.cache_read + usage.cache_write + spare;
          const bodyBytes = Math.max(0, input - overhead);
          const price = asEntry(tiers);
          const worst = worstCaseNanoUsd(price, bodyBytes, Math.max(overhead, input - bodyBytes), usage.output);
          expect(costNanoUsd(price, usage) <= worst).toBe(true);
        },
      ),
    );
  });

  it('R-28 moving tokens between parts of one rate, or into reasoning, changes no cost', () => {
    fc.assert(
      fc.property(tiersOfRates, anyUsage, (tiers, usage) => {
        const even = asEntry(
          tiers.map(({ from, rates: r }) => ({ from, rates: { ...r, cache_read: null, cache_write: r.input } })),
        );
        const plain = {
          ...usage,
          input_uncached: usage.input_uncached + usage.cache_read + usage.cache_write,
          cache_read: 0,
          cache_write: 0,
        };
        expect(costNanoUsd(even, { ...plain, reasoning: 0 })).toBe(costNanoUsd(even, usage));
      }),
    );
  });
});
