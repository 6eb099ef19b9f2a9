import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../src/ledger/read-ledger.js';
import { useBundledChild } from '../support/bundled-child.js';
import { type FileLedgerBench, fileLedgerBench, sendOf } from '../support/ledger-bench.js';

const LIMIT = 1_000_000_000n;
const program = useBundledChild('ledger-child');

let bench: FileLedgerBench;
let child: ChildProcess | null = null;
beforeEach(async () => {
  bench = await fileLedgerBench();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await bench.dispose();
});

/** Starts the child; `said` holds its lines, `until` waits for one. */
function start(
  task: string,
  prefix = '',
): { said: string[]; until(text: string): Promise<void>; ended: Promise<unknown> } {
  const command = `${prefix}exec "$0" "$@"`;
  const started = spawn('sh', ['-c', command, process.execPath, program(), bench.path, 'create', task], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  const said: string[] = [];
  const ended = once(started, 'close');
  started.stdout.setEncoding('utf8');
  let rest = '';
  const waiting = new Set<() => void>();
  started.stdout.on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    said.push(...parts);
    for (const look of waiting) look();
  });
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (said.includes(text)) resolve();
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`the child ended before it said: ${text}`)));
    });
  return { said, until, ended };
}

describe('a process that dies with its ledger open', () => {
  it('LG-6 RS-1 killed between reservation and settlement: the reservation is uncertain, the settlement stays', async () => {
    const { until, ended } = start('open-one');
    await until('reserved r2');
    expect(await readLedger(bench.path)).toMatchObject({
      live: true,
      totals: { uncertain_nano_usd: 0n, held_nano_usd: 700n },
    });
    await expect(bench.reopen(LIMIT)).rejects.toMatchObject({ code: 'LEDGER_IN_USE' });

    child?.kill('SIGKILL');
    await ended;
    expect(await readLedger(bench.path)).toMatchObject({ live: false, totals: { uncertain_nano_usd: 700n } });
    const ledger = await bench.reopen(LIMIT);
    expect(ledger.totals()).toMatchObject({
      spent_nano_usd: 123n,
      held_nano_usd: 700n,
      uncertain_nano_usd: 700n,
      sends: 2,
    });
    expect((await ledger.reserve(sendOf(1n))).id).toBe('r3');
  });

  it('RS-3 a disk that refuses a write: nothing that was granted is lost, nothing more is admitted', async () => {
    // The largest file that the child may write, in blocks of 512 or 1,024 bytes: the append fails within a line.
    const { said, ended } = start('until-failure', 'ulimit -f 16; ');
    await ended;
    expect(said.slice(-2)).toEqual(['failed JOURNAL_WRITE_FAILED', 'refused JOURNAL_WRITE_FAILED']);
    const settled = said.filter((line) => line.startsWith('settled')).length;
    expect(settled).toBeGreaterThan(3);
    const { totals } = await readLedger(bench.path);
    expect(totals.spent_nano_usd).toBeGreaterThanOrEqual(BigInt(settled) * 10n);
    expect(totals.sends).toBeGreaterThanOrEqual(said.filter((line) => line.startsWith('reserved')).length);
    const ledger = await bench.reopen(LIMIT);
    expect(ledger.totals()).toEqual(totals);
    await ledger.reserve(sendOf(1n));
  });
});
