import { systemClock } from '../../src/core/clock.js';
import { RecallMatrixError } from '../../src/core/errors.js';
import { openFileLedger } from '../../src/ledger/file-ledger.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.js';
import { type LedgerPlace, sendOf } from './ledger-bench.js';
import { openUrlPool } from './url-pool.js';

// One of several processes that race for reservations; says how many it was granted. Each opens the ledger again for every group, settles
// every other reservation at its full cost, and leaves the rest open for whoever opens it next.
const GROUP = 125;

const task = JSON.parse(process.argv[2] as string) as {
  readonly place: LedgerPlace;
  readonly each: number;
  readonly amount: string;
  readonly limit: string;
};
const [amount, limit] = [BigInt(task.amount), BigInt(task.limit)];

async function open(place: LedgerPlace): Promise<Ledger> {
  const options = { mode: 'join', limit, run: 'run-1', clock: systemClock } as const;
  if (place.home === 'file') return openFileLedger({ path: place.path, ...options });
  const pool = openUrlPool(place.url);
  return openPostgresLedger({ pool, shown: 'the test server', ...options, end: () => pool.end() });
}

async function reserve(ledger: Ledger, isSettled: boolean): Promise<boolean> {
  try {
    const reservation = await ledger.reserve(sendOf(amount));
    if (isSettled) await ledger.settle(reservation, amount);
    return true;
  } catch (error) {
    if (error instanceof RecallMatrixError && error.code === 'BUDGET_EXHAUSTED') return false;
    throw error;
  }
}

let granted = 0;
for (let asked = 0; asked < task.each; asked += GROUP) {
  const ledger = await open(task.place);
  const outcomes = await Promise.all(Array.from({ length: GROUP }, (_, index) => reserve(ledger, index % 2 === 0)));
  granted += outcomes.filter((wasGranted) => wasGranted).length;
  await ledger.close();
}
process.stdout.write(String(granted));
