import { describe, expect, it } from 'vitest';
import { outputSchemaRefusal } from '../../../test/support/anthropic-server/schema-rules.js';
import { REMOTE_APIS } from '../../../test/support/remote-apis.js';
import type { JsonObject } from '../../core/canonical-json.js';
import { messagesBody } from './messages-body.js';
import { readMessage } from './messages-response.js';
import { outputSchema } from './output-schema.js';

const api = REMOTE_APIS[2]!;
const request = api.request();
const bodyOf = (parameters: Partial<typeof request.parameters> = {}, messages = request.messages) =>
  JSON.parse(messagesBody({ ...request, messages, parameters: { ...request.parameters, ...parameters } }));

describe('Messages bodies', () => {
  it('PR-1 system messages have a field of their own; null parameters are left out', () => {
    const [system, user] = request.messages;
    expect(bodyOf()).toEqual({
      model: 'claude-test-1',
      max_tokens: 64,
      system: [{ type: 'text', text: system!.content }],
      messages: [{ role: 'user', content: user!.content }],
      output_config: { format: { type: 'json_schema', schema: request.response_schema.schema } },
    });
    expect(bodyOf({ temperature: 0, top_p: 0.5, reasoning_effort: 'low' })).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      output_config: { effort: 'low' },
    });
  });

  it('PR-1 what the API does not take is refused before anything is sent', () => {
    expect(() => bodyOf({ seed: 1 })).toThrow(expect.objectContaining({ code: 'PARAMETER_UNFIT' }));
    expect(() => bodyOf({ reasoning_effort: 'minimal' })).toThrow(expect.objectContaining({ code: 'PARAMETER_UNFIT' }));
    const [system, user] = request.messages;
    for (const messages of [[system!], [user!, system!], [user!, { role: 'assistant' as const, content: '{' }]])
      expect(() => bodyOf({}, messages)).toThrow(expect.objectContaining({ code: 'MESSAGES_UNFIT' }));
  });
});

describe('output schemas', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      confidence: { type: 'number', minimum: 0, maximum: 1 },
      at: { type: ['string', 'null'], pattern: '^\\d{4}$', description: 'When.' },
      sources: { type: 'array', items: { type: 'string', enum: ['D1:1'] }, minItems: 1 },
      none: { type: 'array', items: { type: 'string', enum: [''] }, maxItems: 0 },
    },
    required: ['confidence', 'at', 'sources', 'none'],
    additionalProperties: false,
  };

  it('PR-1 constraints that the API does not enforce become words, and the API takes the rest', () => {
    const sent = outputSchema({ name: 'x', schema });
    expect(sent.properties).toEqual({
      confidence: { type: 'number', description: '{maximum: 1, minimum: 0}' },
      at: { type: ['string', 'null'], description: 'When.\n\n{pattern: "^\\\\d{4}$"}' },
      sources: { type: 'array', items: { type: 'string', enum: ['D1:1'] }, minItems: 1 },
      none: { type: 'array', items: { type: 'string', enum: [''] }, description: '{maxItems: 0}' },
    });
    expect(outputSchemaRefusal(sent)).toBeNull();
    // Positive control: as it stands, it is refused.
    expect(outputSchemaRefusal(schema)).not.toBeNull();
  });

  it('PR-1 a property that is named like a keyword stays', () => {
    const named: JsonObject = {
      type: 'object',
      properties: { minimum: { type: 'number' }, pattern: { type: 'string' } },
      required: ['minimum', 'pattern'],
      additionalProperties: false,
    };
    expect(outputSchema({ name: 'x', schema: named })).toEqual(named);
  });
});

describe('Messages answers', () => {
  const usage = { input_tokens: 11, output_tokens: 3 };
  const read = (message: object) =>
    readMessage(JSON.stringify({ type: 'message', model: 'm', content: [], usage, ...message }), 200, null);
  const text = { type: 'text', text: '{}' };

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['tool_use', 'tool-calls'],
    ['pause_turn', 'other'],
    ['stop_sequence', 'other'],
    [null, 'other'],
  ])('FB-11 stop reason %s ends as %s', (stop_reason, finish) => {
    expect(read({ stop_reason, content: [text] }).finish).toBe(finish);
  });

  it('FB-7 thinking is no content, and a tool of the server counts as a tool', () => {
    const content = [{ type: 'thinking', thinking: 't', signature: 's' }, text, { type: 'server_tool_use', input: {} }];
    expect(read({ stop_reason: 'end_turn', content })).toMatchObject({ contents: ['{}'], tool_calls: 1 });
  });

  it.each([
    ['cache writes of an hour', { cache_creation_input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 5 } }],
    [
      'cache writes of an hour beside its sum',
      {
        cache_creation_input_tokens: 5,
        cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 5 },
      },
    ],
    ['a breakdown that does not sum', { cache_creation_input_tokens: 5, cache_creation: {} }],
    ['server tools', { server_tool_use: { web_search_requests: 1 } }],
    ['fast mode', { speed: 'fast' }],
  ])('LG-4 a usage with %s is none: no price of tokens covers it', (_title, more) => {
    const answer = { stop_reason: 'end_turn', content: [text] };
    expect(read(answer).usage).not.toBeNull();
    expect(read({ ...answer, usage: { ...usage, ...more } }).usage).toBeNull();
  });
});
