import { describe, expect, it } from 'vitest';
import { strictModeRefusal } from '../../test/support/openai-server/index.js';
import type { JsonObject, JsonValue } from '../core/canonical-json.js';
import { strictSchemaProblem } from './strict-schema.js';

const object = (properties: Record<string, JsonValue>, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});
const deep = (levels: number): JsonObject => (levels === 1 ? object({}) : object({ a: deep(levels - 1) }));
const words = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, 'x'));

const accepted: [string, JsonObject][] = [
  [
    'every type',
    object({
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'integer' },
      d: { type: 'boolean' },
      e: { type: 'null' },
    }),
  ],
  ['a nullable', object({ a: { type: ['string', 'null'], enum: ['x', null] } })],
  [
    'an array of objects',
    object({
      a: { type: 'array', items: object({ b: { type: 'string', pattern: '^a', format: 'date' } }), minItems: 1 },
    }),
  ],
  ['anyOf', object({ a: { anyOf: [object({ b: { type: 'string' } }), { type: 'null' }] } })],
  [
    'definitions and recursion',
    object(
      { a: { $ref: '#/$defs/node' }, b: { $ref: '#' } },
      { $defs: { node: object({ next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) } },
    ),
  ],
  [
    'a dialect and titles',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...object({ a: { type: 'string', title: 'A', description: 'a' } }),
    },
  ],
  ['ten levels', deep(10)],
  ['a thousand values', object({ a: { type: 'string', enum: words(1_000, 15) } })],
  ['a property named like a keyword', object({ allOf: { type: 'string' }, default: { type: 'string' } })],
];

const refused: [string, JsonObject, string][] = [
  ['a root that is no object', { type: 'array', items: { type: 'string' } }, 'root must be an object'],
  ['a root of anyOf', object({}, { anyOf: [object({})] }), 'no anyOf'],
  [
    'an open object',
    object({ a: { type: 'object', properties: {}, required: [] } }),
    '$.a: additionalProperties must be false',
  ],
  ['additionalProperties: true', object({}, { additionalProperties: true }), 'additionalProperties must be false'],
  [
    'an optional property',
    object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] }),
    '$.b: every property must be required',
  ],
  ['a required key that is no property', object({}, { required: ['a'] }), 'requires a'],
  ['no properties', { type: 'object', additionalProperties: false }, 'needs properties'],
  ['default', object({ a: { type: 'string', default: 'x' } }), 'keyword default'],
  ['minLength', object({ a: { type: 'string', minLength: 1 } }), 'keyword minLength'],
  [
    'uniqueItems',
    object({ a: { type: 'array', items: { type: 'string' }, uniqueItems: true } }),
    'keyword uniqueItems',
  ],
  ['allOf', object({ a: { type: 'string', allOf: [] } }), 'keyword allOf'],
  ['patternProperties', object({}, { patternProperties: {} }), 'keyword patternProperties'],
  ['an unknown format', object({ a: { type: 'string', format: 'uri' } }), 'format uri'],
  ['no type', object({ a: { description: 'anything' } }), '$.a: has no type'],
  ['an unknown type', object({ a: { type: 'date' } }), 'type date'],
  ['an array of anything', object({ a: { type: 'array' } }), 'needs items'],
  ['an empty enum', object({ a: { type: 'string', enum: [] } }), 'enum needs values'],
  ['an empty anyOf', object({ a: { anyOf: [] } }), 'empty anyOf'],
  ['a fault inside anyOf', object({ a: { anyOf: [{ type: 'string', default: '' }] } }), '$.a.anyOf[0]'],
  ['a fault inside a definition', object({}, { $defs: { d: { type: 'object' } } }), '$.$defs.d'],
  ['a reference to nothing', object({ a: { $ref: '#/$defs/nothing' } }), 'reference #/$defs/nothing'],
  ['a reference elsewhere', object({ a: { $ref: 'https://example.org/schema' } }), 'reference https'],
  ['eleven levels', deep(11), 'nested deeper than 10'],
  ['too many values', object({ a: { type: 'string', enum: words(1_001, 5) } }), '1001 enum values'],
  ['a large enum', object({ a: { type: 'string', enum: words(251, 60) } }), 'an enum of 251 values'],
  [
    'too many properties',
    object(Object.fromEntries(words(5_001, 6).map((name) => [name, { type: 'null' }]))),
    '5001 properties',
  ],
  [
    'too many characters',
    object(Object.fromEntries(words(1_000, 121).map((name) => [name, { type: 'null' }]))),
    '121000 characters',
  ],
];

describe('strictSchemaProblem', () => {
  it.each(accepted)('accepts %s, and so does the fake API', (_title, schema) => {
    expect(strictSchemaProblem(schema)).toBeNull();
    expect(strictModeRefusal(schema)).toBeNull();
  });

  it.each(refused)('refuses %s, and so does the fake API, which was written apart', (_title, schema, words_) => {
    expect(strictSchemaProblem(schema)).toContain(words_);
    expect(strictModeRefusal(schema)).not.toBeNull();
  });
});
