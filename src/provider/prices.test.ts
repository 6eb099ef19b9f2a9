import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { costNanoUsd, type PriceEntry, priceEntries, priceOf, priceTableSchema, worstCaseNanoUsd } from './prices.js';
import type { Usage } from './usage.js';

const flat: PriceEntry = {
  model: 'small',
  as_of: '2026-05-01',
  source: null,
  tiers: [{ above_input_tokens: 0, input: '0.15', cache_read: '0.075', cache_write: null, output: '0.60' }],
};
const tiered: PriceEntry = {
  ...flat,
  tiers: [
    { above_input_tokens: 0, input: '1.25', cache_read: '0.125', cache_write: '1.5625', output: '10' },
    { above_input_tokens: 200_000, input: '2.50', cache_read: '0.25', cache_write: '3.125', output: '15' },
  ],
};
const usage = (parts: Partial<Usage>): Usage => ({
  input_uncached: 0,
  cache_read: 0,
  cache_write: 0,
  output: 0,
  reasoning: 0,
  ...parts,
});

describe('costNanoUsd, worked by hand', () => {
  it('LG-8 plain input and output', () => {
    // 1,000 x 150 + 200 x 600
    expect(costNanoUsd(flat, usage({ input_uncached: 1_000, output: 200 }))).toBe(270_000n);
  });

  it('LG-8 cached input at its own rate, and cache writes without a rate as input', () => {
    // 400 x 150 + 600 x 75 + 10 x 150
    expect(costNanoUsd(flat, usage({ input_uncached: 400, cache_read: 600, cache_write: 10 }))).toBe(106_500n);
  });

  it('LG-8 a missing rate for cache reads is no discount', () => {
    const price = { ...flat, tiers: [{ ...flat.tiers[0]!, cache_read: null }] };
    expect(costNanoUsd(price, usage({ cache_read: 600 }))).toBe(90_000n);
  });

  it('LG-8 R-33 the tier is that of all input tokens, cached ones included, and starts above its bound', () => {
    // 200,000 x 1,250 + 1 x 10,000
    expect(costNanoUsd(tiered, usage({ input_uncached: 200_000, output: 1 }))).toBe(250_010_000n);
    // 100,000 x 2,500 + 100,001 x 250 + 1 x 15,000
    expect(costNanoUsd(tiered, usage({ input_uncached: 100_000, cache_read: 100_001, output: 1 }))).toBe(275_015_250n);
  });

  it('R-31 refuses counts that are none', () => {
    for (const count of [Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => costNanoUsd(flat, usage({ output: count }))).toThrow(
        expect.objectContaining({ code: 'USAGE_UNUSABLE' }),
      );
    }
  });
});

describe('worstCaseNanoUsd, worked by hand', () => {
  it('LG-2 counts each byte and the overhead as input, and the whole output limit', () => {
    // (900 + 100) x 150 + 256 x 600
    expect(worstCaseNanoUsd(flat, 900, 100, 256)).toBe(303_600n);
  });

  it('LG-2 takes the dearest input rate, never the discount', () => {
    // 1,000 x 1,562.5 rounded up once
    expect(worstCaseNanoUsd(tiered, 1_000, 0, 0)).toBe(1_562_500n);
    expect(worstCaseNanoUsd(tiered, 1, 0, 0)).toBe(1_563n);
  });

  it('LG-2 R-33 prices at the highest tier that the body can reach', () => {
    expect(worstCaseNanoUsd(tiered, 199_000, 1_000, 0)).toBe(312_500_000n);
    // 200,001 x 3,125 + 10 x 15,000
    expect(worstCaseNanoUsd(tiered, 199_001, 1_000, 10)).toBe(625_153_125n);
  });

  it('LG-2 where a higher tier is cheaper, the lower one that the call may still fall in counts', () => {
    const falling = {
      ...tiered,
      tiers: [tiered.tiers[1]!, tiered.tiers[0]!].map((tier, i) => ({ ...tier, above_input_tokens: i * 1_000 })),
    };
    // 1,001 x 3,125, though 1,001 tokens would cost 1,001 x 1,562.5
    expect(worstCaseNanoUsd(falling, 1_001, 0, 0)).toBe(3_128_125n);
  });

  it('refuses sizes that are none', () => {
    expect(() => worstCaseNanoUsd(flat, Number.NaN, 0, 0)).toThrow(expect.objectContaining({ code: 'USAGE_UNUSABLE' }));
    expect(() => worstCaseNanoUsd(flat, 1, -1, 0)).toThrow(expect.objectContaining({ code: 'USAGE_UNUSABLE' }));
  });
});

