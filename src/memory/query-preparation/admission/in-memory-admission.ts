import { canonicalJson } from '../../../core/canonical-json.js';
import type { Clock } from '../../../core/clock.js';
import type { Owner } from '../../../fixture/history.js';
import type {
  AdmissionResult,
  EmbeddingAdmission,
  EmbeddingCeilings,
  EmbeddingReceipt,
  EmbeddingReservation,
} from '../admission.js';
import {
  admissionClosed,
  dayOf,
  deadlineOf,
  isExpired,
  receiptMissing,
  receiptUsed,
  refusalOf,
} from './admission-rule.js';
import { nanoUsdOf, quantaOf } from './charge.js';

type StoredReceipt = { -readonly [Key in keyof EmbeddingReceipt]: EmbeddingReceipt[Key] };
type OwnerReceipts = Map<string, StoredReceipt>;

/** Receipts in the order of their admission, by owner: what the in-memory form has for a database. */
export type InMemoryReceipts = Map<string, OwnerReceipts>;

export function inMemoryReceipts(): InMemoryReceipts {
  return new Map();
}

/** What the in-memory form is opened with. */
export interface InMemoryAdmissionOptions {
  readonly clock: Clock;
  readonly ceilings: EmbeddingCeilings;
  /** Shared by those that open the same ledger; a new one where absent. */
  readonly store?: InMemoryReceipts;
}

/** The owner's ledger within one process (SQ-12): where nothing leaves it, and in tests. Each method is one turn, which is the owner's lock. */
export function inMemoryAdmission(options: InMemoryAdmissionOptions): EmbeddingAdmission {
  return new InMemoryAdmission(options);
}

class InMemoryAdmission implements EmbeddingAdmission {
  readonly #clock: Clock;
  readonly #ceilings: EmbeddingCeilings;
  readonly #store: InMemoryReceipts;
  #isClosed = false;

  constructor({ clock, ceilings, store = inMemoryReceipts() }: InMemoryAdmissionOptions) {
    this.#clock = clock;
    this.#ceilings = ceilings;
    this.#store = store;
  }

  async reserve(request: EmbeddingReservation): Promise<AdmissionResult> {
    const { receipt, owner, kind, amount_nano_usd } = request;
    const now = this.#clock.now();
    const receipts = this.#unexpired(owner, now);
    if (receipts.has(receipt)) throw receiptUsed(owner, receipt);
    const all = [...receipts.values()];
    const day = dayOf(now);
    const account = {
      has_pending_query: all.some((each) => each.kind === 'query' && each.status === 'pending'),
      day,
      day_quanta: quantaOf(all.reduce((sum, each) => (each.day === day ? sum + each.charge_nano_usd : sum), 0n)),
    };
    const refused = refusalOf(request, account, this.#ceilings);
    if (refused !== null) return refused;
    const charge = nanoUsdOf(quantaOf(amount_nano_usd));
    const stored: StoredReceipt = {
      receipt,
      kind,
      status: 'pending',
      day,
      reserved_nano_usd: charge,
      charge_nano_usd: charge,
      deadline: deadlineOf(kind, now),
    };
    receipts.set(receipt, stored);
    return { kind: 'admitted', receipt: { ...stored } };
  }

  async isLive(owner: Owner, receipt: string): Promise<boolean> {
    const found = this.#receiptsOf(owner).get(receipt);
    return found?.status === 'pending' && !isExpired(found.deadline, this.#clock.now());
  }

  async settle(owner: Owner, receipt: string, cost_nano_usd: bigint): Promise<boolean> {
    return this.#resolve(owner, receipt, 'settled', nanoUsdOf(quantaOf(cost_nano_usd)));
  }

  async release(owner: Owner, receipt: string): Promise<boolean> {
    return this.#resolve(owner, receipt, 'released', 0n);
  }

  async markUnknown(owner: Owner, receipt: string): Promise<void> {
    const found = this.#receiptsOf(owner).get(receipt);
    if (found !== undefined) turnUnknown(found);
  }

  async receipts(owner: Owner, day: string): Promise<readonly EmbeddingReceipt[]> {
    return [...this.#receiptsOf(owner).values()].filter((each) => each.day === day).map((each) => ({ ...each }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #resolve(owner: Owner, receipt: string, status: 'settled' | 'released', charge: bigint): boolean {
    const found = this.#unexpired(owner, this.#clock.now()).get(receipt);
    if (found === undefined) throw receiptMissing(owner, receipt);
    if (found.status !== 'pending') {
      if (found.status === 'unknown' && charge > found.charge_nano_usd) found.charge_nano_usd = charge;
      return false;
    }
    found.status = status;
    found.charge_nano_usd = charge;
    return true;
  }

  /** The owner's receipts, after those whose deadline has come were turned unknown (SQ-10). */
  #unexpired(owner: Owner, now: string): OwnerReceipts {
    const receipts = this.#receiptsOf(owner);
    for (const each of receipts.values()) {
      if (each.status === 'pending' && isExpired(each.deadline, now)) turnUnknown(each);
    }
    return receipts;
  }

  #receiptsOf({ tenant, principal }: Owner): OwnerReceipts {
    if (this.#isClosed) throw admissionClosed();
    const key = canonicalJson([tenant, principal]);
    const found = this.#store.get(key) ?? new Map();
    this.#store.set(key, found);
    return found;
  }
}

/** The whole charge, for good: what was reserved, or a cost above it that is known already. */
function turnUnknown(receipt: StoredReceipt): void {
  receipt.status = 'unknown';
  if (receipt.charge_nano_usd < receipt.reserved_nano_usd) receipt.charge_nano_usd = receipt.reserved_nano_usd;
}
