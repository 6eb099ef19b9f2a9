import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { ReplayingProvider } from '../../src/bank/replaying-provider.js';
import { readState } from '../../src/bank/state-file.js';
import {
  FickleProvider,
  formSample,
  SAMPLE_IDENTITY,
  sampleState,
  startSample,
  temporaryFolder,
} from '../support/bank-samples.js';
import { recordingKiller } from '../support/killed-recording.js';

const { killAt } = recordingKiller();

describe('a recording that is killed', () => {
  test.each([
    ['reserved', 1, 0, 0],
    ['completed', 1, 1, 1],
    ['reserved', 3, 2, 2],
    ['completed', 3, 3, 3],
    ['state-written', 1, 3, 3],
    ['seal-journalled', 1, 3, 3],
  ])(
    'FB-9, FB-10, RS-1 at %s (time %i): interrupted, nothing accepted, nothing sent again',
    async (step, occurrence, sends, kept) => {
      const folder = await temporaryFolder();
      expect((await killAt(folder, step, occurrence)).billed).toHaveLength(sends);
      const banks = openBankFolder(folder);
      expect(await banks.list()).toMatchObject({
        completed: [],
        pending: [{ status: 'interrupted', completed: kept, fixture: 'harbour' }],
        failed: [],
        broken: [],
      });
      const live = new FickleProvider();
      await expect(startSample(folder, live)).rejects.toMatchObject({ code: 'BANK_RECORDING_INTERRUPTED' });
      await expect(banks.find('harbour', SAMPLE_IDENTITY, null)).rejects.toMatchObject({
        code: 'BANK_RECORDING_INTERRUPTED',
      });
      expect(live.sends).toBe(0);
      const [journal] = (await banks.list()).pending;
      await banks.abandon(journal?.path ?? '', 'killed by a test', '2026-01-02T00:00:00.000Z');
      const recording = await startSample(folder, live);
      await recording.record(async (provider) => sampleState(await formSample(provider)));
      expect(await banks.list()).toMatchObject({
        completed: [{}],
        pending: [],
        failed: [{ completed: kept }],
        broken: [],
      });
    },
  );

  test.each(['bank-linked', 'journal-removed'])(
    'FB-9, FB-10, RS-1 at %s: finished, and replays whole',
    async (step) => {
      const folder = await temporaryFolder();
      expect((await killAt(folder, step, 1)).billed).toHaveLength(3);
      const banks = openBankFolder(folder);
      expect(await banks.list()).toMatchObject({ completed: [{}], pending: [], failed: [], broken: [] });
      const lookup = await banks.find('harbour', SAMPLE_IDENTITY, null);
      if (lookup.kind !== 'found') throw new Error('the bank is not found');
      const replay = new ReplayingProvider(lookup.file.bank);
      const formed = await formSample(replay);
      replay.assertConsumed();
      expect(await readState(lookup.file.path, lookup.file.bank)).toEqual(sampleState(formed).state);
      const live = new FickleProvider();
      await expect(startSample(folder, live)).rejects.toMatchObject({ code: 'BANK_EXISTS' });
      expect(live.sends).toBe(0);
    },
  );

  test('FB-9 a finished journal that a crash left is removed, not moved to the failed ones', async () => {
    const folder = await temporaryFolder();
    await killAt(folder, 'bank-linked', 1);
    const journal = (await readdir(folder)).find((name) => name.endsWith('.pending.jsonl'));
    expect(await openBankFolder(folder).abandon(join(folder, journal ?? ''), 'x', 'now')).toBeNull();
    expect((await readdir(folder)).map((name) => name.replace(/^harbour-[0-9a-f]{12}/, ''))).toEqual([
      '.bank.json',
      '.state.json',
    ]);
  });
});
