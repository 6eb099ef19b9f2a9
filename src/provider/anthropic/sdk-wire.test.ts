import { expect, it, vi } from 'vitest';
import { REMOTE_APIS } from '../../../test/support/remote-apis.js';
import { postWithSdk } from './sdk-wire.js';

const api = REMOTE_APIS[2]!;

const sdk = vi.hoisted(() => ({ loads: 0 }));
vi.mock('@anthropic-ai/sdk', async (importOriginal) => {
  sdk.loads += 1;
  return importOriginal();
});

it('PR-1 the SDK is loaded by the first send, not by preparing', async () => {
  const server = await api.start();
  try {
    const prepared = api.adapterFor(server).prepare(api.request());
    expect(sdk.loads).toBe(0);
    await prepared.send(new AbortController().signal);
    expect(sdk.loads).toBe(1);
  } finally {
    await server.close();
  }
});

it('PR-1 a long-lived signal gathers no listeners, however many calls it watches', async () => {
  const server = await api.start();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  try {
    for (let call = 0; call < 3; call += 1) await api.adapterFor(server).prepare(api.request()).send(signal);
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
  await expect(postWithSdk(settings, '/v1/messages', new Uint8Array([123, 125]), transport)).rejects.toThrow(
    String(status),
  );
  expect(transport).toHaveBeenCalledTimes(1);
});
