import type { Clock } from '../../src/core/clock.js';
import { manualClock } from '../../src/core/clock.js';
import {
  inMemoryAdmission,
  inMemoryReceipts,
} from '../../src/memory/query-preparation/admission/in-memory-admission.js';
import type {
  EmbeddingAdmission,
  EmbeddingCeilings,
  EmbeddingReservation,
} from '../../src/memory/query-preparation/admission.js';

export type ManualClock = Clock & { advance(ms: number): void };

/** Both ceilings of a bench, where a test names none: 100 and 300 quanta. */
export const CEILINGS: EmbeddingCeilings = { request_nano_usd: 100_000n, day_nano_usd: 300_000n };
export const OWNER = { tenant: 'lab', principal: 'ada' };

/** An owner's ledger of some form, on a store of its own. */
export interface AdmissionBench {
  readonly clock: ManualClock;
  /** Opens the ledger once more, beside those that are open: what another process, or the next one, finds. */
  open(ceilings?: Partial<EmbeddingCeilings>): Promise<EmbeddingAdmission>;
  dispose(): Promise<void>;
}

export async function inMemoryAdmissionBench(start?: string): Promise<AdmissionBench> {
  const clock = manualClock(start);
  const store = inMemoryReceipts();
  return {
    clock,
    open: async (ceilings = {}) => inMemoryAdmission({ clock, ceilings: { ...CEILINGS, ...ceilings }, store }),
    dispose: async () => {},
  };
}

/** A request of `OWNER` for items' vectors, with an id that no test's other request has. */
export function requestOf(amount: bigint, more: Partial<EmbeddingReservation> = {}): EmbeddingReservation {
  ids += 1;
  return { receipt: `run/${ids}`, owner: OWNER, kind: 'index', amount_nano_usd: amount, ...more };
}
let ids = 0;