describe('priceOf', () => {
  it('OB-2 an unpriced cost is null, never 0', () => {
    expect(priceOf(flat, usage({ input_uncached: 1 }))).toBe(150n);
    expect(priceOf(null, usage({ input_uncached: 1 }))).toBeNull();
    expect(priceOf(flat, null)).toBeNull();
    expect(priceOf(flat, usage({}))).toBeNull();
  });
});

describe('the price table', () => {
  const entry = { model: 'm', as_of: '2026-05-01', input: '0.15', output: '0.60' };
  const faults = (entries: unknown): string[] => {
    const parsed = priceTableSchema.safeParse({ format: 'prices@1', entries });
    return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  };

  it('LG-8 gives one entry a model, from the short form and from tiers', () => {
    const tiers = [{ above_input_tokens: 0, input: '1', output: '2' }];
    const table = priceTableSchema.parse({
      format: 'prices@1',
      entries: [entry, { model: 't', as_of: '2026-05-01', tiers }],
    });
    const rates = { cache_read: null, cache_write: null };
    expect(priceEntries(table)).toEqual(
      new Map([
        [
          'm',
          {
            model: 'm',
            as_of: '2026-05-01',
            source: null,
            tiers: [{ above_input_tokens: 0, input: '0.15', output: '0.60', ...rates }],
          },
        ],
        [
          't',
          {
            model: 't',
            as_of: '2026-05-01',
            source: null,
            tiers: [{ above_input_tokens: 0, input: '1', output: '2', ...rates }],
          },
        ],
      ]),
    );
  });

  it('MX-2 names every fault and its place', () => {
    expect(faults([{ ...entry, input: 0.15 }])).toEqual([
      expect.stringMatching(/^entries\.0\.input: .*decimal text in quotes/),
    ]);
    expect(faults([{ ...entry, input: '1e3' }])).toEqual([
      expect.stringMatching(/^entries\.0\.input: .*no USD amount/),
    ]);
    expect(faults([{ ...entry, output: '-1' }])).toEqual([expect.stringMatching(/^entries\.0\.output: /)]);
    expect(faults([{ ...entry, as_of: '2026-02-30' }])).toEqual([expect.stringMatching(/^entries\.0\.as_of: /)]);
    expect(faults([{ model: 'm', as_of: '2026-05-01', output: '1' }])).toEqual([
      expect.stringMatching(/^entries\.0\.input: /),
    ]);
    expect(faults([{ ...entry, tiers: [{ above_input_tokens: 0, input: '1', output: '1' }] }])).toHaveLength(2);
    expect(faults([{ ...entry, cache: '1' }])).toHaveLength(1);
    expect(faults([entry, entry])).toEqual(['entries.1.model: a second price for m']);
    const tiers = [0, 5, 5].map((above_input_tokens) => ({ above_input_tokens, input: '1', output: '1' }));
    expect(faults([{ model: 'm', as_of: '2026-05-01', tiers }])).toEqual([
      expect.stringMatching(/^entries\.0\.tiers\.2\.above_input_tokens: /),
    ]);
    expect(faults([{ model: 'm', as_of: '2026-05-01', tiers: tiers.slice(1, 2) }])).toEqual([
      expect.stringMatching(/^entries\.0\.tiers\.0\.above/),
    ]);
  });

  it('has a JSON Schema', () => {
    expect(z.toJSONSchema(priceTableSchema, { io: 'input' })).toMatchObject({
      type: 'object',
      additionalProperties: false,
    });
  });
});
