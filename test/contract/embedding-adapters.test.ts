import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestBytes } from '../../src/core/digest.js';
import { ProviderFailure } from '../../src/provider/completion.js';
import type { EmbeddingAdapter } from '../../src/provider/embedding.js';
import { createLocalEmbeddingAdapter } from '../../src/provider/local/embedding.js';
import { createEmbeddingsAdapter, type EmbeddingsOptions } from '../../src/provider/openai/embeddings.js';
import type { ScriptedFailure } from '../support/model-server/failure-script.js';
import { vectorOf } from '../support/openai-server/embeddings-api.js';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server/index.js';

const live = new AbortController().signal;
const prices = { input_nano_usd: 20n, output_nano_usd: 0n };
let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer({ models: { 'embed-1': prices, 'fixed-1': prices } });
});
afterAll(() => server.close());

function remote(changes: Partial<EmbeddingsOptions> = {}) {
  return createEmbeddingsAdapter({
    base_url: server.url,
    endpoint_name: 'test-server',
    api_key: server.api_key,
    timeout_ms: 20_000,
    model: 'embed-1',
    dimensions: 8,
    send_dimensions: false,
    credential_ref: 'TEST_KEY',
    ...changes,
  });
}

const ADAPTERS: readonly [string, () => EmbeddingAdapter][] = [
  ['local', () => createLocalEmbeddingAdapter()],
  ['Embeddings', remote],
];

describe.each(ADAPTERS)('an embedding adapter: %s', (_name, adapterOf) => {
  it('RT-2 one finite vector a text, of the stated length, in the order of the texts, the same in any batch', async () => {
    const adapter = adapterOf();
    const together = await adapter.prepare(['one red fox', 'two boats']).send(live);
    expect(together.vectors).toHaveLength(2);
    for (const vector of together.vectors) {
      expect(vector).toHaveLength(adapter.tuple.dimensions);
      expect(vector.every(Number.isFinite)).toBe(true);
    }
    const [alone] = (await adapter.prepare(['two boats']).send(live)).vectors;
    expect(alone).toEqual(together.vectors[1]);
    expect(together.usage?.input_uncached).toBeGreaterThan(0);
    expect(together.usage?.output).toBe(0);
  });

  it('LG-2 equal texts are equal bodies; the size is told before the send', () => {
    const [first, second] = [adapterOf().prepare(['é', 'b']), adapterOf().prepare(['é', 'b'])];
    expect(first.body_digest).toBe(second.body_digest);
    expect(first.body_bytes).toBeGreaterThan(0);
    expect(first.max_output_tokens).toBe(0);
    expect(adapterOf().prepare(['b', 'é']).body_digest).not.toBe(first.body_digest);
  });

  it('PR-3 no texts, and an empty one, are refused before anything is sent', () => {
    for (const texts of [[], ['a', '']])
      expect(() => adapterOf().prepare(texts)).toThrow(expect.objectContaining({ code: 'EMBEDDING_EMPTY_TEXT' }));
  });
});

describe('the Embeddings adapter', () => {
  async function failed(scripted: ScriptedFailure, changes: Partial<EmbeddingsOptions> = {}): Promise<ProviderFailure> {
    server.failNext(scripted);
    const error: unknown = await remote(changes)
      .prepare(['a', 'b'])
      .send(live)
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ProviderFailure);
    return error as ProviderFailure;
  }
  const answer = (data: unknown, usage: unknown = { prompt_tokens: 2, total_tokens: 2 }): ScriptedFailure => ({
    kind: 'body',
    body: JSON.stringify({ object: 'list', model: 'm', data, usage }),
  });
  const item = (index: number, embedding: unknown = vectorOf('x', 8)) => ({ object: 'embedding', index, embedding });

  it('LG-2 the server receives exactly the bytes that the reservation is computed from, as floats, and bills them', async () => {
    const prepared = remote().prepare(['Zoë', 'b']);
    const { usage, reported_model } = await prepared.send(live);
    const { raw, body } = server.requests.at(-1)!;
    expect(digestBytes(raw)).toBe(prepared.body_digest);
    expect(body).toEqual({ model: 'embed-1', input: ['Zoë', 'b'], encoding_format: 'float' });
    expect(usage?.input_uncached).toBe(server.bill().lines.at(-1)?.prompt_tokens);
    expect(reported_model).toBe('embed-1');
  });

  it('PR-1 a length is sent where the matrix says so, and a model that cannot shorten refuses it', async () => {
    const [vector] = (await remote({ dimensions: 5, send_dimensions: true }).prepare(['a']).send(live)).vectors;
    expect(vector).toHaveLength(5);
    const fixed = remote({ model: 'fixed-1', send_dimensions: true });
    await expect(fixed.prepare(['a']).send(live)).rejects.toMatchObject({ reason: 'invalid-request', status: 400 });
  });

  it('PR-3 vectors that come in another order are put into that of the texts', async () => {
    server.failNext({ kind: 'several-choices' });
    const { vectors } = await remote().prepare(['a', 'b']).send(live);
    expect(vectors[0]).toEqual(Float32Array.from(vectorOf('a', 8)));
  });

  it.each<[string, ScriptedFailure]>([
    ['too few vectors', answer([item(0)])],
    ['too many', answer([item(0), item(1), item(2)])],
    ['one text twice', answer([item(0), item(0)])],
    ['an index that was not asked', answer([item(0), item(2)])],
    ['another length', answer([item(0), item(1, [1, 2])])],
    ['a number beyond a 32-bit float', answer([item(0), item(1, [1e39, 0, 0, 0, 0, 0, 0, 0])])],
    ['a zero vector', answer([item(0), item(1, [0, 0, 0, 0, 0, 0, 0, -0])])],
    ['base64, which nobody asked for', answer([item(0), item(1, 'AAAA')])],
  ])('PR-3 SQ-10 %s is malformed, and its usage is no bill', async (_title, scripted) => {
    expect(await failed(scripted)).toMatchObject({ reason: 'malformed-response', billing: 'unknown', status: 200 });
  });

  it.each<[ScriptedFailure, string, unknown]>([
    [{ kind: 'status', status: 429, headers: { 'retry-after': '3' } }, 'rate-limited', 'not-billed'],
    [{ kind: 'status', status: 500 }, 'server-error', 'unknown'],
    [{ kind: 'body', body: '' }, 'empty-response', 'unknown'],
    [{ kind: 'cut-mid-body' }, 'cut-connection', 'unknown'],
    [{ kind: 'body', body: '<html>' }, 'malformed-response', 'unknown'],
  ])('PR-3 %j is %s', async (scripted, reason, billing) => {
    expect(await failed(scripted)).toMatchObject({ reason, billing });
  });

  it.each([
    ['missing', { kind: 'missing-usage' }],
    ['zero', { kind: 'usage', usage: { prompt_tokens: 0, total_tokens: 0 } }],
    ['non-summing', { kind: 'usage', usage: { prompt_tokens: 2, total_tokens: 3 } }],
  ] as const)('LG-4 R-31 a usage that is %s is none; the vectors are kept', async (_title, scripted) => {
    server.failNext(scripted);
    const { vectors, usage } = await remote().prepare(['a']).send(live);
    expect(vectors).toHaveLength(1);
    expect(usage).toBeNull();
  });

  it('PR-3 more texts than a batch holds are refused before anything is sent', () => {
    const texts = Array.from({ length: remote().batch.max_texts + 1 }, () => 'x');
    expect(() => remote().prepare(texts)).toThrow(expect.objectContaining({ code: 'EMBEDDING_BATCH_TOO_LARGE' }));
  });
});
