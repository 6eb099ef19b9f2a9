import { describe, expect, it } from 'vitest';
import { SAMPLE_IDENTITY } from '../../../test/support/sample-formation.js';
import type { BankLookup } from '../../bank/bank.js';
import type { BankFolder } from '../../bank/bank-folder.js';
import { manualClock } from '../../core/clock.js';
import { bankRefused } from '../../core/errors.js';
import type { RunEvent } from '../experiment.js';
import { findOrAwait, type RecorderWait } from './await-recorder.js';

const inProgress = bankRefused('BANK_RECORDING_IN_PROGRESS', 'harbour is being recorded by process 7 on here', {
  remedy: 'wait',
});
const interrupted = bankRefused('BANK_RECORDING_INTERRUPTED', 'an interrupted recording stands', {
  remedy: 'continue it',
});
const none: BankLookup = { kind: 'none', nearest: [] };
const found = { kind: 'found', file: { path: 'p' } } as unknown as BankLookup;

/** A folder that answers with each in turn, the last for ever. */
function scripted(...answers: (BankLookup | Error)[]) {
  let looks = 0;
  const find = async (): Promise<BankLookup> => {
    const answer = answers[Math.min(looks, answers.length - 1)] as BankLookup | Error;
    looks += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { path: '/banks', find, looks: () => looks } as unknown as BankFolder & { looks(): number };
}

function waiting(waitMs: number): RecorderWait & { readonly notes: string[] } {
  const notes: string[] = [];
  const progress = (event: RunEvent): void => {
    if (event.kind === 'note') notes.push(event.text);
  };
  return { recorder_wait_ms: waitMs, clock: manualClock(), signal: new AbortController().signal, progress, notes };
}

const wanted = { fixture: 'harbour', identity: SAMPLE_IDENTITY, pinned: null };

describe('FB-13 waiting for a recorder', () => {
  it('FB-13 finds what it sealed, and says once for whom it waits', async () => {
    const wait = waiting(60_000);
    expect(await findOrAwait(scripted(inProgress, inProgress, inProgress, found), wanted, wait)).toBe(found);
    expect(wait.notes).toEqual(['harbour is being recorded by process 7 on here; waiting for its bank, up to 60 s']);
  });

  it('FB-13 is bounded: it looks for as long as was said, and names the flag', async () => {
    const folder = scripted(inProgress);
    await expect(findOrAwait(folder, wanted, waiting(60_000))).rejects.toMatchObject({
      code: 'BANK_RECORDING_IN_PROGRESS',
      remedy: expect.stringContaining('--wait'),
    });
    expect(folder.looks()).toBe(121);
    const impatient = waiting(0);
    await expect(findOrAwait(scripted(inProgress, found), wanted, impatient)).rejects.toBeDefined();
    expect(impatient.notes).toEqual([]);
  });

  it('FB-13 refuses where the recorder died, and where its recording failed', async () => {
    await expect(findOrAwait(scripted(inProgress, interrupted), wanted, waiting(60_000))).rejects.toBe(interrupted);
    await expect(findOrAwait(scripted(inProgress, none), wanted, waiting(60_000))).rejects.toMatchObject({
      code: 'BANK_RECORDING_FAILED',
      exitCode: 5,
    });
    expect(await findOrAwait(scripted(none), wanted, waiting(60_000))).toBe(none);
  });
});
