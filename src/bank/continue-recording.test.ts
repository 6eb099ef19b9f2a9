import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  FickleProvider,
  formSample,
  sampleCompletion,
  sampleRecording,
  sampleRequest,
  sampleState,
  sealSample,
  startSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import { digestBytes } from '../core/digest.js';
import { budgetRefused } from '../core/errors.js';
import { readJournal } from '../core/journal.js';
import type { CompletionProvider } from '../provider/completion.js';
import type { BankIdentity } from './bank.js';
import { openBankFolder } from './bank-folder.js';
import { continueRecording } from './continue-recording.js';
import type { Recording } from './recording.js';

const signal = new AbortController().signal;

/** Answers `calls` times, then the budget refuses. */
class Stopping extends FickleProvider {
  constructor(private readonly calls: number) {
    super();
  }

  override async complete() {
    if (this.sends >= this.calls) throw budgetRefused('BUDGET_EXHAUSTED', 'does not fit', { remedy: 'raise it' });
    return await super.complete();
  }
}

/** An interrupted recording of the sample fixture with some durable completions. */
async function interrupted(completions: number): Promise<{ folder: string; journal: string; answers: string[] }> {
  const folder = await temporaryFolder();
  const recording = await startSample(folder, new Stopping(completions));
  await expect(formSample(recording)).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
  const answers = Array.from({ length: completions }, (_, index) => answerOf(index + 1));
  return { folder, journal: recording.journalPath, answers };
}

const answerOf = (n: number): string => JSON.stringify({ beliefs: [`answer ${n}`] });

/** Answers otherwise than every recording before it. */
class Later implements CompletionProvider {
  readonly asked: (string | null)[] = [];

  async complete(request: ReturnType<typeof sampleRequest>) {
    this.asked.push(request.metadata.batch);
    return sampleCompletion(`{"later":${this.asked.length}}`);
  }
}

async function resumed(journal: string, inner: CompletionProvider, identity?: BankIdentity): Promise<Recording> {
  const sample = sampleRecording(dirname(journal), inner);
  const recording = await continueRecording({ ...sample, identity: identity ?? sample.identity }, journal);
  onTestFinished(() => recording.interrupt('the test ended'));
  return recording;
}

async function linesOf(path: string): Promise<{ kind: string; [key: string]: unknown }[]> {
  return (await readJournal(path)).entries as { kind: string }[];
}

