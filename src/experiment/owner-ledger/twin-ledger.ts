import type { Clock } from '../../core/clock.js';
import { crashPoint } from '../../core/crash-points.js';
import { databaseUnavailable, invalidInput, RecallMatrixError } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type {
  Ledger,
  LedgerTotals,
  NanoUsd,
  Reservation,
  ReservationRequest,
  SharedSums,
} from '../../ledger/ledger.js';
import { type EmbeddingAdmission, PREPARATION_TIMES } from '../../memory/query-preparation/admission.js';
import type { AdmissionRefused } from '../../memory/query-preparation/admission-refused.js';
import { ceilingRefusal } from './ceiling-refusal.js';
import { Lease } from './lease.js';
import { embeddingKind, receiptId } from './receipt.js';

/** What the two ledgers of a session are told with. */
export interface TwinLedgerParts {
  /** The run's own. */
  readonly matrix: Ledger;
  /** The owner's, of all runs. */
  readonly owners: EmbeddingAdmission;
  readonly run: string;
  readonly clock: Clock;
  /** Whose history an attribution's fixture is. */
  ownerOf(fixture: string): Owner;
}

interface Twin {
  readonly owner: Owner;
  readonly receipt: string;
  /** Null for items: their receipts have no deadline. */
  readonly lease: Lease | null;
}

/**
 * The run's ledger, with the owner's beside it for what embeds and leaves the process (SQ-13): reserved in the run's, then the owner's; settled,
 * released or held in the owner's, then the run's; under one id. So what is open in either after a crash was never booked as less in the
 * other, and is uncertain in both.
 */
export class TwinLedger implements Ledger {
  readonly #parts: TwinLedgerParts;
  readonly #twins = new Map<string, Twin>();

  constructor(parts: TwinLedgerParts) {
    this.#parts = parts;
  }

