import { renameSync } from 'node:fs';
import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  FickleProvider,
  formSample,
  kindsIn,
  sampleCompletion,
  sampleRecording,
  sampleRequest,
  sampleState,
  scripted,
  sealSample,
  startSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import { budgetRefused, internalFault, messageOf } from '../core/errors.js';
import type { Journal } from '../core/journal.js';
import type { ProcessTable } from '../core/process-mark.js';
import { type Completion, type CompletionProvider, ProviderFailure } from '../provider/completion.js';
import { BANK_LIMITS } from './bank.js';
import { openBankFolder } from './bank-folder.js';
import { RecordingProvider } from './recording.js';

const signal = new AbortController().signal;
const request = sampleRequest('session_1', 'text');
const dead: ProcessTable = { self: () => ({ host: 'here', pid: 7, started: '1' }), isAlive: () => false };

describe('a recording', () => {
  test('FB-9 each reservation is durable before its send, each completion before its answer', async () => {
    const folder = await temporaryFolder();
    const seen: unknown[] = [];
    const live = new FickleProvider();
    const watching: CompletionProvider = {
      complete: async () => {
        seen.push(await kindsIn(recording.journalPath));
        return await live.complete();
      },
    };
    const recording = await startSample(folder, watching);
    await formSample(recording, 2);
    expect(seen).toEqual([
      ['header', 'reserved'],
      ['header', 'reserved', 'completed', 'reserved'],
    ]);
    expect(await kindsIn(recording.journalPath)).toEqual(['header', 'reserved', 'completed', 'reserved', 'completed']);
  });

  test('FB-9 nothing is sent, and nothing answered, while its line is not durable yet', async () => {
    const waiting: (() => void)[] = [];
    const journal: Journal = {
      path: 'held',
      append: () => new Promise((resolve) => waiting.push(resolve)),
      close: async () => {},
    };
    const live = new FickleProvider();
    const recording = new RecordingProvider(sampleRecording('', live), journal);
    let isAnswered = false;
    const call = recording.complete(request, signal).then(() => {
      isAnswered = true;
    });
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await setImmediate();
    expect(live.sends).toBe(0);
    waiting[0]?.();
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    await setImmediate();
    expect({ sends: live.sends, isAnswered }).toEqual({ sends: 1, isAnswered: false });
    waiting[1]?.();
    await call;
  });

  test('FB-10 sealing leaves one bank and its state, private, bound by their digests, and no journal', async () => {
    const folder = await temporaryFolder();
    const recording = await startSample(folder, new FickleProvider());
    const formed = await formSample(recording);
    const file = await sealSample(recording, formed);
    const name = `harbour-${file.bank.digest.slice(7, 19)}`;
    expect(await readdir(folder)).toEqual([`${name}.bank.json`, `${name}.state.json`]);
    for (const entry of await readdir(folder)) expect((await stat(join(folder, entry))).mode & 0o777).toBe(0o600);
    expect(file.bank).toMatchObject({ call_count: 3, attempt_count: 3, state: { digest: sampleState(formed).digest } });
    const banks = openBankFolder(folder);
    expect(await banks.find('harbour', file.bank.identity, null)).toEqual({ kind: 'found', file });
    await expect(recording.complete(request, signal)).rejects.toMatchObject({ code: 'RECORDING_SEALED' });
  });

  test('FB-1 record() forms once and seals what was read back, at the time of the clock', async () => {
    const recording = await startSample(await temporaryFolder(), new FickleProvider());
    const { bank } = await recording.record(async (provider) => sampleState(await formSample(provider)));
    expect(bank).toMatchObject({ call_count: 3, recorded_at: '2026-01-01T00:00:00.000Z' });
  });

  test('FB-7 only the allowed fields of a completion are kept, whatever a provider adds', async () => {
    const folder = await temporaryFolder();
    const marked = {
      ...sampleCompletion('{"beliefs":[]}'),
      reasoning: 'PLANTED thought',
      response_id: 'PLANTED id',
      usage: { ...sampleCompletion('').usage, encrypted_content: 'PLANTED cipher' },
    } as unknown as Completion;
    const recording = await startSample(folder, scripted(marked));
    const answered = await recording.complete(request, signal);
    expect(await readFile(recording.journalPath, 'utf8')).not.toContain('PLANTED');
    const file = await sealSample(recording, []);
    const text = await readFile(file.path, 'utf8');
    expect(text).not.toContain('PLANTED');
    expect(text).toContain('former-1-2026-01-01');
    expect(JSON.stringify(answered)).not.toContain('PLANTED');
    expect(JSON.stringify(marked)).toContain('PLANTED');
  });

  test('FB-7 no request text and no credential reference enters a journal or a bank', async () => {
    const recording = await startSample(await temporaryFolder(), new FickleProvider());
    await recording.complete(sampleRequest('session_1', 'PRIVATE-TURN'), signal);
    const journal = await readFile(recording.journalPath, 'utf8');
    const { path } = await sealSample(recording, []);
    for (const text of [journal, await readFile(path, 'utf8')]) {
      expect(text).toContain('former-1');
      expect(text).not.toMatch(/PRIVATE-TURN|MODELS_KEY|resolved_at|credential_ref/);
    }
  });

  test('FB-8 the 129th call is refused before the provider is asked, and the recording is failed', async () => {
    const folder = await temporaryFolder();
    const live = new FickleProvider();
    const recording = await startSample(folder, live);
    await expect(formSample(recording, BANK_LIMITS.calls + 1)).rejects.toMatchObject({
      code: 'BANK_TOO_MANY_CALLS',
      exitCode: 5,
    });
    expect(live.sends).toBe(128);
    expect((await openBankFolder(folder).list()).failed).toMatchObject([{ completed: 128, status: 'failed' }]);
  });

  test('FB-8 a bank that outgrows its bytes is refused as soon as it does', async () => {
    const folder = await temporaryFolder();
    const large = sampleCompletion(JSON.stringify({ beliefs: ['x'.repeat(BANK_LIMITS.bytes / 2)] }));
    const live = scripted(large, large, large);
    const recording = await startSample(folder, live);
    await expect(formSample(recording)).rejects.toMatchObject({ code: 'BANK_TOO_LARGE', exitCode: 5 });
    expect(live.sends).toBe(2);
  });

  test('FB-3 a request of another model, parameter set or fixture than the identity states is an internal fault, unsent', async () => {
    const live = new FickleProvider();
    for (const foreign of [
      { ...request, model: { ...request.model, endpoint: 'https://elsewhere.example' } },
      { ...request, parameters: { ...request.parameters, seed: 8 } },
      { ...request, metadata: { ...request.metadata, fixture: 'another' } },
    ]) {
      const recording = await startSample(await temporaryFolder(), live);
      await expect(recording.complete(foreign, signal)).rejects.toMatchObject({
        code: 'RECORDING_NOT_OF_ITS_IDENTITY',
      });
    }
    expect(live.sends).toBe(0);
  });

  test('FB-1 calls that overlap are refused, the second unsent', async () => {
    const live = new FickleProvider();
    const recording = await startSample(await temporaryFolder(), live);
    const [first, second] = await Promise.allSettled([
      recording.complete(request, signal),
      recording.complete(request, signal),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'RECORDING_CALLS_OVERLAP' } });
    expect(live.sends).toBe(1);
  });
});

