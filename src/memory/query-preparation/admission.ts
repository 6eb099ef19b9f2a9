import type { Owner } from '../../fixture/history.js';

/** What an owner's embedding allowance is spent on: vectors of stored items, or of questions. Both share one allowance (SQ-9). */
export type EmbeddingKind = 'index' | 'query';

/** A pending receipt holds its whole charge; a settled one its cost; an unknown one its whole charge for good; a released one nothing. */
export type ReceiptStatus = 'pending' | 'settled' | 'unknown' | 'released';

/** The most that one request, and all requests of one owner and UTC day, may be charged, whatever their kind (SQ-9). */
export interface EmbeddingCeilings {
  readonly request_nano_usd: bigint;
  readonly day_nano_usd: bigint;
}

/** The ceilings under which requests are refused: the request's, the day's, or the one unsettled query request an owner may have. */
export const ADMISSION_CEILINGS = ['request', 'day', 'slot'] as const;
export type AdmissionCeiling = (typeof ADMISSION_CEILINGS)[number];

/** One send that asks to be admitted. */
export interface EmbeddingReservation {
  /** The id of the send in the matrix's ledger, with its run's: the same in both (SQ-13). Never used twice. */
  readonly receipt: string;
  readonly owner: Owner;
  readonly kind: EmbeddingKind;
  /** The worst case. Rounded up to the quantum. */
  readonly amount_nano_usd: bigint;
}

/** What an admission gave: the receipt, or the ceiling that refuses it. Nothing is reserved then. */
export type AdmissionResult =
  | { readonly kind: 'admitted'; readonly receipt: EmbeddingReceipt }
  | { readonly kind: 'refused'; readonly ceiling: AdmissionCeiling; readonly message: string };

/** One row of the owner's ledger. It holds no text and no vector. */
export interface EmbeddingReceipt {
  readonly receipt: string;
  readonly kind: EmbeddingKind;
  readonly status: ReceiptStatus;
  /** The UTC day of its admission, YYYY-MM-DD: it keeps it, also where it is settled after midnight (SQ-10). */
  readonly day: string;
  readonly reserved_nano_usd: bigint;
  /** What counts against the day: a multiple of the quantum. */
  readonly charge_nano_usd: bigint;
  /** An instant, of a query's receipt: from then on it may be turned unknown and replaced. Null for an index receipt. */
  readonly deadline: string | null;
}

/**
 * The owner's ledger of embedding requests (SQ-8 to SQ-11): one for all runs, by owner and UTC day. It admits; it never sends. Each method
 * returns when its effect is durable, and no transaction stays open after it. Time is the clock's that it was opened with.
 */
export interface EmbeddingAdmission {
  /**
   * Admits one send under the owner's lock. A pending query receipt whose deadline has passed becomes unknown first; while one is pending
   * another query is refused (`slot`).
   */
  reserve(request: EmbeddingReservation): Promise<AdmissionResult>;
  /** Whether a receipt is still pending, and before its deadline: the lease under which its send goes on (SQ-8). */
  isLive(owner: Owner, receipt: string): Promise<boolean>;
  /**
   * Books a known cost, rounded up to the quantum. A receipt that is no longer pending keeps its whole charge: a late answer lowers nothing, and
   * raises the charge of an unknown one that cost more.
   *
   * @returns whether the receipt was pending, and so is settled now.
   */
  settle(owner: Owner, receipt: string, cost_nano_usd: bigint): Promise<boolean>;
  /** Gives a pending receipt's charge back: only where it is certain that nothing was billed. */
  release(owner: Owner, receipt: string): Promise<boolean>;
  /**
   * Turns a receipt unknown, with its whole charge: also one that was settled or released, where the matrix's ledger does not know of it (SQ-13).
   * One that was never admitted stays so: nothing was sent under it.
   */
  markUnknown(owner: Owner, receipt: string): Promise<void>;
  /** The owner's receipts of one UTC day, in the order of their admission. */
  receipts(owner: Owner, day: string): Promise<readonly EmbeddingReceipt[]>;
  close(): Promise<void>;
}

/** The smallest amount of the owner's ledger, in nano-dollars: one micro-dollar. */
export const QUANTUM_NANO_USD = 1_000n;

/** How long a query's receipt lives, and how much of it is for the preparation and for cleaning up after a failure (SQ-8). */
export const PREPARATION_TIMES = { deadline_ms: 10_000, lease_ms: 15_000, cleanup_ms: 3_000, check_ms: 1_000 } as const;