  /**
   * Admits a call.
   *
   * @throws as the run's ledger; `AdmissionRefused` where the owner's refuses; and what the owner's throws. Nothing is reserved in the run's
   * then.
   */
  async reserve(request: ReservationRequest): Promise<Reservation> {
    const { matrix, owners, run, clock, ownerOf } = this.#parts;
    const kind = request.is_send ? embeddingKind(request.attribution) : null;
    const reservation = await matrix.reserve(request);
    if (kind === null) return reservation;
    crashPoint('matrix-reservation-committed');
    const owner = ownerOf(request.attribution.fixture);
    const receipt = receiptId(run, reservation.id);
    const { amount_nano_usd } = request;
    let refused: AdmissionRefused | null = null;
    try {
      const result = await owners.reserve({ receipt, owner, kind, amount_nano_usd });
      if (result.kind === 'refused') refused = ceilingRefusal(result);
    } catch (error) {
      const isOthers = codeOf(error) === 'RECEIPT_USED';
      if (isOthers || (await this.#isTakenBack(owner, receipt))) {
        await matrix.release(reservation, 'owner-ledger-failed', false);
      }
      throw isOthers ? continuedElsewhere(run, error) : error;
    }
    if (refused !== null) {
      crashPoint('owner-refused');
      await matrix.release(reservation, `owner-ceiling-${refused.ceiling}`, false);
      throw refused;
    }
    const lease = kind === 'query' ? new Lease(() => owners.isLive(owner, receipt), clock) : null;
    this.#twins.set(reservation.id, { owner, receipt, lease });
    return lease === null ? reservation : { ...reservation, lapsed: lease.lapsed };
  }

  async settle(reservation: Reservation, cost_nano_usd: NanoUsd): Promise<void> {
    const { matrix, owners } = this.#parts;
    const twin = this.#resolved(reservation);
    if (twin === null) return matrix.settle(reservation, cost_nano_usd);
    const isBooked = await this.#whilePending(twin, () => owners.settle(twin.owner, twin.receipt, cost_nano_usd));
    // Where a late answer cost more than the whole charge, no less is booked than was billed, in either (LG-9).
    const isBreach = cost_nano_usd > reservation.amount_nano_usd;
    if (!isBooked && isBreach) await owners.settle(twin.owner, twin.receipt, cost_nano_usd);
    crashPoint('owner-resolution-committed');
    if (isBooked || isBreach) await matrix.settle(reservation, cost_nano_usd);
    else await matrix.hold(reservation, LAPSED);
  }

  async release(reservation: Reservation, reason: string, sent: boolean): Promise<void> {
    const { matrix, owners } = this.#parts;
    const twin = this.#resolved(reservation);
    if (twin === null) return matrix.release(reservation, reason, sent);
    await this.#cleanedUp(async () => {
      const isBooked = await this.#whilePending(twin, () => owners.release(twin.owner, twin.receipt));
      crashPoint('owner-resolution-committed');
      if (isBooked) await matrix.release(reservation, reason, sent);
      else await matrix.hold(reservation, LAPSED);
    });
  }

  async hold(reservation: Reservation, reason: string): Promise<void> {
    const { matrix, owners } = this.#parts;
    const twin = this.#resolved(reservation);
    if (twin === null) return matrix.hold(reservation, reason);
    await this.#cleanedUp(async () => {
      await owners.markUnknown(twin.owner, twin.receipt);
      crashPoint('owner-resolution-committed');
      await matrix.hold(reservation, reason);
    });
  }

  totals(): LedgerTotals {
    return this.#parts.matrix.totals();
  }

  shared(): readonly SharedSums[] {
    return this.#parts.matrix.shared();
  }

  /** Closes both. */
  async close(): Promise<void> {
    const { matrix, owners } = this.#parts;
    for (const { lease } of this.#twins.values()) lease?.end();
    try {
      await owners.close();
    } finally {
      await matrix.close();
    }
  }

  /** What is told to the owner's ledger too, its watch ended; null where that has nothing of it. */
  #resolved({ id }: Reservation): Twin | null {
    const twin = this.#twins.get(id) ?? null;
    this.#twins.delete(id);
    twin?.lease?.end();
    return twin;
  }

  /**
   * Books an outcome that counts only while the receipt is pending (SQ-10).
   *
   * @returns whether it was booked; where not, the whole charge stays in the owner's ledger, and whoever sent is told that the lease is over.
   */
  async #whilePending({ owner, receipt, lease }: Twin, book: () => Promise<boolean>): Promise<boolean> {
    const { owners } = this.#parts;
    if (lease?.lapsed.aborted === true) {
      await owners.markUnknown(owner, receipt);
      return false;
    }
    const isBooked = await book();
    if (!isBooked) lease?.lapse();
    return isBooked;
  }

  /**
   * Takes back what was admitted, perhaps, in a request whose answer was lost. Where nobody can say, the matrix's reservation stays open: what is
   * open in either is uncertain in both once the run goes on (SQ-13).
   */
  async #isTakenBack(owner: Owner, receipt: string): Promise<boolean> {
    try {
      await this.#parts.owners.release(owner, receipt);
      return true;
    } catch (error) {
      return codeOf(error) === 'RECEIPT_MISSING';
    }
  }

  /** Cleaning up after a failure is bounded (SQ-8). @throws `EMBEDDING_LEDGER_SLOW`, kind `database`: the reservation stays open then. */
  async #cleanedUp(work: () => Promise<void>): Promise<void> {
    const done = new AbortController();
    const late = this.#parts.clock.sleep(PREPARATION_TIMES.cleanup_ms, done.signal).then(() => {
      throw databaseUnavailable(
        'EMBEDDING_LEDGER_SLOW',
        `the owner's embedding ledger did not answer within ${PREPARATION_TIMES.cleanup_ms / 1000} seconds`,
        { remedy: 'see that its database answers, and resume: what was reserved counts as uncertain' },
      );
    });
    try {
      await Promise.race([work(), late]);
    } finally {
      done.abort();
    }
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof RecallMatrixError ? error.code : null;
}

/** The receipt of a send that this run's journal knows nothing of: it may be under way, so it is not given back. */
function continuedElsewhere(run: string, cause: unknown): Error {
  return invalidInput(
    'RUN_CONTINUED_ELSEWHERE',
    `the owner's embedding ledger has sends of the run ${run} that its own ledger does not know: it was continued in another copy of its folder, or an older copy of its ledger was put back`,
    { remedy: 'continue the copy that is further, or start a new run', cause },
  );
}

/** Why a reservation is held whose receipt was pending no more. */
const LAPSED = 'lease-lapsed';
