import { counted } from '../../core/counted.js';
import { invalidInput } from '../../core/errors.js';
import type { LedgerTotals } from '../../ledger/ledger.js';
import type { Observation } from '../asking/observation.js';
import { blockOf } from '../formation/formation-bank.js';
import type { PreparedRun } from '../prepare-run.js';
import type { RunFolder } from '../run-folder.js';
import { brokenRows, readCommittedRows } from './committed-rows.js';

/**
 * Refuses a run whose rows are not those of its load, or whose ledger does not know of what they paid (OB-5, LG-12): before anything is
 * sent, whatever block they are of.
 *
 * @param prepared with the load that the run goes on with: no row asks what is not in it, for a load never shrinks (OB-8).
 * @throws exit 2: `RUN_ROWS_BROKEN`, `LEDGER_BEHIND_ROWS`.
 */
export async function refuseStrangeRows(
  folder: RunFolder,
  { loaded, plans, selected }: PreparedRun,
  totals: LedgerTotals,
): Promise<void> {
  const { arms, load } = loaded.matrix;
  for (const { name } of arms) {
    const paid = { calls: 0, nano_usd: 0n };
    for (const plan of plans) {
      const block = blockOf(plan);
      const asked = new Set(selected.get(block.fixture));
      for (const row of (await readCommittedRows(folder, name, block)).rows.values()) {
        if (!asked.has(row.question) || row.repeat > load.repeats)
          throw brokenRows(folder.observationsPath(name, block), `a row that the run never asks for: ${told(row)}`);
        paid.calls += row.actual.calls;
        paid.nano_usd += BigInt(row.actual.nano_usd);
      }
    }
    refuseShortLedger(folder, name, paid, totals);
  }
}

/** A row is committed after its calls are booked: a ledger that knows of fewer was cut off, or is an older copy. */
export function refuseShortLedger(
  folder: RunFolder,
  arm: string,
  paid: { readonly calls: number; readonly nano_usd: bigint },
  totals: LedgerTotals,
): void {
  const booked = totals.by_arm_and_stage.find((sums) => sums.arm === arm && sums.stage === 'reader');
  if (paid.calls <= (booked?.sends ?? 0) && paid.nano_usd <= (booked?.spent_nano_usd ?? 0n)) return;
  throw invalidInput(
    'LEDGER_BEHIND_ROWS',
    `the rows of ${arm} were paid with ${counted(paid.calls, 'call')}, and the ledger of ${folder.id} knows of ${booked?.sends ?? 0}`,
    { remedy: 'an older copy of the ledger stands in its place: restore the newest one, or start a new run' },
  );
}

function told({ question, repeat }: Observation): string {
  return `${question}, repeat ${repeat}`;
}