describe('an interrupted recording', () => {
  test('FB-9 a refused budget leaves the journal, with its reason; the next recording names it and both commands', async () => {
    const folder = await temporaryFolder();
    const live = scripted(
      sampleCompletion('{}'),
      budgetRefused('BUDGET_EXHAUSTED', 'does not fit', { remedy: 'raise it' }),
    );
    const recording = await startSample(folder, live);
    await expect(formSample(recording)).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED', exitCode: 4 });
    const again = new FickleProvider();
    const refusal = {
      code: 'BANK_RECORDING_INTERRUPTED',
      exitCode: 5,
      message: expect.stringMatching(new RegExp(`1 completion: ${recording.journalPath}.*does not fit`)),
      remedy: expect.stringMatching(/bank continue .*bank abandon .*/),
    };
    await expect(startSample(folder, again)).rejects.toMatchObject(refusal);
    await expect(
      openBankFolder(folder).find('harbour', sampleRecording(folder, again).identity, null),
    ).rejects.toMatchObject(refusal);
    expect(again.sends).toBe(0);
  });

  test('FB-9 abandoned, it lies in failed/ with its reason, stays listed, and another can start', async () => {
    const folder = await temporaryFolder();
    const banks = openBankFolder(folder);
    for (const n of [1, 2]) {
      const recording = await startSample(folder, new FickleProvider());
      await formSample(recording, n);
      await recording.interrupt('stopped by hand');
      const moved = await banks.abandon(recording.journalPath, `not needed ${n}`, '2026-01-02T00:00:00.000Z');
      expect(moved).toMatch(new RegExp(`failed/harbour-[0-9a-f]{12}-${n}\\.jsonl$`));
    }
    expect((await banks.list()).failed).toMatchObject([
      { completed: 1, reason: 'not needed 1' },
      { completed: 2, reason: 'not needed 2' },
    ]);
  });

  test('FB-9 what is no pending recording of this folder cannot be abandoned', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'notes.txt'), 'hello');
    for (const path of [
      'harbour-0123456789ab.pending.jsonl',
      join(folder, 'notes.txt'),
      '/etc/harbour-0123456789ab.pending.jsonl',
    ]) {
      await expect(openBankFolder(folder).abandon(path, 'x', 'now')).rejects.toMatchObject({
        code: 'JOURNAL_NOT_FOUND',
        exitCode: 2,
      });
    }
  });

  test('FB-9 a broken journal can be abandoned, nothing of it cut off', async () => {
    const folder = await temporaryFolder();
    const journal = join(folder, 'harbour-0123456789ab.pending.jsonl');
    await writeFile(journal, '{"kind":"head');
    const moved = await openBankFolder(folder).abandon(journal, 'broken', '2026-01-02T00:00:00.000Z');
    expect(await readFile(moved as string, 'utf8')).toBe(
      '{"kind":"head\n{"at":"2026-01-02T00:00:00.000Z","kind":"abandoned","reason":"broken"}\n',
    );
    expect((await openBankFolder(folder).list()).broken).toHaveLength(1);
  });

  test('FB-13 while a process records, another is refused, sends nothing, and cannot abandon it', async () => {
    const folder = await temporaryFolder();
    const live = new FickleProvider();
    const started = await Promise.allSettled([1, 2, 3].map(() => startSample(folder, live)));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of started) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'BANK_RECORDING_IN_PROGRESS', exitCode: 5 });
    }
    const [journal] = (await openBankFolder(folder).list()).pending;
    expect(journal).toMatchObject({ status: 'recording', header: { process: { pid: process.pid } } });
    await expect(openBankFolder(folder).abandon(journal?.path ?? '', 'x', 'now')).rejects.toMatchObject({
      code: 'BANK_RECORDING_IN_PROGRESS',
    });
    expect(await openBankFolder(folder, dead).abandon(journal?.path ?? '', 'it died', 'now')).toContain('failed');
    expect(live.sends).toBe(0);
  });

  test('FB-13 a bank that another process links between the first look and the journal is seen; no call is sent twice', async () => {
    const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    const other = await startSample(elsewhere, new FickleProvider());
    const file = await sealSample(other, await formSample(other));
    const racing: ProcessTable = {
      isAlive: () => true,
      self: () => {
        // Asked for the journal's header: after the first look at the folder, before the journal.
        renameSync(file.path, join(folder, basename(file.path)));
        return dead.self();
      },
    };
    const live = new FickleProvider();
    await expect(startSample(folder, live, racing)).rejects.toMatchObject({ code: 'BANK_EXISTS' });
    expect(await readdir(folder)).toEqual([basename(file.path)]);
    expect(live.sends).toBe(0);
  });

  test('FB-10 a second recording of a recorded identity is refused, unsent', async () => {
    const folder = await temporaryFolder();
    const recording = await startSample(folder, new FickleProvider());
    const file = await sealSample(recording, await formSample(recording));
    await expect(startSample(folder, new FickleProvider())).rejects.toMatchObject({
      code: 'BANK_EXISTS',
    });
    await unlink(file.path);
    await startSample(folder, new FickleProvider());
  });

  test('ST-4 a state that is not the one of its digest is never sealed', async () => {
    const recording = await startSample(await temporaryFolder(), new FickleProvider());
    const state = { ...sampleState(['one']), state: sampleState(['two']).state };
    await expect(recording.seal({ state, recordedAt: '2026-01-01T00:00:00.000Z' })).rejects.toMatchObject({
      code: 'STATE_DIGEST_DIFFERS',
    });
  });

  test('FB-11 formation that refuses a completion fails the recording; anything else interrupts it', async () => {
    for (const [error, place] of [
      [new ProviderFailure('malformed-response', 'cites what it was not shown', { billing: 'unknown' }), 'failed'],
      [internalFault('TEST_FAULT', 'a lost database'), 'pending'],
    ] as const) {
      const folder = await temporaryFolder();
      const recording = await startSample(folder, new FickleProvider());
      await expect(recording.record(() => Promise.reject(error))).rejects.toBe(error);
      expect((await openBankFolder(folder).list())[place]).toMatchObject([{ reason: messageOf(error) }]);
    }
  });
});
