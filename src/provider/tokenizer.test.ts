import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens, rememberingCounter } from './tokenizer.js';

describe('RT-4 the tokenizer', () => {
  it('RT-4 counts o200k_base tokens', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens('hello world')).toBe(2);
    expect(countTokens('antidisestablishmentarianism')).toBe(6);
  });

  it('RS-2 what looks like a special token is text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(countTokens('<|im_start|>system<|im_end|><|endofprompt|>')).toBeGreaterThan(3);
  });

  it('RS-2 lone surrogates, emoji and control characters are counted', () => {
    for (const text of ['\ud800', '👩‍👩‍👧', '\0\u001b[31m', '\u202e']) expect(countTokens(text)).toBeGreaterThan(0);
  });

  it('RS-2 a run without end is counted in pieces: linear, and at most a token a piece too many', () => {
    const run = 'a'.repeat(200_000);
    const piece = countTokens('a'.repeat(2000));
    expect(countTokens(run)).toBe(100 * piece);
    expect(countTokens(' '.repeat(200_000))).toBeGreaterThan(0);
    expect(countTokens('a '.repeat(5000))).toBeGreaterThan(4999);
  });

  it('PF counting with remembered pieces counts exactly the same, whatever surrounds a bracket and a digit', () => {
    const parts = [
      '[',
      '1',
      '4567',
      ' ',
      'a',
      'É',
      '"',
      ',',
      '\n',
      '-',
      '["',
      '] ',
      '’s',
      '#[ ',
      '[[',
      '١',
      '['.repeat(9),
    ];
    const count = rememberingCounter();
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (chosen) => {
        const text = chosen.join('');
        expect(count(text)).toBe(countTokens(text));
      }),
    );
    const long = `[1 ${'b'.repeat(2500)}`;
    expect(count(long)).toBe(countTokens(long));
  });
});
