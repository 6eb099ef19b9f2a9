import type { Clock } from '../../core/clock.js';
import { internalFault, RecallMatrixError } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type UnresolvedReservation, wasLeftOpen } from '../../ledger/read-ledger.js';
import type { EmbeddingAdmission } from '../../memory/query-preparation/admission.js';
import { blockName } from '../block-id.js';
import { blockOf } from '../formation/formation-bank.js';
import type { PreparedRun } from '../prepare-run.js';
import { embeddingKind, receiptId } from './receipt.js';
import { TwinLedger } from './twin-ledger.js';

/** The two ledgers of a session; the run's alone where nothing is sent to be embedded. */
export function pairLedgers(
  matrix: Ledger,
  owners: EmbeddingAdmission | null,
  session: { readonly run: string; readonly prepared: PreparedRun; readonly clock: Clock },
): Ledger {
  if (owners === null) return matrix;
  const { run, prepared, clock } = session;
  return new TwinLedger({ matrix, owners, run, clock, ownerOf: ownersOf(prepared) });
}

/**
 * Tells the owner's ledger of what a crash left open in the run's, which counts as uncertain there: it is unknown here, at its whole charge
 * (SQ-13). One that the crash kept from being admitted is admitted for it; nothing was sent under that, so where the ceilings have no
 * room for it, it stays out.
 *
 * @param unresolved what the run's ledger says is uncertain; only what a crash left of it is told.
 */
export async function enterLeftOpen(
  owners: EmbeddingAdmission,
  unresolved: readonly UnresolvedReservation[],
  { run, prepared }: { readonly run: string; readonly prepared: PreparedRun },
): Promise<void> {
  const ownerOf = ownersOf(prepared);
  for (const left of unresolved.filter(wasLeftOpen)) {
    const kind = embeddingKind(left.attribution);
    if (kind === null) continue;
    const { amount_nano_usd } = left;
    const [receipt, owner] = [receiptId(run, left.id), ownerOf(left.attribution.fixture)];
    await owners.reserve({ receipt, owner, kind, amount_nano_usd }).catch(ignoreKnown);
    await owners.markUnknown(owner, receipt);
  }
}

function ignoreKnown(error: unknown): void {
  if (!(error instanceof RecallMatrixError) || error.code !== 'RECEIPT_USED') throw error;
}

/** Whose history each block is of. */
function ownersOf({ plans }: PreparedRun): (block: string) => Owner {
  const owners = new Map(plans.map((plan) => [blockName(blockOf(plan)), plan.fixture.manifest.owner]));
  return (block) => {
    const owner = owners.get(block);
    if (owner === undefined) throw internalFault('OWNER_UNKNOWN', `no block of this session is named ${block}`);
    return owner;
  };
}
