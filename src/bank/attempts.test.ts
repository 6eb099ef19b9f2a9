import { describe, expect, test, vi } from 'vitest';
import {
  FickleProvider,
  kindsIn,
  sampleCompletion,
  sampleRecording,
  sampleRequest,
  scripted,
  sealSample,
  startSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import { type Completion, ProviderFailure } from '../provider/completion.js';
import { withAttempts } from './attempts.js';
import { openBankFolder } from './bank-folder.js';
import { openRecording } from './recording-provider.js';

const signal = new AbortController().signal;
const request = sampleRequest('session_1', 'text');

const truncated: Completion = { ...sampleCompletion('{"bel'), finish: 'length' };
const outage = (): ProviderFailure =>
  new ProviderFailure('server-error', 'status 500', { billing: 'unknown', status: 500 });

describe('attempts', () => {
  test('FB-11 an unsupported completion may be tried again, each attempt journalled and counted', async () => {
    const recording = await startSample(await temporaryFolder(), scripted(truncated, sampleCompletion('{}')));
    await recording.complete(request, signal);
    expect(await kindsIn(recording.journalPath)).toEqual(['header', 'reserved', 'rejected', 'reserved', 'completed']);
    expect((await sealSample(recording, [])).bank).toMatchObject({
      call_count: 1,
      attempt_count: 2,
      calls: [{ attempts: 2 }],
    });
  });

  test.each([
    ['FB-11 unsupported completions: exit 5', [truncated, truncated], 2, 5],
    ['a provider that fails twice: exit 7', [outage(), outage()], 2, 7],
    [
      'a wrong key is not tried again: exit 7',
      [new ProviderFailure('authentication', 'status 401', { billing: 'not-billed', status: 401 })],
      1,
      7,
    ],
  ])('%s; the recording failed, stays listed, and is no bank', async (_title, answers, sends, exitCode) => {
    const folder = await temporaryFolder();
    const live = scripted(...answers);
    const recording = await startSample(folder, live);
    await expect(recording.complete(request, signal)).rejects.toMatchObject({
      code: 'BANK_RECORDING_FAILED',
      exitCode,
    });
    await expect(recording.complete(request, signal)).rejects.toMatchObject({ code: 'BANK_RECORDING_FAILED' });
    await expect(sealSample(recording, [])).rejects.toMatchObject({ code: 'BANK_RECORDING_FAILED' });
    expect(live.sends).toBe(sends);
    expect(await openBankFolder(folder).list()).toMatchObject({
      completed: [],
      pending: [],
      failed: [{ fixture: 'harbour', reserved: sends, completed: 0, status: 'failed', reason: expect.any(String) }],
      broken: [],
    });
    await startSample(folder, new FickleProvider());
  });

  test('PR-2 Retry-After is honoured, and one that asks for too much patience is no second attempt', async () => {
    const limited = (retry_after_ms: number): ProviderFailure =>
      new ProviderFailure('rate-limited', 'status 429', { billing: 'not-billed', status: 429, retry_after_ms });
    const options = sampleRecording(await temporaryFolder(), scripted(limited(7_000), sampleCompletion('{}')));
    const sleep = vi.spyOn(options.clock, 'sleep');
    const first = await openRecording(options);
    await first.complete(request, signal);
    await first.interrupt('the test ended');
    expect(sleep.mock.calls.map(([ms]) => ms)).toEqual([7_000]);
    const impatient = scripted(limited(3_600_000), sampleCompletion('{}'));
    const second = await startSample(await temporaryFolder(), impatient);
    await expect(second.complete(request, signal)).rejects.toMatchObject({ code: 'BANK_RECORDING_FAILED' });
    expect(impatient.sends).toBe(1);
  });

  test('FB-16 live formation without a bank tries by the same rule', async () => {
    const { clock, unsupportedReason } = sampleRecording('', new FickleProvider());
    const rule = { clock, unsupportedReason: unsupportedReason ?? (() => null), attempts: 2 };
    const good = scripted(outage(), sampleCompletion('{}'));
    expect((await withAttempts(good, rule).complete(request, signal)).contents).toEqual(['{}']);
    await expect(withAttempts(scripted(truncated, truncated), rule).complete(request, signal)).rejects.toMatchObject({
      code: 'COMPLETION_UNSUPPORTED',
      exitCode: 7,
    });
  });
});
