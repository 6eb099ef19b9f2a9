// PF-6: durable reserve-and-settle pairs a second of the file ledger, in one process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../dist/core/clock.js';
import { digestText } from '../dist/core/digest.js';
import { openFileLedger } from '../dist/ledger/file-ledger.js';
import { report, spread } from './machine.mjs';

const PAIRS = 20_000;
/** Calls in flight: they share a sync (group commit). */
const IN_FLIGHT = 256;
const runs = Number(process.argv[2] ?? 5);

async function pairsASecond() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ledger-'));
  try {
    const path = join(folder, 'ledger.jsonl');
    const ledger = await openFileLedger({ path, mode: 'create', limit: 10n ** 15n, run: 'bench', clock: systemClock });
    const attribution = { arm: 'bm25', stage: 'reader', fixture: 'bench', unit: 'q' };
    const request = { amount_nano_usd: 1000n, attribution, body: digestText('body'), is_send: true };
    let left = PAIRS;
    const start = process.hrtime.bigint();
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (left > 0) {
          left -= 1;
          await ledger.settle(await ledger.reserve(request), 900n);
        }
      }),
    );
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    if (ledger.totals().spent_nano_usd !== BigInt(PAIRS) * 900n) throw new Error('not every pair was booked');
    await ledger.close();
    return PAIRS / seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await pairsASecond();
const figures = [];
for (let run = 0; run < runs; run += 1) figures.push(await pairsASecond());
report('ledger', { pairs: PAIRS, in_flight: IN_FLIGHT, pairs_a_second: spread(figures) });
