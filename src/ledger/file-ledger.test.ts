import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerContract } from '../../test/contract/ledger.contract.js';
import { type FileLedgerBench, fileLedgerBench, inProcessCall, sendOf } from '../../test/support/ledger-bench.js';
import { manualClock } from '../core/clock.js';
import { openFileLedger } from './file-ledger.js';
import { readLedger } from './read-ledger.js';

ledgerContract('the file ledger', () => fileLedgerBench());

const LIMIT = 1_000n;
let bench: FileLedgerBench;
beforeEach(async () => {
  bench = await fileLedgerBench();
});
afterEach(async () => bench.dispose());

const text = (): Promise<string> => readFile(bench.path, 'utf8');

/** Lines: opening, reserve r1, settle r1, reserve r2, hold r2, reserve r3 (open). */
async function writeSample(): Promise<void> {
  const ledger = await bench.create(LIMIT);
  await ledger.settle(await ledger.reserve(sendOf(100n)), 40n);
  await ledger.hold(await ledger.reserve(sendOf(200n, { unit: 'Zoë' })), 'timeout');
  await ledger.reserve(sendOf(300n));
  await ledger.close();
}

describe('the journal', () => {
  it('LG-2 a reservation is on the disk when it is granted', async () => {
    const ledger = await bench.create(LIMIT);
    const { id } = await ledger.reserve(sendOf(100n));
    expect((await bench.lines()).at(-1)).toMatchObject({
      kind: 'reserve',
      id,
      amount_nano_usd: 100,
      arm: 'bm25',
      stage: 'reader',
    });
    expect((await stat(bench.path)).mode & 0o777).toBe(0o600);
  });

  it('LG-3 every line carries the sums, which never pass the limit', async () => {
    await writeSample();
    const lines = await bench.lines();
    expect(lines.map((line) => [line.kind, line.spent_nano_usd, line.held_nano_usd, line.limit_nano_usd])).toEqual([
      ['reserve', 0, 100, 1000],
      ['settle', 40, 0, 1000],
      ['reserve', 40, 200, 1000],
      ['hold', 40, 200, 1000],
      ['reserve', 40, 500, 1000],
    ]);
  });

  it('LG-9 a breach is a line of its own, and one that a crash cut off is written on resume', async () => {
    const ledger = await bench.create(LIMIT);
    await ledger.settle(await ledger.reserve(sendOf(100n)), 250n);
    expect((await bench.lines()).at(-1)).toMatchObject({ kind: 'breach', id: 'r1', excess_nano_usd: 150 });
    await ledger.close();
    const whole = await text();
    await writeFile(bench.path, `${whole.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    expect((await readLedger(bench.path)).totals.breached).toBe(true);
    await bench.reopen(LIMIT);
    expect(await text()).toBe(whole);
  });

  it('LG-10 an amendment is a line of its own', async () => {
    await bench.create(LIMIT);
    await bench.reopen(2_000n, true);
    expect(await bench.lines()).toEqual([
      expect.objectContaining({ kind: 'amendment', from_nano_usd: 1000, to_nano_usd: 2000, limit_nano_usd: 2000 }),
    ]);
  });

  it('LG-12 in-process calls leave no line', async () => {
    const ledger = await bench.create(LIMIT);
    await ledger.settle(await ledger.reserve(inProcessCall()), 0n);
    expect(await bench.lines()).toEqual([]);
    await ledger.settle(await ledger.reserve(sendOf(0n)), 0n);
    expect(await bench.lines()).toHaveLength(2);
  });

  it('LG-10 another run cannot take over a ledger', async () => {
    await (await bench.create(LIMIT)).close();
    const other = openFileLedger({
      path: bench.path,
      mode: 'resume',
      limit: LIMIT,
      run: 'run-2',
      clock: manualClock(),
    });
    await expect(other).rejects.toMatchObject({ code: 'LEDGER_OTHER_RUN', exitCode: 2 });
  });

  it('R-25 a ledger has one writer at a time; a dead one is replaced, one on another machine is not', async () => {
    const options = { path: bench.path, limit: LIMIT, run: 'run-1', clock: manualClock() } as const;
    const ledger = await bench.create(LIMIT);
    await expect(openFileLedger({ ...options, mode: 'resume' })).rejects.toMatchObject({ code: 'LEDGER_IN_USE' });
    await ledger.close();
    const lock = `${bench.path}.writer`;
    await writeFile(
      lock,
      JSON.stringify({ host: 'elsewhere', pid: 1, started: null, since: '2026-01-01T00:00:00.000Z' }),
    );
    await expect(openFileLedger({ ...options, mode: 'resume' })).rejects.toMatchObject({ code: 'LEDGER_IN_USE' });
    await writeFile(lock, '{');
    await expect(openFileLedger({ ...options, mode: 'resume' })).rejects.toMatchObject({ code: 'LEDGER_LOCK_BROKEN' });
    await rm(lock);
    await (await bench.reopen(LIMIT)).close();
    await expect(stat(lock)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('RS-3 after a failed append nothing more is admitted', async () => {
    const ledger = await bench.create(LIMIT);
    // A lone surrogate cannot be written: the append of this line fails, as on a full disk.
    await expect(ledger.reserve(sendOf(10n, { unit: '\ud800' }))).rejects.toMatchObject({ kind: 'internal' });
    await expect(ledger.reserve(sendOf(10n))).rejects.toMatchObject({ kind: 'internal' });
    await expect(ledger.reserve(inProcessCall())).rejects.toMatchObject({ kind: 'internal' });
    expect(await bench.lines()).toEqual([]);
    expect((await bench.reopen(LIMIT)).totals()).toMatchObject({ held_nano_usd: 0n, sends: 0 });
  });
});

describe('a torn or damaged journal', () => {
  it('LG-6 RS-1 wherever a crash tears the journal, what stands before the tear holds', async () => {
    await writeSample();
    const bytes = await readFile(bench.path);
    const start = bytes.indexOf('\n') + 1;
    const limit = bytes.length;
    const wholeLines = (length: number): number =>
      bytes.subarray(start, length).toString('latin1').split('\n').length - 1;
    for (let length = start; length <= limit; length += 7) {
      await writeFile(bench.path, bytes.subarray(0, length));
      const report = await readLedger(bench.path);
      expect(report.entries).toHaveLength(wholeLines(length));
      const ledger = await bench.reopen(LIMIT);
      expect(ledger.totals()).toEqual(report.totals);
      await ledger.close();
      const kept = bytes.subarray(0, bytes.lastIndexOf('\n', length - 1) + 1);
      expect((await readFile(bench.path)).subarray(0, kept.length).equals(kept)).toBe(true);
      expect((await readLedger(bench.path)).totals).toEqual(report.totals);
    }
  });

  it('LG-6 a tear inside a character takes no byte of the line before', async () => {
    await writeSample();
    const bytes = await readFile(bench.path);
    const inside = bytes.indexOf('ë') + 1;
    await writeFile(bench.path, bytes.subarray(0, inside));
    await bench.reopen(LIMIT);
    expect(await bench.lines()).toHaveLength(2);
  });

  it('LG-3 a changed, missing, doubled or foreign line is refused with its line number', async () => {
    await writeSample();
    const lines = (await text()).trimEnd().split('\n') as [string, string, string, string, string, string];
    const refused = async (changed: readonly string[], line: number): Promise<void> => {
      const damaged = `${changed.join('\n')}\n`;
      await writeFile(bench.path, damaged);
      const expected = { code: 'LEDGER_BROKEN', exitCode: 2, location: { file: bench.path, line } };
      await expect(readLedger(bench.path)).rejects.toMatchObject(expected);
      await expect(bench.reopen(LIMIT)).rejects.toMatchObject(expected);
      expect(await text()).toBe(damaged);
    };
    const [opening, reserve1, settle1, reserve2, hold2, reserve3] = lines;
    await refused([opening, reserve1, settle1.replace('"cost_nano_usd":40', '"cost_nano_usd":39'), reserve2], 3);
    await refused([opening, reserve1, settle1.replace('"spent_nano_usd":40', '"spent_nano_usd":4'), reserve2], 3);
    await refused([opening, reserve1, reserve2], 3);
    await refused([opening, reserve1, settle1, settle1], 4);
    await refused([opening, reserve1, settle1, reserve2, hold2, hold2], 6);
    await refused([opening, settle1], 2);
    await refused([opening, reserve3], 2);
    await refused([opening, reserve1.replace('"kind":"reserve"', '"kind":"refund"')], 2);
    await refused([opening, reserve1.replace('"id":"r1"', '"id":"r1","id":"r1"')], 2);
    await refused([opening, reserve1.replace('"amount_nano_usd":100', '"amount_nano_usd":100.0')], 2);
    await refused([opening, reserve1.replace('"amount_nano_usd":100', '"amount_nano_usd":1e400')], 2);
    await refused([opening, reserve1.replace('"amount_nano_usd":100', '"amount_nano_usd":-100')], 2);
    await refused([opening, '', reserve1], 2);
    await refused([opening, '\0\0\0\0'], 2);
    await refused([opening, 'null'], 2);
    await refused([opening, `"${'x'.repeat(70_000)}"`], 2);
    await refused([opening.replace('ledger@1', 'ledger@2'), reserve1], 1);
    await refused([reserve1], 1);
    await refused([opening.replace('"limit_nano_usd":1000', '"limit_nano_usd":10'), reserve1], 2);
    await writeFile(bench.path, `${lines.join('\n')}\n`);
    await bench.reopen(LIMIT);
  });

  it('R-13 an empty or missing journal is refused, never taken for a first run', async () => {
    await writeFile(bench.path, '');
    await expect(bench.reopen(LIMIT)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
    await expect(bench.create(LIMIT)).rejects.toMatchObject({ code: 'LEDGER_EXISTS' });
    await rm(bench.path);
    await expect(bench.reopen(LIMIT)).rejects.toMatchObject({ code: 'LEDGER_MISSING' });
    await appendFile(bench.path, '{"format":"ledger@1"');
    await expect(bench.reopen(LIMIT)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  });
});

describe('readLedger', () => {
  it('LG-6 shows what is in flight apart from what is uncertain, and changes nothing', async () => {
    const ledger = await bench.create(LIMIT);
    await ledger.hold(await ledger.reserve(sendOf(200n)), 'timeout');
    await ledger.reserve(sendOf(300n, { arm: null, stage: 'formation', unit: 'b1' }));
    const live = await readLedger(bench.path);
    expect(live).toMatchObject({
      run: 'run-1',
      live: true,
      torn_bytes: 0,
      totals: { held_nano_usd: 500n, uncertain_nano_usd: 200n },
    });
    expect(live.open).toMatchObject([{ id: 'r2', amount_nano_usd: 300n, attribution: { unit: 'b1' }, reason: null }]);
    expect(live.uncertain).toMatchObject([{ id: 'r1', reason: 'timeout' }]);
    await ledger.close();
    const before = await text();
    const dead = await readLedger(bench.path);
    expect(dead).toMatchObject({ live: false, open: [], totals: { held_nano_usd: 500n, uncertain_nano_usd: 500n } });
    expect(dead.uncertain.map(({ id, reason }) => [id, reason])).toEqual([
      ['r1', 'timeout'],
      ['r2', 'left-open'],
    ]);
    expect(await text()).toBe(before);
  });
});
