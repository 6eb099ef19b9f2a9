import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { pendingPath } from '../../src/bank/bank-names.js';
import { ReplayingProvider } from '../../src/bank/replaying-provider.js';
import { changedParts, requestIdentity } from '../../src/bank/request-identity.js';
import { digestJson } from '../../src/core/digest.js';
import { type Completion, type CompletionRequest, ProviderFailure } from '../../src/provider/completion.js';
import {
  FickleProvider,
  formSample,
  SAMPLE_IDENTITY,
  sampleCompletion,
  sampleRequest,
  sampleState,
  sealSample,
  startSample,
  temporaryFolder,
} from '../support/bank-samples.js';
import { independentDigest } from '../support/rfc8785.js';

// Faults that other projects had with recordings: KNOWN-FAULTS, R-13 and R-16 to R-24. R-19's transport is in replaying-provider.test.ts.
const signal = new AbortController().signal;

async function recordedSample() {
  const recording = await startSample(await temporaryFolder(), new FickleProvider());
  return (await sealSample(recording, await formSample(recording))).bank;
}

describe('record and replay', () => {
  test('R-13 a truncated journal is never taken for a first run, nor overwritten', async () => {
    const folder = await temporaryFolder();
    const recording = await startSample(folder, new FickleProvider());
    await formSample(recording);
    await recording.interrupt('stopped');
    const path = recording.journalPath;
    expect(path).toBe(pendingPath(folder, 'harbour', SAMPLE_IDENTITY));
    const whole = await readFile(path, 'utf8');
    for (const length of [whole.length - 5, whole.indexOf('\n') + 1, 40, 1, 0]) {
      await writeFile(path, whole);
      await truncate(path, length);
      const live = new FickleProvider();
      await expect(startSample(folder, live)).rejects.toMatchObject({
        kind: 'bank',
        code: expect.stringMatching(/^BANK_(JOURNAL_BROKEN|RECORDING_IN_PROGRESS|RECORDING_INTERRUPTED)$/),
        message: expect.stringContaining(path),
      });
      expect(live.sends).toBe(0);
      expect(await readFile(path, 'utf8')).toBe(whole.slice(0, length));
    }
  });

  test('R-16 equal requests give their own completions, in the order in which they were recorded', async () => {
    const request = sampleRequest('session_1', 'the same');
    const recording = await startSample(await temporaryFolder(), new FickleProvider());
    const recorded: Completion[] = [];
    for (let n = 0; n < 4; n += 1) recorded.push(await recording.complete(request, signal));
    const replay = new ReplayingProvider((await sealSample(recording, [])).bank);
    const replayed: Completion[] = [];
    for (let n = 0; n < 4; n += 1) replayed.push(await replay.complete(request, signal));
    expect(replayed).toEqual(recorded);
    expect(new Set(replayed.map(({ contents }) => contents[0])).size).toBe(4);
  });

  test('R-17 a failed recording leaves nothing that replays', async () => {
    const folder = await temporaryFolder();
    const live = new FickleProvider();
    const failing = {
      complete: async () => {
        if (live.sends === 2) throw new ProviderFailure('invalid-request', 'status 400', { billing: 'not-billed' });
        return await live.complete();
      },
    };
    const recording = await startSample(folder, failing);
    await expect(formSample(recording)).rejects.toMatchObject({ code: 'BANK_RECORDING_FAILED' });
    await expect(sealSample(recording, [])).rejects.toMatchObject({ code: 'BANK_RECORDING_FAILED' });
    const banks = openBankFolder(folder);
    expect(await banks.find('harbour', SAMPLE_IDENTITY, null)).toEqual({ kind: 'none', nearest: [] });
    expect(await banks.list()).toMatchObject({ completed: [], failed: [{ completed: 2 }] });
    expect((await readdir(folder)).filter((name) => name.includes('.bank.'))).toEqual([]);
  });

  test('R-18 an unused recording does not hide the error that came first', async () => {
    const replay = new ReplayingProvider(await recordedSample());
    await formSample(replay, 1);
    const lost = new Error('the database was lost');
    expect(() => replay.assertConsumed(lost)).toThrow(lost);
    expect(() => replay.assertConsumed()).toThrow(expect.objectContaining({ code: 'BANK_REQUEST_MISSING' }));
  });

  test('R-19 a missing recording refuses and sends nothing', async () => {
    const live = new FickleProvider();
    const recording = await startSample(await temporaryFolder(), live);
    const { bank } = await sealSample(recording, await formSample(recording, 1));
    await expect(formSample(new ReplayingProvider(bank), 2)).rejects.toMatchObject({ code: 'BANK_REQUEST_ADDITIONAL' });
    const banks = openBankFolder(await temporaryFolder());
    await expect(banks.find('harbour', SAMPLE_IDENTITY, bank.digest)).rejects.toMatchObject({
      code: 'BANK_PINNED_MISSING',
    });
    expect(live.sends).toBe(1);
  });

  test('R-20 a response that arrives while the bank is being saved is in the bank', async () => {
    let arrive: (completion: Completion) => void = () => {};
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow = {
      complete: () => {
        asked();
        return new Promise<Completion>((resolve) => {
          arrive = resolve;
        });
      },
    };
    const recording = await startSample(await temporaryFolder(), slow);
    const call = recording.complete(sampleRequest('session_1', 'text'), signal);
    await isAsked;
    const sealing = sealSample(recording, []);
    await expect(recording.complete(sampleRequest('session_2', 'late'), signal)).rejects.toMatchObject({
      code: 'RECORDING_CALLS_OVERLAP',
    });
    arrive(sampleCompletion('{"beliefs":["late"]}'));
    expect((await sealing).bank.calls).toMatchObject([{ output: '{"beliefs":["late"]}' }]);
    expect(await call).toMatchObject({ contents: ['{"beliefs":["late"]}'] });
  });

  test('R-21 no credential enters a recording: not the reference, not a header, not a key that a model repeats', async () => {
    const folder = await temporaryFolder();
    const key = ['sk-', 'proj-abcdefgh1jklmnopqrstuvwxyz0123456789'].join('');
    const clean = await startSample(folder, {
      complete: async () => ({ ...sampleCompletion('{}'), headers: { authorization: `Bearer ${key}` } }) as Completion,
    });
    await clean.complete(sampleRequest('session_1', key), signal);
    const { path } = await sealSample(clean, []);
    expect(await readFile(path, 'utf8')).not.toMatch(/sk-proj|MODELS_KEY|authorization/);
    const leaky = await startSample(await temporaryFolder(), {
      complete: async () => sampleCompletion(`{"beliefs":["${key}"]}`),
    });
    await expect(leaky.complete(sampleRequest('session_1', 'x'), signal)).rejects.toMatchObject({
      code: 'BANK_HOLDS_SECRET',
    });
  });

  test('R-22 spelling of numbers and order of keys change no digest; another value does', () => {
    const pairs: [string, string][] = [
      ['{"n":1.0}', '{"n":1}'],
      ['{"n":-0}', '{"n":0}'],
      ['{"n":1e3}', '{"n":1000}'],
      ['{"n":1E+21}', '{"n":1e21}'],
      ['{"n":0.0000001}', '{"n":1e-7}'],
      ['{"\\ufb33":1,"\\ud83d\\ude00":2}', '{"\\ud83d\\ude00":2,"\\ufb33":1}'],
      ['{"b":{"d":1,"c":2},"a":3}', '{"a":3,"b":{"c":2,"d":1}}'],
    ];
    for (const [left, right] of pairs) {
      expect(digestJson(JSON.parse(left)), left).toBe(digestJson(JSON.parse(right)));
      expect(digestJson(JSON.parse(left)), left).toBe(independentDigest(JSON.parse(right)));
    }
    expect(digestJson({ n: 1 })).not.toBe(digestJson({ n: '1' }));
    expect(digestJson(['a', 'b'])).not.toBe(digestJson(['b', 'a']));
  });

  test('R-23 a schema property named like an excluded field is bound', () => {
    const withProperty = (type: string): CompletionRequest => {
      const base = sampleRequest('session_1', 'text');
      const properties = {
        resolved_at: { type },
        credential_ref: { type },
        model: { resolved_at: type, credential_ref: type },
      };
      return {
        ...base,
        response_schema: { name: 'formation', schema: { type: 'object', properties, model: { resolved_at: type } } },
      };
    };
    const { model } = withProperty('string');
    const { resolved_at: _at, credential_ref: _ref, ...resolved } = model;
    const recorded = { request: requestIdentity(withProperty('string')), resolved };
    expect(changedParts(recorded, withProperty('string'))).toEqual([]);
    expect(changedParts(recorded, withProperty('number'))).toEqual(['schema']);
  });

  test('R-24 a partly played recording does not pass', async () => {
    const bank = await recordedSample();
    for (const calls of [0, 1, 2]) {
      const replay = new ReplayingProvider(bank);
      await formSample(replay, calls);
      expect(() => replay.assertConsumed()).toThrow(
        expect.objectContaining({
          code: 'BANK_REQUEST_MISSING',
          message: expect.stringContaining(`call ${calls + 1} `),
        }),
      );
    }
    const whole = new ReplayingProvider(bank);
    expect(sampleState(await formSample(whole)).digest).toBe(bank.state.digest);
    whole.assertConsumed();
  });
});
