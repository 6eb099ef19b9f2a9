import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.js';
import {
  type Billing,
  type Completion,
  ProviderFailure,
  type ProviderFailureReason,
} from '../../src/provider/completion.js';
import type { HttpApiOptions } from '../../src/provider/http/http-api.js';
import type { ScriptedFailure } from '../support/model-server/failure-script.js';
import type { ModelServer } from '../support/model-server/server.js';
import { REMOTE_APIS } from '../support/remote-apis.js';

/* Every adapter that sends fails in the same ways, whatever its API (PR-3). */

describe.each(REMOTE_APIS)('failures of $name', (api) => {
  const live = new AbortController().signal;
  const usage = { input_uncached: 11, cache_read: 0, cache_write: 0, output: 3, reasoning: 0 };
  const wireUsage = api.usage({ input: 11, output: 3 });
  let server: ModelServer;
  beforeAll(async () => {
    server = await api.start();
  });
  afterAll(() => server.close());

  async function failure(call: Promise<Completion>): Promise<ProviderFailure> {
    const error: unknown = await call.then(
      () => 'it succeeded',
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ProviderFailure);
    return error as ProviderFailure;
  }

  function failed(scripted: ScriptedFailure, options: Partial<HttpApiOptions> = {}): Promise<ProviderFailure> {
    server.failNext(scripted);
    return failure(api.adapterFor(server, options).prepare(api.request()).send(live));
  }

  it.each(['half\ud800', 'nothing\u0000'])(
    'PR-3 PR-4 a model whose name no file can hold is a malformed answer, and not the end of the run',
    async (model) => {
      const { reason, billing } = await failed({ kind: 'changed-model', model });
      expect({ reason, billing }).toMatchObject({ reason: 'malformed-response', billing: { reported_model: null } });
    },
  );

  describe('PR-3 LG-4 LG-5 every failure is typed, and says what is certain of its bill', () => {
    it.each<[string, ScriptedFailure, ProviderFailureReason, Billing, number | null]>([
      ['400', { kind: 'status', status: 400 }, 'invalid-request', 'not-billed', 400],
      ['401', { kind: 'status', status: 401 }, 'authentication', 'not-billed', 401],
      ['403', { kind: 'status', status: 403 }, 'authentication', 'not-billed', 403],
      ['404', { kind: 'status', status: 404 }, 'invalid-request', 'not-billed', 404],
      ['408', { kind: 'status', status: 408 }, 'timeout', 'unknown', 408],
      ['409', { kind: 'status', status: 409 }, 'invalid-request', 'not-billed', 409],
      ['413', { kind: 'status', status: 413 }, 'invalid-request', 'not-billed', 413],
      ['422', { kind: 'status', status: 422 }, 'invalid-request', 'not-billed', 422],
      ['429', { kind: 'status', status: 429 }, 'rate-limited', 'not-billed', 429],
      ['500', { kind: 'status', status: 500 }, 'server-error', 'unknown', 500],
      ['503', { kind: 'status', status: 503 }, 'server-error', 'unknown', 503],
      ['529, overloaded', { kind: 'status', status: 529 }, 'server-error', 'unknown', 529],
      ['a redirect', { kind: 'redirect', location: '/v1/elsewhere' }, 'malformed-response', 'unknown', 307],
      ['a cut before headers', { kind: 'cut-before-headers' }, 'cut-connection', 'unknown', null],
      ['a cut within the body', { kind: 'cut-mid-body' }, 'cut-connection', 'unknown', 200],
      ['an empty body', { kind: 'body', body: '' }, 'empty-response', 'unknown', 200],
      ['a blank body', { kind: 'body', body: ' \n' }, 'empty-response', 'unknown', 200],
      ['a body that is no JSON', { kind: 'body', body: '<html>' }, 'malformed-response', 'unknown', 200],
      ['half a JSON', { kind: 'body', body: '{"usage":{"input_tokens":11' }, 'malformed-response', 'unknown', 200],
      ['a JSON of another kind', { kind: 'body', body: '[]' }, 'malformed-response', 'unknown', 200],
      [
        'an error object with status 200',
        { kind: 'body', body: '{"error":{"message":"no"}}' },
        'malformed-response',
        'unknown',
        200,
      ],
      ['the literal NaN', { kind: 'nan-usage' }, 'malformed-response', 'unknown', 200],
      [
        'no content field, a readable bill',
        { kind: 'body', body: JSON.stringify({ model: 'm', usage: wireUsage }) },
        'malformed-response',
        { usage, reported_model: 'm' },
        200,
      ],
      [
        'content of another kind, a readable bill without a model',
        { kind: 'body', body: JSON.stringify({ [api.contentField]: 7, usage: wireUsage }) },
        'malformed-response',
        { usage, reported_model: null },
        200,
      ],
      [
        'content of another kind, an impossible bill',
        {
          kind: 'body',
          body: JSON.stringify({ [api.contentField]: {}, usage: api.usage({ input: 11, output: 3, reasoning: 4 }) }),
        },
        'malformed-response',
        'unknown',
        200,
      ],
    ])('%s', async (_title, scripted, reason, billing, status) => {
      const sent = server.requests.length;
      const error = await failed(scripted);
      expect({ reason: error.reason, billing: error.billing, status: error.status }).toEqual({
        reason,
        billing,
        status,
      });
      expect(error).toMatchObject({ kind: 'provider', exitCode: 7 });
      // LG-7: one send an attempt; neither the SDK nor a redirect adds another.
      expect(server.requests).toHaveLength(sent + 1);
    });

    it('PR-3 a silent server is stopped by the timeout', async () => {
      const error = await failed({ kind: 'silence' }, { timeout_ms: 60 });
      expect(error).toMatchObject({ reason: 'timeout', billing: 'unknown', status: null });
      expect(error.message).toContain('60 ms');
    });

    it('PR-3 a response that never ends is stopped by the timeout', async () => {
      // The time is up as soon as the headers are there: on a loaded machine a real delay could pass before them.
      let timeIsUp = (): void => undefined;
      const clock: Clock = {
        ...systemClock,
        sleep: () =>
          new Promise((resolve) => {
            timeIsUp = resolve;
          }),
      };
      const transport: typeof fetch = async (...request) => {
        const answer = await fetch(...request);
        timeIsUp();
        return answer;
      };
      expect(await failed({ kind: 'never-ends' }, { clock, fetch: transport })).toMatchObject({
        reason: 'timeout',
        billing: 'unknown',
        status: 200,
      });
    });

    it('PR-3 a response that never ends is stopped by the byte bound while it streams in', async () => {
      expect(await failed({ kind: 'never-ends' }, { max_response_bytes: 4 })).toMatchObject({
        reason: 'oversized-response',
        billing: 'unknown',
      });
    });

    it('PR-3 a slow answer within the time is an answer', async () => {
      server.failNext({ kind: 'slow', ms: 40 });
      await expect(api.adapterFor(server).prepare(api.request()).send(live)).resolves.toMatchObject({ finish: 'stop' });
    });

    it('PR-3 an oversized answer is refused, and one below the bound is not', async () => {
      expect(await failed({ kind: 'oversized', bytes: 5_000 }, { max_response_bytes: 5_000 })).toMatchObject({
        reason: 'oversized-response',
        billing: 'unknown',
        status: 200,
      });
      server.failNext({ kind: 'oversized', bytes: 5_000 });
      await expect(api.adapterFor(server).prepare(api.request()).send(live)).resolves.toMatchObject({ finish: 'stop' });
    });

    it('PR-3 nobody listens: nothing was sent, nothing is billed', async () => {
      const port = await freePort();
      const adapter = api.adapterFor(server, { base_url: `http://127.0.0.1:${port}/v1` });
      const error = await failure(adapter.prepare(api.request()).send(live));
      expect(error).toMatchObject({ reason: 'unreachable', billing: 'not-billed', status: null });
      expect(error.message).toContain('ECONNREFUSED');
      expect(error.remedy).toContain('base URL');
    });

    it.each([1, 6000])(
      'PR-3 LG-5 port %i, to which fetch never connects: nothing was sent, nothing is billed',
      async (port) => {
        const adapter = api.adapterFor(server, { base_url: `http://127.0.0.1:${port}/v1` });
        const error = await failure(adapter.prepare(api.request()).send(live));
        expect(error).toMatchObject({ reason: 'unreachable', billing: 'not-billed', status: null });
        expect(error.message).toContain('bad port');
      },
    );

    it('PR-3 no such host: nothing was sent, nothing is billed', async () => {
      // The reserved top-level domain `invalid` resolves nowhere (RFC 6761); the resolver is replaced, so that no packet leaves.
      const unresolved = Object.assign(new Error('getaddrinfo ENOTFOUND'), {
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
      });
      const adapter = api.adapterFor(server, {
        base_url: 'https://api.invalid/v1',
        fetch: () => Promise.reject(new TypeError('fetch failed', { cause: unresolved })),
      });
      expect(await failure(adapter.prepare(api.request()).send(live))).toMatchObject({
        reason: 'unreachable',
        billing: 'not-billed',
      });
    });

    it.each([
      [{ code: 'ECONNRESET', syscall: 'read' }, 'cut-connection', 'unknown'],
      [{ code: 'UND_ERR_SOCKET' }, 'cut-connection', 'unknown'],
      [{ code: 'UND_ERR_HEADERS_TIMEOUT' }, 'timeout', 'unknown'],
      [{}, 'cut-connection', 'unknown'],
      [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'unreachable', 'not-billed'],
      [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'unreachable', 'not-billed'],
      [
        {
          code: 'X',
          errors: [
            { code: 'ECONNREFUSED', syscall: 'connect' },
            { code: 'EHOSTUNREACH', syscall: 'connect' },
          ],
        },
        'unreachable',
        'not-billed',
      ],
      [
        {
          code: 'X',
          errors: [
            { code: 'ECONNREFUSED', syscall: 'connect' },
            { code: 'EPIPE', syscall: 'write' },
          ],
        },
        'cut-connection',
        'unknown',
      ],
    ])('only what certainly never connected is unbilled: %j', async (cause, reason, billing) => {
      const adapter = api.adapterFor(server, { fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });
      expect(await failure(adapter.prepare(api.request()).send(live))).toMatchObject({ reason, billing });
    });

    it('PR-3 cancelled before the send: nothing was sent', async () => {
      const sent = server.requests.length;
      const error = await failure(api.adapterFor(server).prepare(api.request()).send(AbortSignal.abort()));
      expect(error).toMatchObject({ reason: 'cancelled', billing: 'not-billed' });
      expect(server.requests).toHaveLength(sent);
    });

    it.each<ScriptedFailure['kind'] & ('silence' | 'never-ends')>(['silence', 'never-ends'])(
      'R-27 cancelled after the send (%s): the bill is unknown',
      async (kind) => {
        const cancel = new AbortController();
        server.failNext({ kind });
        const received = server.received(server.requests.length + 1);
        const call = failure(api.adapterFor(server).prepare(api.request()).send(cancel.signal));
        await received;
        cancel.abort();
        expect(await call).toMatchObject({ reason: 'cancelled', billing: 'unknown' });
      },
    );
  });

  describe('PR-2 Retry-After', () => {
    const noon: Clock = { ...systemClock, now: () => '2026-03-01T12:00:00.000Z' };
    it.each([
      ['7', 7_000],
      ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
      ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
      ['soon', null],
    ])('%s', async (header, ms) => {
      const error = await failed({ kind: 'status', status: 429, headers: { 'retry-after': header } }, { clock: noon });
      expect(error.retry_after_ms).toBe(ms);
    });

    it('PR-3 is null where the server gives none, and honoured on a 503', async () => {
      expect((await failed({ kind: 'status', status: 429 })).retry_after_ms).toBeNull();
      expect((await failed({ kind: 'status', status: 503, headers: { 'retry-after': '2' } })).retry_after_ms).toBe(
        2_000,
      );
    });
  });

  describe('R-31 missing and impossible usage', () => {
    const changed = (change: (wire: Record<string, unknown>, keys: string[]) => void): ScriptedFailure => {
      const wire = api.usage({ input: 10, output: 5 });
      change(
        wire,
        Object.keys(wire).filter((key) => key.endsWith('tokens')),
      );
      return { kind: 'usage', usage: wire };
    };
    const first = (value: unknown) =>
      changed((wire, [key]) => {
        wire[key as string] = value;
      });
    it.each<[string, ScriptedFailure]>([
      ['missing', { kind: 'missing-usage' }],
      ['null', { kind: 'usage', usage: null }],
      ['NaN, as JSON writes it', first(Number.NaN)],
      ['the text NaN', first('NaN')],
      ['negative', first(-10)],
      ['a fraction', first(10.5)],
      ['unsafe', first(2 ** 53)],
      ['more cached than input', { kind: 'usage', usage: api.usage({ input: 10, output: 5, cached: 11 }) }],
      ['more reasoning than output', { kind: 'usage', usage: api.usage({ input: 10, output: 5, reasoning: 6 }) }],
      ['zero', { kind: 'zero-usage' }],
      ['zero output beside content', { kind: 'usage', usage: api.usage({ input: 10, output: 0 }) }],
    ])('%s: the completion is kept, its usage is null', async (_title, scripted) => {
      server.failNext(scripted);
      const completion = await api.adapterFor(server).prepare(api.request()).send(live);
      expect(completion.usage).toBeNull();
      expect(completion.contents).toHaveLength(1);
    });

    it('R-28 the parts are disjoint, and reasoning lies inside the output', async () => {
      server.failNext({ kind: 'usage', usage: api.usage({ input: 10, output: 5, cached: 4, reasoning: 2 }) });
      const { usage: kept } = await api.adapterFor(server).prepare(api.request()).send(live);
      expect(kept).toEqual({ input_uncached: 6, cache_read: 4, cache_write: 0, output: 5, reasoning: 2 });
    });
  });

  describe('RS-4 what an error says', () => {
    const shown = (error: ProviderFailure): string =>
      JSON.stringify([
        error.message,
        error.remedy,
        error.stack,
        error.details,
        String(error.cause),
        Object.entries(error),
      ]);

    it('PR-3 no error holds the key, also where the server sends it back; the server did get it', async () => {
      const key = server.api_key!;
      const statuses = [400, 401, 403, 429, 500];
      const errors = [];
      for (const status of statuses) errors.push(await failed({ kind: 'echo-authorization', status }));
      for (const kind of ['cut-before-headers', 'cut-mid-body'] as const) errors.push(await failed({ kind }));
      errors.push(await failed({ kind: 'body', body: `{"${key}":1}` }));
      for (const error of errors) expect(shown(error)).not.toContain(key);
      const echoes = server.requests.filter(({ answered }) => answered.includes(key));
      expect(echoes.length).toBeGreaterThanOrEqual(statuses.length);
      expect(server.requests.at(-1)?.headers[api.keyHeader]).toContain(key);
      expect(shown(errors[0]!)).toContain('[redacted]');
    });

    it("PR-3 quotes the server's message, within 300 characters, and nothing else of the body", async () => {
      const error = await failed({ kind: 'status', status: 400, message: `bad \u{1f600}${'x'.repeat(5_000)}` });
      expect(error.message).toContain('test-server answered 400: bad');
      expect(error.message.length).toBeLessThan(340);
      expect((await failed({ kind: 'body', body: '<secret body>' })).message).not.toContain('secret body');
    });

    it('PR-3 a wrong key names the environment variable, a wrong model itself', async () => {
      const wrong = api.adapterFor(server, { api_key: 'sk-wrong-key-000000' });
      const error = await failure(wrong.prepare(api.request()).send(live));
      expect(error).toMatchObject({ reason: 'authentication', billing: 'not-billed', status: 401 });
      expect(error.remedy).toContain('TEST_KEY');
      expect(error.message).toMatch(/Incorrect API key|invalid x-api-key/);
      const { model } = api.request();
      const absent = await failure(
        api
          .adapterFor(server)
          .prepare(api.request({ model: { ...model, model: 'gpt-absent' } }))
          .send(live),
      );
      expect(absent).toMatchObject({ reason: 'invalid-request', billing: 'not-billed' });
      expect(`${absent.message} ${absent.remedy}`).toContain('gpt-absent');
    });

    it('PR-3 a reported model that holds the key is redacted', async () => {
      server.failNext({ kind: 'changed-model', model: `m-${server.api_key}` });
      const completion = await api.adapterFor(server).prepare(api.request()).send(live);
      expect(completion.reported_model).toBe('m-[redacted]');
    });
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
