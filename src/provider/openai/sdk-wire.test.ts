import { expect, it, vi } from 'vitest';
import { adapterFor, readerRequest } from '../../../test/support/openai-server/client.js';
import { startOpenAiServer } from '../../../test/support/openai-server/index.js';
import { postWithSdk } from './sdk-wire.js';

const sdk = vi.hoisted(() => ({ loads: 0 }));
vi.mock('openai', async (importOriginal) => {
  sdk.loads += 1;
  return importOriginal();
});

it('PR-1 the SDK is loaded by the first send, not by preparing', async () => {
  const server = await startOpenAiServer();
  try {
    const prepared = adapterFor(server).prepare(readerRequest());
    expect(sdk.loads).toBe(0);
    await prepared.send(new AbortController().signal);
    expect(sdk.loads).toBe(1);
  } finally {
    await server.close();
  }
});

it('PR-1 a long-lived signal gathers no listeners, however many calls it watches', async () => {
  const server = await startOpenAiServer();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  try {
    for (let call = 0; call < 3; call += 1) await adapterFor(server).prepare(readerRequest()).send(signal);
    expect(added).toHaveBeenCalledTimes(3);
    expect(removed).toHaveBeenCalledTimes(3);
  } finally {
    await server.close();
  }
});

it.each([500, 429, 408])('LG-7 the SDK asks its transport once, whatever it answers (%i)', async (status) => {
  const transport = vi.fn(
    async () => new Response('{}', { status, headers: { 'x-should-retry': 'true', 'retry-after': '0' } }),
  );
  const settings = { base_url: 'http://127.0.0.1:1/v1', api_key: null };
  await expect(postWithSdk(settings, '/chat/completions', new Uint8Array([123, 125]), transport)).rejects.toThrow(
    String(status),
  );
  expect(transport).toHaveBeenCalledTimes(1);
});
