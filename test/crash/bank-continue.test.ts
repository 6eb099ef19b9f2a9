import { describe, expect, test } from 'vitest';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { continueRecording } from '../../src/bank/continue-recording.js';
import { ReplayingProvider } from '../../src/bank/replaying-provider.js';
import type { CompletionRequest } from '../../src/provider/completion.js';
import { FickleProvider, formSample, sampleRecording, sampleState, temporaryFolder } from '../support/bank-samples.js';
import { recordingKiller } from '../support/killed-recording.js';

const { killAt } = recordingKiller();

/** Continues to the end, and tells what was asked. */
async function finish(folder: string): Promise<string[]> {
  const asked: string[] = [];
  const live = new FickleProvider();
  const inner = {
    complete: async (request: CompletionRequest) => {
      asked.push(String(request.metadata.batch));
      return await live.complete();
    },
  };
  const [pending] = (await openBankFolder(folder).list()).pending;
  const recording = await continueRecording(sampleRecording(folder, inner), pending?.path ?? '');
  await recording.record(async (provider) => sampleState(await formSample(provider)));
  return asked;
}

describe('a continuation that is killed', () => {
  test.each([
    // Where the recording dies, then its continuation; what is durable after each.
    [['completed', 1], ['adopted', 1], 1, 1],
    [['completed', 1], ['reserved', 1], 1, 1],
    [['completed', 1], ['completed', 1], 1, 2],
    [['reserved', 2], ['completed', 2], 1, 3],
    [['completed', 3], ['state-written', 1], 3, 3],
    [['completed', 2], ['seal-journalled', 1], 2, 3],
    [['seal-journalled', 1], ['adopted', 1], 3, 3],
  ] as const)(
    'FB-9 RS-1 recording at %j, continuation at %j: what is durable is never asked again, and it can be continued',
    async (first, second, durable, after) => {
      const folder = await temporaryFolder();
      const banks = openBankFolder(folder);
      const one = await killAt(folder, first[0], first[1]);
      expect((await banks.list()).pending).toMatchObject([{ status: 'interrupted', completed: durable }]);
      // Killed before it has a line of its own, it leaves the journal where it was.
      const left = second[0] === 'state-written' ? [] : [durable];
      const two = await killAt(folder, second[0], second[1]);
      expect(await banks.list()).toMatchObject({
        completed: [],
        pending: [{ status: 'interrupted', completed: after }],
        failed: left.map((completed) => ({ completed })),
        broken: [],
      });
      const three = await finish(folder);
      const asked = [...one.billed, ...two.billed, ...three];
      const all = ['session_1', 'session_2', 'session_3'];
      expect(two.billed.filter((batch) => all.indexOf(batch) < durable)).toEqual([]);
      expect(three).toEqual(all.slice(after));
      expect([...new Set(asked)].sort()).toEqual(all);
      const { completed, pending, failed, broken } = await banks.list();
      expect({ pending, broken, kept: failed.map((journal) => journal.completed) }).toEqual({
        pending: [],
        broken: [],
        kept: [...left, after],
      });
      const { bank } = completed[0] as (typeof completed)[number];
      expect(bank).toMatchObject({ call_count: 3, continues: { completions: after } });
      const replay = new ReplayingProvider(bank);
      await formSample(replay);
      replay.assertConsumed();
    },
  );

  test('FB-9 RS-1 at bank-linked: finished, nothing is left to continue', async () => {
    const folder = await temporaryFolder();
    await killAt(folder, 'completed', 2);
    await killAt(folder, 'bank-linked', 1);
    expect(await openBankFolder(folder).list()).toMatchObject({ completed: [{}], pending: [], failed: [{}] });
  });
});
