import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

/** RFC 8785 written again, from the RFC's text alone: keys by UTF-16 code units, ECMAScript numbers and strings. */
function independent(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(independent).join(',')}]`;
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${independent((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

describe('canonicalJson', () => {
  it("FB-3 gives RFC 8785's own example", () => {
    const value = {
      // biome-ignore lint/correctness/noPrecisionLoss: the RFC's own example has more digits than a double.
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('R-22 1.0 and 1, -0 and 0 are one number; keys sort by UTF-16 code units, astral ones too', () => {
    expect(canonicalJson({ a: 1.0, b: -0 })).toBe('{"a":1,"b":0}');
    expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}');
  });

  it('FB-3 agrees with an independent implementation for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        fc.pre(JSON.stringify(json).isWellFormed());
        expect(canonicalJson(json)).toBe(independent(json));
      }),
      { seed: 20261130, numRuns: 500 },
    );
  });

  it.each([
    ['NaN', { a: [Number.NaN] }, '$.a[0]'],
    ['Infinity', { a: Number.POSITIVE_INFINITY }, '$.a'],
    ['undefined', { a: undefined }, '$.a'],
    ['a bigint', { a: 1n }, '$.a'],
    ['a lone surrogate', { a: '\ud800' }, '$.a'],
    ['a key with a lone surrogate', { '\ud800': 1 }, '$'],
    ['a date', { a: new Date(0) }, '$.a'],
  ])('R-22 R-31 refuses %s instead of dropping or altering it', (_what, value, path) => {
    expect(() => canonicalJson(value)).toThrow(path);
  });
});