describe('continuing a recording', () => {
  test('FB-9 takes over what is durable, sends only what is missing, and seals a bank that cites the old journal', async () => {
    const { folder, journal, answers } = await interrupted(2);
    const live = new Later();
    const recording = await resumed(journal, live);
    const { bank } = await recording.record(async (provider) => {
      const formed = await formSample(provider);
      expect(formed).toEqual([...answers, '{"later":1}']);
      return sampleState(formed);
    });
    expect(live.asked).toEqual(['session_3']);
    // What was gone on with did not fail: it is listed as what it is.
    const { failed } = await openBankFolder(folder).list();
    expect(failed.map(({ status, completed }) => [status, completed])).toEqual([['continued', 2]]);
    const listing = await openBankFolder(folder).list();
    expect(listing).toMatchObject({
      completed: [{ bank: { digest: bank.digest } }],
      pending: [],
      failed: [{ completed: 2, reserved: 3, reason: expect.stringMatching(/^taken over at .* by process \d+/) }],
      broken: [],
    });
    const old = listing.failed[0]?.path as string;
    expect(bank).toMatchObject({
      call_count: 3,
      // Call 3 was reserved once before, and may have been billed: that attempt counts.
      attempt_count: 4,
      continues: { journal: digestBytes(await readFile(old)), completions: 2 },
    });
  });

  test('FB-9 a whole recording that was never sealed is sealed without a send', async () => {
    const folder = await temporaryFolder();
    const first = await startSample(folder, new FickleProvider());
    const formed = await formSample(first);
    await first.interrupt('stopped');
    const live = new Later();
    const recording = await resumed(first.journalPath, live);
    const { bank } = await recording.record(async (provider) => sampleState(await formSample(provider)));
    expect({ asked: live.asked, calls: bank.calls.map(({ output }) => output) }).toEqual({ asked: [], calls: formed });
  });

  test.each([
    ['message 2', { ...sampleRequest('session_1', 'other words') }],
    ['metadata.batch', sampleRequest('session_9', JSON.stringify({ beliefs: [], turns: ['turn 1'] }))],
  ])(
    'FB-9 FB-5 a changed request (%s) is refused by name, nothing is sent, and it stays continuable',
    async (part, changed) => {
      const { folder, journal } = await interrupted(2);
      const live = new Later();
      const recording = await resumed(journal, live);
      await expect(recording.complete(changed, signal)).rejects.toMatchObject({
        code: 'BANK_CONTINUE_REQUEST_CHANGED',
        exitCode: 5,
        message: expect.stringMatching(new RegExp(`^call 1 \\(batch "session_1"\\).*${part}`)),
      });
      expect(live.asked).toEqual([]);
      expect(await openBankFolder(folder).list()).toMatchObject({
        pending: [{ path: journal, status: 'interrupted', completed: 2 }],
        failed: [],
      });
      const again = await resumed(journal, live);
      await formSample(again);
      expect(live.asked).toEqual(['session_3']);
    },
  );

  test('FB-5 formation that asks for less than was completed is refused', async () => {
    const { folder, journal } = await interrupted(2);
    const recording = await resumed(journal, new Later());
    const formed = await formSample(recording, 1);
    await expect(sealSample(recording, formed)).rejects.toMatchObject({
      code: 'BANK_CONTINUE_CALLS_LEFT',
      message: expect.stringContaining('after 1 of 2 calls'),
    });
    expect((await openBankFolder(folder).list()).completed).toEqual([]);
  });

  test('FB-9 another identity is refused, naming what differs; nothing is claimed', async () => {
    const { journal } = await interrupted(1);
    const before = await readFile(journal, 'utf8');
    const { identity } = sampleRecording('', new Later());
    const other = { ...identity, persistence: 'append' as const, profile: { ...identity.profile, model: 'former-2' } };
    await expect(resumed(journal, new Later(), other)).rejects.toMatchObject({
      code: 'BANK_CONTINUE_IDENTITY_DIFFERS',
      exitCode: 5,
      details: { differs: 'persistence, profile.model' },
    });
    expect(await readFile(journal, 'utf8')).toBe(before);
  });

  test('FB-13 a journal whose recorder lives, or that is being continued, is refused; abandoning it too', async () => {
    const folder = await temporaryFolder();
    const first = await startSample(folder, new FickleProvider());
    await expect(resumed(first.journalPath, new Later())).rejects.toMatchObject({ code: 'BANK_RECORDING_IN_PROGRESS' });
    const { journal } = await interrupted(1);
    const claims = await Promise.allSettled([1, 2, 3].map(() => resumed(journal, new Later())));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const claim of claims) {
      if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ code: 'BANK_RECORDING_IN_PROGRESS' });
    }
    await expect(openBankFolder(dirname(journal)).abandon(journal, 'x', 'now')).rejects.toMatchObject({
      code: 'BANK_RECORDING_IN_PROGRESS',
    });
  });

  test('FB-11 a failed recording, a finished one, a renamed journal and what is no journal are refused', async () => {
    const { folder, journal } = await interrupted(1);
    const renamed = join(folder, 'harbour-0123456789ab.pending.jsonl');
    await rename(journal, renamed);
    await expect(resumed(renamed, new Later())).rejects.toMatchObject({
      code: 'BANK_CONTINUE_IDENTITY_DIFFERS',
      details: { differs: 'the name of its file' },
    });
    await rename(renamed, journal);
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, `${text}{"at":"now","kind":"failed","reason":"x"}\n`);
    await expect(resumed(journal, new Later())).rejects.toMatchObject({ code: 'BANK_RECORDING_FAILED' });
    await writeFile(journal, text.replace('"call":1,"completion"', '"call":2,"completion"'));
    await expect(resumed(journal, new Later())).rejects.toMatchObject({ code: 'BANK_JOURNAL_BROKEN' });
    await expect(resumed(join(folder, 'none.pending.jsonl'), new Later())).rejects.toMatchObject({
      code: 'JOURNAL_NOT_FOUND',
      exitCode: 2,
    });
  });

  test('FB-9 a continuation that is interrupted can be continued: each journal is kept and cited by the next', async () => {
    const { folder, journal } = await interrupted(1);
    const second = new Stopping(1);
    const recording = await resumed(journal, second);
    await expect(formSample(recording)).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' });
    expect((await linesOf(journal)).map(({ kind }) => kind)).toEqual([
      'header',
      'taken-over',
      'reserved',
      'completed',
      'reserved',
      'interrupted',
    ]);
    const live = new Later();
    const third = await resumed(journal, live);
    const { bank } = await third.record(async (provider) => sampleState(await formSample(provider)));
    expect(live.asked).toEqual(['session_3']);
    expect(bank.continues?.completions).toBe(2);
    const kept = (await readdir(join(folder, 'failed'))).sort();
    expect(kept).toHaveLength(2);
    const [one, two] = kept.map((name) => join(folder, 'failed', name)) as [string, string];
    const [header] = await linesOf(two);
    expect(header).toMatchObject({ continues: { journal: digestBytes(await readFile(one)), completions: 1 } });
    expect(bank.continues?.journal).toBe(digestBytes(await readFile(two)));
  });
});
