import type { Stage } from '../provider/completion.js';
import { type LedgerEvent, type RunningSums, safeNumber } from './journal-line.js';
import type { Attribution, LedgerSums, LedgerTotals, SharedSums } from './ledger.js';
import { type NanoUsd, showUsd } from './money.js';

/** Why an event cannot happen to an account. The first two are refusals of a call; the others are faults of who asks, or of a journal. */
export interface AccountProblem {
  readonly reason:
    | 'breached'
    | 'exhausted'
    | 'wrong-id'
    | 'not-open'
    | 'breach-not-reported'
    | 'no-breach'
    | 'wrong-limit'
    | 'unsafe-amount';
  readonly message: string;
}

/** A reservation that waits for its resolution. */
export interface OpenReservation {
  readonly id: string;
  readonly amount: NanoUsd;
  readonly attribution: Attribution;
}

interface Sums {
  spent: NanoUsd;
  held: NanoUsd;
  uncertain: NanoUsd;
  sends: number;
}

/** The sums of one arm's stage, or of what all arms share. */
interface Group extends Sums {
  readonly arm: string | null;
  readonly stage: Stage;
}

interface SharedGroup extends Sums {
  readonly fixture: string;
  readonly stage: Stage;
}

const STAGES: readonly Stage[] = ['formation', 'index', 'query', 'reader', 'judge'];

/**
 * The state of a ledger: what is spent, what is held, for whom. Pure: the file ledger drives it, and a journal's lines rebuild it. An event
 * is checked and applied in one synchronous step, so that no two calls can pass one check.
 */
export class Account {
  #limit: NanoUsd;
  #spent: NanoUsd = 0n;
  #held: NanoUsd = 0n;
  #breached = false;
  /** The overrun whose breach line has not come yet. */
  #unreported: { readonly id: string; readonly excess: NanoUsd } | null = null;
  #lastNumber = 0;
  readonly #open = new Map<string, OpenReservation & { readonly sums: readonly Sums[] }>();
  readonly #groups = new Map<string, Group>();
  readonly #shared = new Map<string, SharedGroup>();

  constructor(limit: NanoUsd) {
    safeNumber(limit);
    this.#limit = limit;
  }

  get limit(): NanoUsd {
    return this.#limit;
  }

  get breached(): boolean {
    return this.#breached;
  }

  /** The id that the next reservation takes. */
  get nextId(): string {
    return `r${this.#lastNumber + 1}`;
  }

