import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { manualClock } from '../../core/clock.js';
import type { RecorderWait } from '../formation/await-recorder.js';
import { asOnlyRecorder } from './only-recorder.js';

function waiting(waitMs: number): RecorderWait & { readonly notes: string[] } {
  const notes: string[] = [];
  return {
    recorder_wait_ms: waitMs,
    clock: manualClock(),
    signal: new AbortController().signal,
    notes,
    progress: (event) => {
      if (event.kind === 'note') notes.push(event.text);
    },
  };
}

const pendingIn = async () => join(await temporaryFolder(), 'mill-turns-0123456789ab.pending-vectors.jsonl');

/** As another process, or one of another machine, holds it. */
async function heldBy(pending: string, host: string, pid: number): Promise<void> {
  const holder = { host, pid, started: null, since: '2026-01-01T00:00:00.000Z' };
  await writeFile(join(dirname(pending), `.${basename(pending)}.lock`), `${JSON.stringify(holder)}\n`);
}

test('VB-2 FB-13 blocks of one process take turns, whatever the wait, and one that failed holds nobody up', async () => {
  const pending = await pendingIn();
  const wait = waiting(0);
  const order: string[] = [];
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = asOnlyRecorder(pending, wait, async () => {
    order.push('first begins');
    await gate;
    order.push('first ends');
    throw new Error('the provider failed');
  });
  const second = asOnlyRecorder(pending, wait, async () => {
    order.push('second');
    return 2;
  });
  const elsewhere = asOnlyRecorder(await pendingIn(), wait, async () => {
    order.push('another recording');
    open();
  });
  await expect(first).rejects.toThrow('the provider failed');
  await elsewhere;
  expect(await second).toBe(2);
  expect(order.indexOf('second')).toBeGreaterThan(order.indexOf('first ends'));
  expect(order).toHaveLength(4);
});

test('VB-2 FB-13 another process is waited for, bounded, then named (exit 5); a dead one is not', async () => {
  const pending = await pendingIn();
  await heldBy(pending, 'another-host', 4242);
  const wait = waiting(2_000);
  let worked = 0;
  const refused = asOnlyRecorder(pending, wait, async () => {
    worked += 1;
  });
  await expect(refused).rejects.toMatchObject({
    code: 'VECTOR_RECORDING_IN_PROGRESS',
    exitCode: 5,
    message: expect.stringContaining('process 4242 on another-host'),
  });
  expect(wait.clock.monotonicMs()).toBe(2_000);
  expect(wait.notes).toEqual([expect.stringContaining('waiting for its vector bank, up to 2 s')]);
  expect(worked).toBe(0);
  // No process has an id as large as this.
  await heldBy(pending, hostname(), 2 ** 30);
  await asOnlyRecorder(pending, wait, async () => {
    worked += 1;
  });
  expect(worked).toBe(1);
});
