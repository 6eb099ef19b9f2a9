import { describe, expect, it } from 'vitest';
import { JSON_NESTING_LIMIT, jsonPath, scanJsonText, textProblem } from './json-text.js';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('scanJsonText', () => {
  it.each([
    ['{"a":1,"a":2}', 'duplicate key at $.a'],
    ['{"a":{"b":[1,{"c":1,"\\u0063":2}]}}', 'duplicate key at $.a.b[1].c'],
    ['{"a":"{\\"a\\":1,","b":{"a":1},"a":0}', 'duplicate key at $.a'],
    ['{"a":["x","\\u0000"]}', 'U+0000 at $.a[1]'],
    ['{"a b":"\\ud800"}', 'a lone surrogate at $["a b"]'],
    ['{"\\u0000":1}', 'U+0000 in a key of $'],
    ['{"a":1e999}', 'a number out of range at $.a'],
    ['{"a":NaN}', 'not JSON'],
    ['{"a":1} x', 'not JSON'],
    ['', 'not JSON'],
    [nested(JSON_NESTING_LIMIT + 1), `nested deeper than ${JSON_NESTING_LIMIT}`],
    [nested(200_000), `nested deeper than ${JSON_NESTING_LIMIT}`],
  ])('FB-11 refuses %#', (text, problem) => {
    expect(scanJsonText(text)).toEqual({ problem });
  });

  it.each([
    '{"a":"a","b":["a","a"],"c":{"a":"\\ud83d\\ude00 \\" , {"}}',
    '[{"a":1},{"a":1}]',
    '"\\\\"',
    nested(JSON_NESTING_LIMIT),
  ])('accepts %s', (text) => {
    expect(scanJsonText(text)).toEqual({ value: JSON.parse(text), problem: null });
  });

  it('RS-2 a string of millions of escapes exhausts no stack', () => {
    expect(scanJsonText(JSON.stringify('\n'.repeat(3_000_000))).problem).toBeNull();
  });
});

it('FB-11 textProblem and jsonPath name what they find', () => {
  expect([textProblem('a\u0000'), textProblem('\udc00'), textProblem('😀')]).toEqual([
    'U+0000',
    'a lone surrogate',
    null,
  ]);
  expect(jsonPath('$', 'k'.repeat(100)).length).toBeLessThan(72);
});
