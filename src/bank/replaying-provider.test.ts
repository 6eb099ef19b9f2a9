import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  FickleProvider,
  formSample,
  sampleRecording,
  sampleRequest,
  sealSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import type { Bank } from './bank.js';
import { openRecording } from './recording-provider.js';
import { ReplayingProvider } from './replaying-provider.js';

const signal = new AbortController().signal;
const first = sampleRequest('session_1', JSON.stringify({ beliefs: [], turns: ['turn 1'] }));

async function recordSample(): Promise<Bank> {
  const recording = await openRecording(sampleRecording(await temporaryFolder(), new FickleProvider()));
  return (await sealSample(recording, await formSample(recording))).bank;
}

describe('a replay', () => {
  test('FB-5 once it has refused, it stays refused, also for the recorded request', async () => {
    const replay = new ReplayingProvider(await recordSample());
    const changed = { ...first, messages: [] };
    await expect(replay.complete(changed, signal)).rejects.toMatchObject({ code: 'BANK_REQUEST_CHANGED' });
    await expect(replay.complete(first, signal)).rejects.toMatchObject({ code: 'BANK_REQUEST_CHANGED' });
    expect(() => replay.assertConsumed()).toThrow(expect.objectContaining({ code: 'BANK_REQUEST_CHANGED' }));
    expect(replay.replayedCalls).toBe(0);
  });

  test('FB-5 all parts that differ are named, with the call, its batch and the bank', async () => {
    const bank = await recordSample();
    const replay = new ReplayingProvider(bank);
    await replay.complete(first, signal);
    const changed = {
      ...first,
      parameters: { ...first.parameters, seed: null },
      model: { ...first.model, endpoint: 'x' },
    };
    await expect(replay.complete(changed, signal)).rejects.toMatchObject({
      message: expect.stringMatching(/call 2 \(batch "session_2"\).*model, message 2, parameters, metadata\.batch$/),
      details: { bank: bank.digest, call: 2, parts: 'model, message 2, parameters, metadata.batch' },
      exitCode: 5,
    });
  });

  test('FB-3 another resolution time and credential reference are the same request', async () => {
    const replay = new ReplayingProvider(await recordSample());
    const model = { ...first.model, resolved_at: '2031-01-01T00:00:00.000Z', credential_ref: null };
    await expect(replay.complete({ ...first, model }, signal)).resolves.toMatchObject({ finish: 'stop' });
  });

  test('FB-6 calls that overlap are an internal fault, and refuse the replay', async () => {
    const replay = new ReplayingProvider(await recordSample());
    const [, second] = await Promise.allSettled([replay.complete(first, signal), replay.complete(first, signal)]);
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'REPLAY_CALLS_OVERLAP', exitCode: 1 } });
    expect(() => replay.assertConsumed()).toThrow(expect.objectContaining({ code: 'REPLAY_CALLS_OVERLAP' }));
  });

  test('FB-4 an aborted replay answers nothing', async () => {
    const replay = new ReplayingProvider(await recordSample());
    const reason = new Error('stop');
    await expect(replay.complete(first, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('FB-4 the replay imports neither an adapter nor anything that could send', async () => {
    const seen = new Set<string>();
    const walk = async (url: URL): Promise<void> => {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      const source = await readFile(url, 'utf8');
      const imports = [...source.matchAll(/^import (type )?[^;]*?from '([^']+)';/gms)].filter(
        ([, isType]) => isType === undefined,
      );
      for (const [, , name] of imports) {
        expect(name).not.toMatch(
          /^node:(http|https|net|tls|dgram|http2|child_process|worker_threads)$|openai|anthropic|adapter|metered/,
        );
        if (name?.startsWith('.')) await walk(new URL(name.replace(/\.js$/, '.ts'), url));
      }
      expect(source).not.toMatch(/\bfetch\s*\(|import\s*\(/);
    };
    await walk(new URL('./replaying-provider.ts', import.meta.url));
    expect([...seen].map((href) => href.split('/src/')[1])).toEqual(
      expect.arrayContaining(['bank/replaying-provider.ts', 'bank/request-identity.ts', 'core/canonical-json.ts']),
    );
  });
});
