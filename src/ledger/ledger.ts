import type { Digest } from '../core/digest.js';
import type { Stage } from '../provider/completion.js';
import type { NanoUsd } from './money.js';

export {
  ceilingNanoUsd,
  type NanoUsd,
  parseUsd,
  perTokenNanoUsd,
  type Rational,
  showUsd,
  usdProblem,
} from './money.js';

/** Whose call it is: totals are kept by arm and stage (LG-6, OB-3). */
export interface Attribution {
  /** Null for what all arms share: recording a bank, preparing shared vectors. */
  readonly arm: string | null;
  readonly stage: Stage;
  /** Whose history it is of; of a replicate from the second on, with its number: `mill@2`. */
  readonly fixture: string;
  /** The formation batch, question or other unit, for people who read the journal. */
  readonly unit: string;
}

/** An admitted call that has not been resolved yet. Resolved at most once: settled, released or held. */
export interface Reservation {
  readonly id: string;
  readonly amount_nano_usd: NanoUsd;
  readonly attribution: Attribution;
  /**
   * Aborted once the reservation's lease holds no longer: its send ends then, and whatever it is resolved to is held. Left out where it
   * has none.
   */
  readonly lapsed?: AbortSignal;
}

/** What a call asks for. */
export interface ReservationRequest {
  /** The worst case (LG-2); 0 for in-process kinds. */
  readonly amount_nano_usd: NanoUsd;
  readonly attribution: Attribution;
  /** Digest of the exact body. */
  readonly body: Digest;
  /** False for in-process kinds: admitted by the same rule, but no send, so never in the journal (LG-7, LG-12). */
  readonly is_send: boolean;
}

/** Sums over one set of reservations. */
export interface LedgerSums {
  /** Settled costs. */
  readonly spent_nano_usd: NanoUsd;
  /** Open reservations and uncertain ones. */
  readonly held_nano_usd: NanoUsd;
  /** The part of held whose bill is unknown: it stays held for good. */
  readonly uncertain_nano_usd: NanoUsd;
  /** Reservations of sends, whatever became of them but a release before the send. */
  readonly sends: number;
}

/** The state of one account. */
export interface LedgerTotals extends LedgerSums {
  readonly limit_nano_usd: NanoUsd;
  /** Set once a settled cost exceeded its reservation (LG-9): admission has stopped. */
  readonly breached: boolean;
  readonly by_arm_and_stage: readonly ({ readonly arm: string | null; readonly stage: Stage } & LedgerSums)[];
}

/** What one stage of one fixture took for all arms together: recording a bank, embedding, judging. */
export interface SharedSums extends LedgerSums {
  readonly fixture: string;
  readonly stage: Stage;
}

/**
 * The one budget of a run of a matrix (LG-1). At every moment spent + held is at most the limit, but for a breach. Each method
 * returns when its effect is durable.
 */
export interface Ledger {
  /**
   * Admits a call.
   *
   * @throws a `budget` error: `BUDGET_EXHAUSTED` where it does not fit, `BUDGET_BREACHED` after a breach. Nothing is reserved then.
   */
  reserve(request: ReservationRequest): Promise<Reservation>;
  /** Books a known cost. A cost above the reservation is a breach: booked in full, reported by `totals`, and admission stops. */
  settle(reservation: Reservation, cost_nano_usd: NanoUsd): Promise<void>;
  /**
   * Gives the reservation back. Only where it is certain that nothing was billed (LG-5).
   *
   * @param sent whether the call left this process (the provider refused it): such a release still counts as a send.
   */
  release(reservation: Reservation, reason: string, sent: boolean): Promise<void>;
  /** Keeps the whole reservation as uncertain, for good (LG-4). */
  hold(reservation: Reservation, reason: string): Promise<void>;
  totals(): LedgerTotals;
  /** The part of the totals that no arm has for itself, by fixture and stage, earlier sessions' too (LG-12). */
  shared(): readonly SharedSums[];
  close(): Promise<void>;
}
