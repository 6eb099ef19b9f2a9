import { describe, expect, test } from 'vitest';
import {
  FickleProvider,
  formSample,
  sampleRecording,
  sampleRequest,
  sampleState,
  sealSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import type { CompletionRequest } from '../provider/completion.js';
import type { Bank } from './bank.js';
import { openRecording } from './recording-provider.js';
import { ReplayingProvider } from './replaying-provider.js';

const signal = new AbortController().signal;

/** Records the sample formation from a provider that never answers alike. */
async function recordSample(live: FickleProvider): Promise<{ bank: Bank; formed: string[] }> {
  const recording = await openRecording(sampleRecording(await temporaryFolder(), live));
  const formed = await formSample(recording);
  return { bank: (await sealSample(recording, formed)).bank, formed };
}

describe('repeated sends', () => {
  test('FB-4 without a bank every arm sends its formation again and forms another state (the fault)', async () => {
    const live = new FickleProvider();
    const first = await formSample(live);
    const second = await formSample(live);
    expect(live.sends).toBe(6);
    expect(sampleState(second).digest).not.toBe(sampleState(first).digest);
  });

  test('FB-1, FB-4 two arms replayed from one bank send nothing and form the same state', async () => {
    const live = new FickleProvider();
    const { bank, formed } = await recordSample(live);
    expect(live.sends).toBe(3);
    for (const _arm of ['bm25', 'semantic']) {
      const replay = new ReplayingProvider(bank);
      expect(sampleState(await formSample(replay)).digest).toBe(sampleState(formed).digest);
      replay.assertConsumed();
    }
    expect(live.sends).toBe(3);
  });

  test('FB-6 two equal requests give their own two completions, in order', async () => {
    const live = new FickleProvider();
    const recording = await openRecording(sampleRecording(await temporaryFolder(), live));
    const request = sampleRequest('session_1', 'the same');
    const recorded = [await recording.complete(request, signal), await recording.complete(request, signal)];
    const { bank } = await sealSample(recording, []);
    const replay = new ReplayingProvider(bank);
    const replayed = [await replay.complete(request, signal), await replay.complete(request, signal)];
    expect(recorded[0]).not.toEqual(recorded[1]);
    expect(replayed).toEqual(recorded);
  });
});

describe('changed requests', () => {
  const original = sampleRequest('session_1', JSON.stringify({ beliefs: [], turns: ['turn 1'] }));
  const changes: [name: string, change: CompletionRequest][] = [
    ['model', { ...original, model: { ...original.model, model: 'former-2' } }],
    ['message 2', { ...original, messages: [original.messages[0]!, { role: 'user', content: 'another' }] }],
    ['number of messages', { ...original, messages: original.messages.slice(0, 1) }],
    ['schema', { ...original, response_schema: { ...original.response_schema, name: 'another' } }],
    ['parameters', { ...original, parameters: { ...original.parameters, temperature: 1 } }],
    ['metadata.batch', { ...original, metadata: { ...original.metadata, batch: 'session_9' } }],
  ];

  test.each(changes)('FB-5 a changed request is refused and named: %s', async (name, changed) => {
    const live = new FickleProvider();
    const { bank } = await recordSample(live);
    const replay = new ReplayingProvider(bank);
    await expect(replay.complete(changed, signal)).rejects.toMatchObject({
      code: 'BANK_REQUEST_CHANGED',
      kind: 'bank',
      message: expect.stringMatching(new RegExp(`call 1\\b.*${name}`)),
    });
    expect(live.sends).toBe(3);
  });

  test('FB-5 the unchanged request is answered (positive control)', async () => {
    const { bank, formed } = await recordSample(new FickleProvider());
    const completion = await new ReplayingProvider(bank).complete(original, signal);
    expect(completion.contents).toEqual([formed[0]]);
  });

  test('FB-5 an additional request is refused, without a send', async () => {
    const live = new FickleProvider();
    const { bank } = await recordSample(live);
    await expect(formSample(new ReplayingProvider(bank), 4)).rejects.toMatchObject({
      code: 'BANK_REQUEST_ADDITIONAL',
      message: expect.stringContaining('call 4'),
    });
    expect(live.sends).toBe(3);
  });

  test('FB-5 a missing request is refused, and the first call that was not asked for is named', async () => {
    const { bank } = await recordSample(new FickleProvider());
    const replay = new ReplayingProvider(bank);
    await formSample(replay, 2);
    expect(() => replay.assertConsumed()).toThrow(
      expect.objectContaining({ code: 'BANK_REQUEST_MISSING', message: expect.stringContaining('call 3') }),
    );
  });
});