  /** The breach that must be reported before anything else happens; null where there is none. */
  get unreportedBreach(): LedgerEvent | null {
    if (this.#unreported === null) return null;
    return { kind: 'breach', id: this.#unreported.id, excess_nano_usd: safeNumber(this.#unreported.excess) };
  }

  /** Whether a reservation waits for its resolution. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** Reservations without a resolution, in the order of their admission. */
  openReservations(): readonly OpenReservation[] {
    return [...this.#open.values()].map(({ id, amount, attribution }) => ({ id, amount, attribution }));
  }

  /** The sums that a line carries. */
  runningSums(): RunningSums {
    return {
      limit_nano_usd: safeNumber(this.#limit),
      spent_nano_usd: safeNumber(this.#spent),
      held_nano_usd: safeNumber(this.#held),
    };
  }

  /** Applies an event; where it cannot happen, says why and changes nothing. */
  apply(event: LedgerEvent): AccountProblem | null {
    if (this.#unreported !== null && event.kind !== 'breach') {
      return problem('breach-not-reported', `the overrun of ${this.#unreported.id} is not followed by its breach`);
    }
    switch (event.kind) {
      case 'reserve':
        return this.#reserve(event);
      case 'breach':
        return this.#reportBreach(event);
      case 'amendment':
        return this.#amend(event);
      default:
        return this.#resolve(event);
    }
  }

  #reserve(event: Extract<LedgerEvent, { kind: 'reserve' }>): AccountProblem | null {
    const amount = BigInt(event.amount_nano_usd);
    if (this.#breached) return problem('breached', 'a settled cost exceeded its reservation, so admission has stopped');
    if (event.id !== this.nextId) return problem('wrong-id', `the id ${event.id} stands where ${this.nextId} was due`);
    if (this.#spent + this.#held + amount > this.#limit) {
      return problem(
        'exhausted',
        `${showUsd(amount)} USD beside ${showUsd(this.#spent)} spent and ${showUsd(this.#held)} held of ${showUsd(this.#limit)}`,
      );
    }
    const { id, arm, stage, fixture, unit } = event;
    const sums = this.#sumsOf(arm, stage, fixture);
    this.#lastNumber += 1;
    this.#held += amount;
    for (const sum of sums) {
      sum.held += amount;
      sum.sends += 1;
    }
    this.#open.set(id, { id, amount, attribution: { arm, stage, fixture, unit }, sums });
    return null;
  }

  #resolve(event: Extract<LedgerEvent, { kind: 'settle' | 'release' | 'hold' }>): AccountProblem | null {
    const open = this.#open.get(event.id);
    if (open === undefined)
      return problem('not-open', `${event.id} is no open reservation: unknown, or resolved before`);
    const { amount, sums } = open;
    if (event.kind === 'hold') {
      for (const sum of sums) sum.uncertain += amount;
      this.#open.delete(event.id);
      return null;
    }
    const cost = event.kind === 'settle' ? BigInt(event.cost_nano_usd) : 0n;
    if (this.#spent + cost > BigInt(Number.MAX_SAFE_INTEGER)) {
      return problem('unsafe-amount', `a cost of ${cost} cannot be booked exactly beside ${this.#spent} spent`);
    }
    this.#open.delete(event.id);
    this.#held -= amount;
    this.#spent += cost;
    for (const sum of sums) {
      sum.held -= amount;
      sum.spent += cost;
      if (event.kind === 'release' && !event.sent) sum.sends -= 1;
    }
    if (cost > amount) {
      this.#breached = true;
      this.#unreported = { id: event.id, excess: cost - amount };
    }
    return null;
  }

  #reportBreach(event: Extract<LedgerEvent, { kind: 'breach' }>): AccountProblem | null {
    const due = this.#unreported;
    if (due === null || due.id !== event.id || due.excess !== BigInt(event.excess_nano_usd)) {
      return problem('no-breach', `a breach of ${event.excess_nano_usd} by ${event.id} is reported, which was none`);
    }
    this.#unreported = null;
    return null;
  }

  #amend(event: Extract<LedgerEvent, { kind: 'amendment' }>): AccountProblem | null {
    const [from, to] = [BigInt(event.from_nano_usd), BigInt(event.to_nano_usd)];
    if (from !== this.#limit || to <= from) {
      return problem('wrong-limit', `an amendment from ${from} to ${to} does not raise the limit of ${this.#limit}`);
    }
    this.#limit = to;
    return null;
  }

  /** The account as the port shows it; groups by arm (what all arms share first), then by stage. */
  totals(): LedgerTotals {
    const groups = [...this.#groups.values()].sort(byArmAndStage);
    return {
      limit_nano_usd: this.#limit,
      breached: this.#breached,
      spent_nano_usd: this.#spent,
      held_nano_usd: this.#held,
      uncertain_nano_usd: groups.reduce((sum, group) => sum + group.uncertain, 0n),
      sends: groups.reduce((sum, group) => sum + group.sends, 0),
      by_arm_and_stage: groups.map((group) => ({ arm: group.arm, stage: group.stage, ...sumsOf(group) })),
    };
  }

  /** What all arms share, by fixture and stage, in the order of their first calls. */
  shared(): readonly SharedSums[] {
    return [...this.#shared.values()].map((group) => ({
      fixture: group.fixture,
      stage: group.stage,
      ...sumsOf(group),
    }));
  }

  /** The sums that a reservation is a part of. */
  #sumsOf(arm: string | null, stage: Stage, fixture: string): readonly Sums[] {
    const key = JSON.stringify([arm, stage]);
    const group = this.#groups.get(key) ?? { arm, stage, ...noSums() };
    this.#groups.set(key, group);
    if (arm !== null) return [group];
    const sharedKey = JSON.stringify([fixture, stage]);
    const shared = this.#shared.get(sharedKey) ?? { fixture, stage, ...noSums() };
    this.#shared.set(sharedKey, shared);
    return [group, shared];
  }
}

function noSums(): Sums {
  return { spent: 0n, held: 0n, uncertain: 0n, sends: 0 };
}

function sumsOf(group: Sums): LedgerSums {
  return {
    spent_nano_usd: group.spent,
    held_nano_usd: group.held,
    uncertain_nano_usd: group.uncertain,
    sends: group.sends,
  };
}

function byArmAndStage(a: Group, b: Group): number {
  if (a.arm !== b.arm) {
    if (a.arm === null) return -1;
    if (b.arm === null) return 1;
    return a.arm < b.arm ? -1 : 1;
  }
  return STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage);
}

function problem(reason: AccountProblem['reason'], message: string): AccountProblem {
  return { reason, message };
}
