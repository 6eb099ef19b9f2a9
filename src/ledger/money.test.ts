import { describe, expect, it } from 'vitest';
import { ceilingNanoUsd, parseUsd, perTokenNanoUsd, showUsd, usdProblem } from './money.js';

describe('parseUsd', () => {
  it('LG-4 reads decimal text to the nano-dollar', () => {
    expect(parseUsd('0.50')).toBe(500_000_000n);
    expect(parseUsd('0.1')).toBe(100_000_000n);
    expect(parseUsd('0.000000001')).toBe(1n);
    expect(parseUsd('12')).toBe(12_000_000_000n);
    expect(parseUsd('0')).toBe(0n);
    expect(parseUsd('1.000000000000')).toBe(1_000_000_000n);
  });

  it.each([
    '-1',
    '+1',
    '1e3',
    '1E-3',
    ' 1',
    '1 ',
    '1,5',
    '1.',
    '.5',
    '',
    '01',
    '0x1',
    'NaN',
    'Infinity',
    '1_000',
    '$1',
    '٣',
    '1.0000000001',
    '1\n',
    '9'.repeat(13),
  ])('LG-4 refuses %j', (text) => {
    expect(() => parseUsd(text)).toThrow(expect.objectContaining({ code: 'USD_INVALID', exitCode: 2 }));
  });

  it.each([0.5, 1, Number.NaN, null, undefined, 5n, ['1']])('R-30 refuses what is no text: %s', (value) => {
    expect(() => parseUsd(value)).toThrow(expect.objectContaining({ code: 'USD_INVALID' }));
  });

  it('LG-8 a price may be finer than a nano-dollar, an amount may not', () => {
    expect(usdProblem('0.0000000001', 'amount')).toContain('finer');
    expect(usdProblem('0.0000000001', 'price')).toBeNull();
  });
});

describe('showUsd', () => {
  it('LG-4 shows every nano-dollar and at least two decimals', () => {
    expect(showUsd(500_000_000n)).toBe('0.50');
    expect(showUsd(1n)).toBe('0.000000001');
    expect(showUsd(0n)).toBe('0.00');
    expect(showUsd(12_345_000_000n)).toBe('12.345');
    expect(showUsd(-1_250_000_000n)).toBe('-1.25');
  });
});

describe('per-token prices', () => {
  it('LG-8 are exact: 0.15 USD a million tokens is 150 nano-dollars a token', () => {
    expect(ceilingNanoUsd([{ tokens: 1n, price: perTokenNanoUsd('0.15') }])).toBe(150n);
  });

  it('LG-4 a sum is rounded up once, not part by part', () => {
    // 0.00033 USD a million tokens is 0.33 nano-dollars a token.
    const third = { tokens: 1n, price: perTokenNanoUsd('0.00033') };
    expect(ceilingNanoUsd([third])).toBe(1n);
    expect(ceilingNanoUsd([third, third, third])).toBe(1n);
    expect(ceilingNanoUsd([third, third, third, third])).toBe(2n);
    expect(ceilingNanoUsd([])).toBe(0n);
  });
});
