import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { adapterFor, readerRequest } from '../../../test/support/openai-server/client.js';
import { type OpenAiServer, startOpenAiServer } from '../../../test/support/openai-server/index.js';
import { digestBytes } from '../../core/digest.js';
import { HttpCompletionAdapter } from '../http/http-completions.js';
import { unsupportedReason } from '../supported-completion.js';
import { chatCompletionsApi } from './chat-completions.js';

const live = new AbortController().signal;
let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer({ reasoning_tokens: 5, cached_tokens: 7 });
});
afterAll(() => server.close());
afterEach(() => vi.unstubAllEnvs());

const lastRequest = () => server.requests.at(-1)!;

describe('Chat Completions', () => {
  it('PR-1 a strict structured completion of a server that refuses what the API refuses', async () => {
    const request = readerRequest();
    const completion = await adapterFor(server).prepare(request).send(live);
    const line = server.bill().lines.at(-1)!;
    expect(completion).toEqual({
      contents: ['{"abstains":false,"answer":"text"}'],
      finish: 'stop',
      tool_calls: 0,
      reported_model: 'gpt-test-1',
      usage: {
        input_uncached: line.prompt_tokens - 7,
        cache_read: 7,
        cache_write: 0,
        output: line.completion_tokens,
        reasoning: 5,
      },
    });
    expect(unsupportedReason(request, completion)).toBeNull();
  });

  it('LG-2 the server receives exactly the bytes that the reservation is computed from', async () => {
    const prepared = adapterFor(server).prepare(readerRequest());
    await prepared.send(live);
    const { raw, headers } = lastRequest();
    expect(raw.equals(prepared.body)).toBe(true);
    expect(raw.byteLength).toBe(prepared.body_bytes);
    expect(digestBytes(raw)).toBe(prepared.body_digest);
    expect(headers['content-length']).toBe(String(prepared.body_bytes));
    expect(prepared.max_output_tokens).toBe(64);
    // Positive control: the request is not plain ASCII, so that characters and bytes differ.
    expect(raw.toString('utf8').length).toBeLessThan(raw.byteLength);
  });

  it('FB-3 metadata, the credential reference and the time of resolution are not sent', async () => {
    await adapterFor(server).prepare(readerRequest()).send(live);
    const text = lastRequest().raw.toString('utf8');
    expect(text).toContain('gpt-test-1');
    for (const hidden of ['private-question-id', 'harbour-clinic', 'TEST_KEY', '2026-01-01'])
      expect(text).not.toContain(hidden);
  });

  it('PR-1 null parameters are left out, others are sent, and nothing is stored', async () => {
    const adapter = adapterFor(server);
    await adapter.prepare(readerRequest()).send(live);
    expect(Object.keys(lastRequest().body as object).sort()).toEqual([
      'max_completion_tokens',
      'messages',
      'model',
      'response_format',
      'store',
    ]);
    expect(lastRequest().body).toMatchObject({ store: false, response_format: { json_schema: { strict: true } } });
    const parameters = { max_output_tokens: 9, temperature: 0, top_p: 0.5, seed: 0, reasoning_effort: 'low' } as const;
    await adapter.prepare(readerRequest({ parameters })).send(live);
    expect(lastRequest().body).toMatchObject({
      max_completion_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      seed: 0,
      reasoning_effort: 'low',
    });
  });

  it('FB-3 the body does not depend on the order of the keys of a schema', () => {
    const request = readerRequest();
    const { properties, ...rest } = request.response_schema.schema;
    const turned = { ...rest, properties: Object.fromEntries(Object.entries(properties as object).reverse()) };
    const adapter = adapterFor(server);
    const other = adapter.prepare({ ...request, response_schema: { name: 'answer', schema: turned } });
    expect(other.body_digest).toBe(adapter.prepare(request).body_digest);
  });

  it('FB-7 nothing but the allow-list is kept; the response held more', async () => {
    const completion = await adapterFor(server).prepare(readerRequest()).send(live);
    const kept = JSON.stringify(completion);
    for (const secret of ['private reasoning', 'chatcmpl-', 'fp_44709d6fcb', 'service_tier', 'annotations']) {
      expect(lastRequest().answered).toContain(secret);
      expect(kept).not.toContain(secret);
    }
    expect(Object.keys(completion).sort()).toEqual(['contents', 'finish', 'reported_model', 'tool_calls', 'usage']);
  });

  it('PR-4 a model that the server reports changed is reported as it says', async () => {
    server.failNext({ kind: 'changed-model', model: 'gpt-test-1-2026-02-02' });
    const completion = await adapterFor(server).prepare(readerRequest()).send(live);
    expect(completion.reported_model).toBe('gpt-test-1-2026-02-02');
  });

  it.each([
    ['wrong-json', 'stop', 1, 0, 'not JSON'],
    ['truncated', 'length', 1, 0, 'truncated: it reached the output limit'],
    ['refusal', 'refusal', 0, 0, 'refused by the model'],
    ['content-filter', 'content-filter', 0, 0, 'withheld by a content filter'],
    ['tool-calls', 'tool-calls', 0, 1, 'asks for tool calls'],
    ['several-choices', 'stop', 2, 0, 'has 2 contents'],
    ['empty-content', 'stop', 0, 0, 'has no content'],
  ] as const)(
    'FB-11 %s is a completion with its usage, and unsupported',
    async (kind, finish, contents, toolCalls, reason) => {
      server.failNext({ kind });
      const completion = await adapterFor(server).prepare(readerRequest()).send(live);
      expect(completion).toMatchObject({ finish, tool_calls: toolCalls });
      expect(completion.contents).toHaveLength(contents);
      expect(completion.usage?.output).toBe(server.bill().lines.at(-1)?.completion_tokens);
      expect(unsupportedReason(readerRequest(), completion)).toBe(reason);
    },
  );

  it('FB-11 an answer that reaches the output limit is truncated by the server itself', async () => {
    const parameters = { ...readerRequest().parameters, max_output_tokens: 7 };
    const completion = await adapterFor(server).prepare(readerRequest({ parameters })).send(live);
    expect(completion.finish).toBe('length');
    expect(completion.usage?.output).toBe(7);
  });

  it('PR-1 an endpoint without a key gets no Authorization header, whatever the environment holds', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-environment');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer sk-custom\nX-Custom: env');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1');
    const open = await startOpenAiServer({ api_key: null });
    try {
      await adapterFor(open).prepare(readerRequest()).send(live);
      const { headers } = open.requests[0]!;
      expect(headers.authorization).toBeUndefined();
      expect(Object.keys(headers).filter((name) => /openai|x-custom|stainless/.test(name))).toEqual([]);
      await adapterFor(server).prepare(readerRequest()).send(live);
      expect(lastRequest().headers.authorization).toBe(`Bearer ${server.api_key}`);
    } finally {
      await open.close();
    }
  });

  it('PR-1 refuses a request for another endpoint or kind, and a schema outside strict mode, before anything is sent', () => {
    const adapter = adapterFor(server);
    const request = readerRequest();
    const sent = server.requests.length;
    const refusal = (code: string) => expect.objectContaining({ kind: 'internal', code });
    expect(() => adapter.prepare({ ...request, model: { ...request.model, endpoint: 'other' } })).toThrow(
      refusal('WRONG_PROVIDER'),
    );
    expect(() => adapter.prepare({ ...request, model: { ...request.model, kind: 'local' } })).toThrow(
      refusal('WRONG_PROVIDER'),
    );
    const open = { ...request.response_schema, schema: { type: 'object', properties: {}, required: [] } };
    expect(() => adapter.prepare({ ...request, response_schema: open })).toThrow(refusal('NOT_STRICT_SCHEMA'));
    const misnamed = { ...request.response_schema, name: 'an answer' };
    expect(() => adapter.prepare({ ...request, response_schema: misnamed })).toThrow(refusal('NOT_STRICT_SCHEMA'));
    const torn = [{ role: 'user' as const, content: '\ud800' }];
    expect(() => adapter.prepare({ ...request, messages: torn })).toThrow(refusal('NOT_CANONICAL_JSON'));
    expect(server.requests).toHaveLength(sent);
  });

  it.each([' ', 'sk-a\nb', '', 'schlüssel'])(
    'RS-4 a key that no header can carry is refused without being shown (%#)',
    (key) => {
      const make = () =>
        new HttpCompletionAdapter(chatCompletionsApi, {
          base_url: server.url,
          endpoint_name: null,
          api_key: key,
          timeout_ms: 1,
        });
      expect(make).toThrow(expect.objectContaining({ kind: 'invalid-input', code: 'API_KEY_INVALID' }));
      if (key.trim() !== '') expect(make).not.toThrow(key);
    },
  );
});
