import { describe, expect, it } from 'vitest';
import { REMOTE_APIS } from '../../../test/support/remote-apis.js';
import { ProviderFailure } from '../completion.js';
import { responsesBody } from './responses-body.js';
import { readResponse } from './responses-response.js';

const api = REMOTE_APIS[1]!;
const request = api.request();
const bodyOf = (parameters: Partial<typeof request.parameters> = {}): Record<string, unknown> =>
  JSON.parse(responsesBody({ ...request, parameters: { ...request.parameters, ...parameters } }));

describe('Responses bodies', () => {
  it('PR-1 nothing is stored, continued or included; null parameters are left out', () => {
    expect(bodyOf()).toEqual({
      model: 'gpt-test-1',
      input: request.messages,
      text: { format: { type: 'json_schema', name: 'answer', strict: true, schema: request.response_schema.schema } },
      max_output_tokens: 64,
      store: false,
    });
    expect(bodyOf({ temperature: 0, top_p: 0.5, reasoning_effort: 'low' })).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      reasoning: { effort: 'low' },
    });
  });

  it('PR-1 a seed, which the API does not take, is refused', () => {
    expect(() => bodyOf({ seed: 1 })).toThrow(expect.objectContaining({ code: 'PARAMETER_UNFIT' }));
  });
});

const usage = { input_tokens: 11, output_tokens: 3, total_tokens: 14 };
const say = (text: string, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
});
const read = (response: object) =>
  readResponse(JSON.stringify({ model: 'm', status: 'completed', output: [], usage, ...response }), 200, 'sk-key');

describe('Responses answers', () => {
  it.each([
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'content-filter'],
    [{ status: 'incomplete', incomplete_details: null }, 'other'],
    [{ output: [say('{}'), { type: 'web_search_call', id: 'ws' }] }, 'tool-calls'],
    [{ output: [say('{}', { content: [{ type: 'refusal', refusal: 'no' }] })] }, 'refusal'],
    [{ output: [say('{}')] }, 'stop'],
  ])('FB-11 %j ends as %s', (response, finish) => {
    expect(read(response).finish).toBe(finish);
  });

  it('FB-7 commentary before the answer is no content, nor is an item of an unknown kind', () => {
    const output = [say('let me think', { phase: 'commentary' }), { type: 'compaction', content: 'x' }, say('{}')];
    expect(read({ output }).contents).toEqual(['{}']);
  });

  it.each([
    ['server_error', 'server-error'],
    ['rate_limit_exceeded', 'rate-limited'],
    ['invalid_prompt', 'invalid-request'],
  ])('PR-3 a response that failed by %s is a failure, billed by its usage', (code, reason) => {
    const failed = { status: 'failed', error: { code, message: 'it broke; your key sk-key' } };
    const billed = { input_uncached: 11, cache_read: 0, cache_write: 0, output: 3, reasoning: 0 };
    const thrown = (response: object): unknown => {
      try {
        return read(response);
      } catch (error) {
        return error;
      }
    };
    const failure = thrown(failed);
    expect(failure).toBeInstanceOf(ProviderFailure);
    expect(failure).toMatchObject({ reason, billing: { usage: billed, reported_model: 'm' }, status: 200 });
    expect((failure as Error).message).not.toContain('sk-key');
    expect(thrown({ ...failed, usage: null })).toMatchObject({ reason, billing: 'unknown' });
  });

  it.each(['queued', 'in_progress', 'cancelled'])('PR-3 a response that is %s is no answer', (status) => {
    expect(() => read({ status })).toThrow(expect.objectContaining({ reason: 'malformed-response' }));
  });
});
