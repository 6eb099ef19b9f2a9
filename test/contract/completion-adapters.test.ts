import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { digestBytes } from '../../src/core/digest.js';
import { unsupportedReason } from '../../src/provider/supported-completion.js';
import type { ModelServer } from '../support/model-server/server.js';
import { REMOTE_APIS } from '../support/remote-apis.js';

/* What every adapter that sends promises, whatever its API. Failures: completion-failures.test.ts. */

describe.each(REMOTE_APIS)('the adapter of $name', (api) => {
  const live = new AbortController().signal;
  let server: ModelServer;
  beforeAll(async () => {
    server = await api.start({ reasoning_tokens: 10, cached_tokens: 7, written_tokens: 3 });
  });
  afterAll(() => server.close());
  afterEach(() => vi.unstubAllEnvs());

  const lastRequest = () => server.requests.at(-1)!;

  it('PR-1 a strict structured completion of a server that refuses what the API refuses', async () => {
    const request = api.request();
    const completion = await api.adapterFor(server).prepare(request).send(live);
    const line = server.bill().lines.at(-1)!;
    expect(completion).toEqual({
      contents: ['{"abstains":false,"answer":"text"}'],
      finish: 'stop',
      tool_calls: 0,
      reported_model: api.model.model,
      usage: {
        input_uncached: line.prompt_tokens - 10,
        cache_read: 7,
        cache_write: 3,
        output: line.completion_tokens,
        reasoning: 10,
      },
    });
    expect(unsupportedReason(request, completion)).toBeNull();
  });

  it('LG-2 the server receives exactly the bytes that the reservation is computed from', async () => {
    const prepared = api.adapterFor(server).prepare(api.request());
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
    await api.adapterFor(server).prepare(api.request()).send(live);
    const text = lastRequest().raw.toString('utf8');
    expect(text).toContain(api.model.model);
    for (const hidden of ['private-question-id', 'harbour-clinic', 'TEST_KEY', '2026-01-01'])
      expect(text).not.toContain(hidden);
  });

  it('FB-3 the body does not depend on the order of the keys of a schema', () => {
    const request = api.request();
    const { properties, ...rest } = request.response_schema.schema;
    const turned = { ...rest, properties: Object.fromEntries(Object.entries(properties as object).reverse()) };
    const adapter = api.adapterFor(server);
    const other = adapter.prepare({ ...request, response_schema: { name: 'answer', schema: turned } });
    expect(other.body_digest).toBe(adapter.prepare(request).body_digest);
  });

  it('FB-7 nothing but the allow-list is kept; the response held more', async () => {
    const completion = await api.adapterFor(server).prepare(api.request()).send(live);
    const kept = JSON.stringify(completion);
    for (const secret of api.privateTexts) {
      expect(lastRequest().answered).toContain(secret);
      expect(kept).not.toContain(secret);
    }
    expect(Object.keys(completion).sort()).toEqual(['contents', 'finish', 'reported_model', 'tool_calls', 'usage']);
  });

  it('PR-4 a model that the server reports changed is reported as it says', async () => {
    server.failNext({ kind: 'changed-model', model: 'gpt-test-1-2026-02-02' });
    const completion = await api.adapterFor(server).prepare(api.request()).send(live);
    expect(completion.reported_model).toBe('gpt-test-1-2026-02-02');
  });

  it.each([
    ['wrong-json', 'stop', 1, 0, 'not JSON'],
    ['truncated', 'length', 1, 0, 'truncated: it reached the output limit'],
    ['refusal', 'refusal', 0, 0, 'refused by the model'],
    ['tool-calls', 'tool-calls', 0, 1, 'asks for tool calls'],
    ['several-choices', 'stop', 2, 0, 'has 2 contents'],
    ['empty-content', 'stop', 0, 0, 'has no content'],
  ] as const)(
    'FB-11 %s is a completion with its usage, and unsupported',
    async (kind, finish, contents, toolCalls, reason) => {
      server.failNext({ kind });
      const completion = await api.adapterFor(server).prepare(api.request()).send(live);
      expect(completion).toMatchObject({ finish, tool_calls: toolCalls });
      expect(completion.contents).toHaveLength(contents);
      expect(completion.usage?.output).toBe(server.bill().lines.at(-1)?.completion_tokens);
      expect(unsupportedReason(api.request(), completion)).toBe(reason);
    },
  );

  it('FB-11 an answer that reaches the output limit is truncated by the server itself', async () => {
    const parameters = { ...api.request().parameters, max_output_tokens: 16 };
    const completion = await api.adapterFor(server).prepare(api.request({ parameters })).send(live);
    expect(completion.finish).toBe('length');
    expect(completion.usage?.output).toBe(16);
  });

  it('PR-1 an endpoint without a key gets none, whatever the environment holds', async () => {
    for (const name of ['OPENAI', 'ANTHROPIC']) {
      vi.stubEnv(`${name}_API_KEY`, 'sk-of-the-environment');
      vi.stubEnv(`${name}_AUTH_TOKEN`, 'token-of-the-environment');
      vi.stubEnv(`${name}_CUSTOM_HEADERS`, 'Authorization: Bearer sk-custom\nX-Custom: env');
      vi.stubEnv(`${name}_BASE_URL`, 'http://127.0.0.1:1/v1');
    }
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-environment');
    vi.stubEnv('ANTHROPIC_PROFILE', 'of-the-environment');
    const open = await api.start({ api_key: null });
    try {
      await api.adapterFor(open).prepare(api.request()).send(live);
      const { headers } = open.requests[0]!;
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-api-key']).toBeUndefined();
      expect(Object.keys(headers).filter((name) => /openai|x-custom|stainless|beta/.test(name))).toEqual([]);
      await api.adapterFor(server).prepare(api.request()).send(live);
      expect(lastRequest().headers[api.keyHeader]).toContain(server.api_key);
      expect(JSON.stringify(lastRequest().headers)).not.toContain('environment');
    } finally {
      await open.close();
    }
  });

  it('PR-1 refuses a request for another endpoint or kind, and a schema outside strict mode, before anything is sent', () => {
    const adapter = api.adapterFor(server);
    const request = api.request();
    const sent = server.requests.length;
    const refusal = (code: string) => expect.objectContaining({ kind: 'internal', code });
    expect(() => adapter.prepare({ ...request, model: { ...request.model, endpoint: 'other' } })).toThrow(
      refusal('WRONG_PROVIDER'),
    );
    const other = { ...request.model, wire_api: 'in-process' as const };
    expect(() => adapter.prepare({ ...request, model: other })).toThrow(refusal('WRONG_PROVIDER'));
    expect(() => adapter.prepare({ ...request, model: { ...request.model, kind: 'local' } })).toThrow(
      refusal('WRONG_PROVIDER'),
    );
    const open = { ...request.response_schema, schema: { type: 'object', properties: {}, required: [] } };
    expect(() => adapter.prepare({ ...request, response_schema: open })).toThrow(refusal('NOT_STRICT_SCHEMA'));
    const torn = [{ role: 'user' as const, content: '\ud800' }];
    expect(() => adapter.prepare({ ...request, messages: torn })).toThrow(refusal('NOT_CANONICAL_JSON'));
    expect(server.requests).toHaveLength(sent);
  });

  it.each([' ', 'sk-a\nb', '', 'schlüssel'])(
    'RS-4 a key that no header can carry is refused without being shown (%#)',
    (key) => {
      const make = () => api.adapterFor(server, { api_key: key });
      expect(make).toThrow(expect.objectContaining({ kind: 'invalid-input', code: 'API_KEY_INVALID' }));
      if (key.trim() !== '') expect(make).not.toThrow(key);
    },
  );
});
