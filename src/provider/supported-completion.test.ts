import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/canonical-json.js';
import type { Completion, CompletionRequest } from './completion.js';
import { unsupportedReason } from './supported-completion.js';

const readerSchema: JsonObject = {
  type: 'object',
  properties: {
    abstains: { type: 'boolean' },
    answer: { type: 'string' },
    sources: { type: 'array', items: { type: 'string', enum: ['D1:1', 'D1:2'] } },
  },
  required: ['abstains', 'answer', 'sources'],
  additionalProperties: false,
};

function request(schema: JsonObject = readerSchema): CompletionRequest {
  return {
    messages: [{ role: 'user', content: 'q' }],
    response_schema: { name: 'answer', schema },
    parameters: { max_output_tokens: 10, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
    model: {
      kind: 'local',
      wire_api: 'in-process',
      endpoint: 'local',
      model: 'm',
      resolved_at: '2026-01-01T00:00:00.000Z',
      credential_ref: null,
    },
    metadata: { stage: 'reader', fixture: 'f', batch: null, question: 'q1' },
  };
}

const good: Completion = {
  contents: ['{"abstains":false,"answer":"Oslo","sources":["D1:1"]}'],
  finish: 'stop',
  tool_calls: 0,
  reported_model: 'm',
  usage: null,
};
const withContent = (content: string): Completion => ({ ...good, contents: [content] });

describe('unsupportedReason', () => {
  it('FB-11 supports a completion that stopped, with one content that satisfies the schema', () => {
    expect(unsupportedReason(request(), good)).toBeNull();
  });

  it.each<[string, Completion, string]>([
    ['truncated', { ...good, finish: 'length' }, 'truncated: it reached the output limit'],
    ['refused', { ...good, finish: 'refusal', contents: [] }, 'refused by the model'],
    ['filtered', { ...good, finish: 'content-filter' }, 'withheld by a content filter'],
    ['tool calls by finish', { ...good, finish: 'tool-calls' }, 'asks for tool calls'],
    ['tool calls by count', { ...good, tool_calls: 2 }, 'asks for 2 tool calls'],
    ['unknown finish', { ...good, finish: 'other' }, 'ended for a reason that is not known'],
    ['no content', { ...good, contents: [] }, 'has no content'],
    ['several contents', { ...good, contents: [...good.contents, ...good.contents] }, 'has 2 contents'],
    ['U+0000', withContent('{"abstains":false,"answer":"a\u0000","sources":[]}'), 'holds U+0000'],
    ['a lone surrogate', withContent('{"abstains":false,"answer":"\ud800","sources":[]}'), 'holds a lone surrogate'],
    ['escaped U+0000', withContent('{"abstains":false,"answer":"\\u0000","sources":[]}'), 'U+0000 at $.answer'],
    [
      'escaped lone surrogate',
      withContent('{"abstains":false,"answer":"\\ud800","sources":[]}'),
      'a lone surrogate at $.answer',
    ],
    ['no JSON', withContent('Certainly!'), 'not JSON'],
    [
      'duplicate keys',
      withContent('{"abstains":false,"answer":"a","sources":[],"answer":"b"}'),
      'duplicate key at $.answer',
    ],
    [
      'a wrong type',
      withContent('{"abstains":0,"answer":"a","sources":[]}'),
      'breaks the schema at $.abstains: must be boolean',
    ],
    [
      'a missing property',
      withContent('{"abstains":false,"answer":"a"}'),
      "breaks the schema at $: must have required property 'sources'",
    ],
    [
      'an additional property',
      withContent('{"abstains":false,"answer":"a","sources":[],"why":1}'),
      'breaks the schema at $.why: not a property',
    ],
    [
      'a value that is not listed',
      withContent('{"abstains":false,"answer":"a","sources":["D1:1","D9:9"]}'),
      'breaks the schema at $.sources[1]: not one of the allowed values',
    ],
    [
      'inherited names',
      withContent('{"abstains":false,"answer":"a","sources":[],"toString":1}'),
      'breaks the schema at $.toString: not a property',
    ],
    [
      '__proto__',
      withContent('{"abstains":false,"answer":"a","sources":[],"__proto__":1}'),
      'breaks the schema at $.__proto__: not a property',
    ],
  ])('FB-11 does not support %s', (_title, completion, reason) => {
    expect(unsupportedReason(request(), completion)).toBe(reason);
  });

  it('judges by the schema of the request at hand, however many were seen before', () => {
    const enumOf = (id: string): JsonObject => ({
      ...readerSchema,
      properties: { id: { type: 'string', enum: [id] } },
      required: ['id'],
    });
    for (let index = 0; index < 300; index += 1) {
      expect(unsupportedReason(request(enumOf(`a${index}`)), withContent(`{"id":"a${index}"}`))).toBeNull();
    }
    expect(unsupportedReason(request(enumOf('a0')), withContent('{"id":"a1"}'))).toContain('$.id');
    expect(unsupportedReason(request(enumOf('a0')), withContent('{"id":"a0"}'))).toBeNull();
  });

  it('a schema that is none is a fault of this program, and named', () => {
    expect(() => unsupportedReason(request({ type: 'no-type' }), good)).toThrow(
      expect.objectContaining({ code: 'RESPONSE_SCHEMA_INVALID' }),
    );
  });
});
