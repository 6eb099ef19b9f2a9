import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkYaml, parseYamlSource } from './yaml-source.js';

const schema = z.strictObject({
  a: z.unknown().optional(),
  axes: z.record(z.string(), z.array(z.number())).default({}),
});
const faultsOf = (text: string): string[] =>
  checkYaml(parseYamlSource('f.yaml', text), schema).faults.map(
    ({ code, message, location }) => `${location?.line}:${location?.column} ${code}: ${message}`,
  );

describe('YAML sources', () => {
  it.each([
    ['a: &a [1, *a]', ['1:11 YAML_INVALID: the alias *a stands within what it names']],
    ['&r\na: { b: *r }', ['2:9 YAML_INVALID: the alias *r stands within what it names']],
    ['a: 1\naxes:\n  __proto__: [1]', ['3:3 YAML_INVALID: __proto__: this key is not known']],
    ['__proto__: { b: 1 }', ['1:1 YAML_INVALID: __proto__: this key is not known']],
    ['? [b, c]\n: 1', ['1:3 YAML_INVALID: a key that is no text']],
    ['a: { ~: 1 }', ['1:6 YAML_INVALID: a key that is no text']],
  ])('MX-2 refuses %j with its place', (text, expected) => {
    expect(faultsOf(text)).toEqual(expected);
  });

  it('MX-2 aliases that end, and keys that read as texts, are sound', () => {
    expect(faultsOf('a: &a { 4: one, x: 2 }\naxes: { k: &l [1], m: *l }')).toEqual([]);
  });

  it('MX-2 a document that nests deeper than the stack is a fault like any other', () => {
    for (const text of [`a: ${'['.repeat(20_000)}`, `a: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`])
      expect(faultsOf(text).join()).toMatch(/it is nested too deep/);
  });
});
