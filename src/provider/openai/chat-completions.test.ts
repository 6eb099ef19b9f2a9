import { afterAll, beforeAll, expect, it } from 'vitest';
import { adapterFor, readerRequest } from '../../../test/support/openai-server/client.js';
import { type OpenAiServer, startOpenAiServer } from '../../../test/support/openai-server/index.js';
import { HttpCompletionAdapter } from '../http/http-completions.js';
import { chatCompletionsApi } from './chat-completions.js';

const live = new AbortController().signal;
let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const lastRequest = () => server.requests.at(-1)!;

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

it('FB-11 a content filter is told apart from a refusal', async () => {
  server.failNext({ kind: 'content-filter' });
  expect(await adapterFor(server).prepare(readerRequest()).send(live)).toMatchObject({ finish: 'content-filter' });
});

it('PR-1 a schema name that the API does not take is refused before anything is sent', () => {
  const misnamed = { ...readerRequest().response_schema, name: 'an answer' };
  expect(() => adapterFor(server).prepare(readerRequest({ response_schema: misnamed }))).toThrow(
    expect.objectContaining({ kind: 'internal', code: 'NOT_STRICT_SCHEMA' }),
  );
});

it('PR-1 a server that knows the older name of the output limit is sent it by that name', async () => {
  const api = chatCompletionsApi('max_tokens');
  const { model } = readerRequest();
  const adapter = new HttpCompletionAdapter(api, {
    base_url: server.url,
    endpoint_name: model.endpoint,
    api_key: server.api_key,
    timeout_ms: 20_000,
  });
  await adapter.prepare(readerRequest()).send(live);
  expect(lastRequest().body).toMatchObject({ max_tokens: 64 });
  expect(lastRequest().body).not.toHaveProperty('max_completion_tokens');
});
