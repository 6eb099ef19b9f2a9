import type { Clock } from '../core/clock.js';
import { internalFault } from '../core/errors.js';
import type { Account } from './account.js';
import { type LedgerEvent, type LedgerLine, OPEN_WHEN_RESUMED, safeNumber } from './journal-line.js';
import type { Ledger, LedgerTotals, Reservation, ReservationRequest, SharedSums } from './ledger.js';
import type { LineStore } from './line-store.js';
import type { NanoUsd } from './money.js';
import { refusal } from './refusals.js';

interface Waiting {
  /** Made at its turn: the next id depends on who came before. Null: nothing is left to be done. */
  readonly event: (account: Account) => LedgerEvent | null;
  readonly resolve: (event: LedgerEvent | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The ledger over any store of lines (LG-11). Calls that wait together share one turn of the store, and so one sync (group commit, PF-6).
 * In a turn everything is decided in memory, in one synchronous step, after what other processes wrote has been booked.
 */
export class JournalledLedger implements Ledger {
  readonly #account: Account;
  readonly #store: LineStore;
  readonly #clock: Clock;
  /** Open reservations of calls that do not leave the process: they leave no line (LG-7, LG-12). */
  readonly #inProcess = new Set<string>();
  #inProcessCount = 0;
  #waiting: Waiting[] = [];
  #turns: Promise<void> | null = null;
  #failure: unknown = null;
  #closed = false;

  constructor(account: Account, store: LineStore, clock: Clock) {
    this.#account = account;
    this.#store = store;
    this.#clock = clock;
  }

  /** Finishes what a crash left: the reservations of those who are gone stay held (LG-6); and takes a higher limit. */
  async recover(limit: NanoUsd, left: readonly string[]): Promise<void> {
    const events: Waiting['event'][] = [
      (account) => account.unreportedBreach,
      // Another process that opens the ledger at the same time may have been quicker.
      ...left.map(
        (id): Waiting['event'] =>
          (account) =>
            account.isOpen(id) ? { kind: 'hold', id, reason: OPEN_WHEN_RESUMED } : null,
      ),
      (account) =>
        limit > account.limit
          ? { kind: 'amendment', from_nano_usd: safeNumber(account.limit), to_nano_usd: safeNumber(limit) }
          : null,
    ];
    await Promise.all(events.map((event) => this.#book(event)));
  }

  async reserve(request: ReservationRequest): Promise<Reservation> {
    this.#assertUsable();
    const { amount_nano_usd, attribution } = request;
    if (!request.is_send) return this.#admitInProcess(request);
    if (amount_nano_usd > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw refusal({ reason: 'exhausted', message: `${amount_nano_usd} is more than any budget` });
    }
    const { arm, stage, fixture, unit } = attribution;
    const call = { amount_nano_usd: safeNumber(amount_nano_usd), arm, stage, fixture, unit, body: request.body };
    const booked = await this.#book((account) => ({ kind: 'reserve', id: account.nextId, ...call }));
    return { id: (booked as Extract<LedgerEvent, { kind: 'reserve' }>).id, amount_nano_usd, attribution };
  }

  #admitInProcess({ amount_nano_usd, attribution }: ReservationRequest): Reservation {
    if (amount_nano_usd !== 0n) throw internalFault('LEDGER_IN_PROCESS_AMOUNT', 'a call that sends nothing reserves 0');
    if (this.#account.breached)
      throw refusal({ reason: 'breached', message: 'a settled cost exceeded its reservation' });
    this.#inProcessCount += 1;
    const id = `in-process-${this.#inProcessCount}`;
    this.#inProcess.add(id);
    return { id, amount_nano_usd, attribution };
  }

  async settle({ id }: Reservation, cost_nano_usd: NanoUsd): Promise<void> {
    if (this.#resolvedInProcess(id)) {
      if (cost_nano_usd !== 0n) throw internalFault('LEDGER_IN_PROCESS_AMOUNT', 'a call that sends nothing costs 0');
      return;
    }
    const cost = safeNumber(cost_nano_usd);
    await this.#book(() => ({ kind: 'settle', id, cost_nano_usd: cost }));
  }

  async release({ id }: Reservation, reason: string, sent: boolean): Promise<void> {
    if (!this.#resolvedInProcess(id)) await this.#book(() => ({ kind: 'release', id, sent, reason }));
  }

  async hold({ id }: Reservation, reason: string): Promise<void> {
    if (!this.#resolvedInProcess(id)) await this.#book(() => ({ kind: 'hold', id, reason }));
  }

  totals(): LedgerTotals {
    return this.#account.totals();
  }

  shared(): readonly SharedSums[] {
    return this.#account.shared();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#turns;
    await this.#store.close();
  }

  #resolvedInProcess(id: string): boolean {
    this.#assertUsable();
    return this.#inProcess.delete(id);
  }

  #assertUsable(): void {
    if (this.#closed) throw internalFault('LEDGER_CLOSED', `the ledger ${this.#store.place} is closed`);
    if (this.#failure !== null) throw this.#failure;
  }

  /** Returns when the line is durable. Until then nothing that it admits may be sent. */
  #book(event: Waiting['event']): Promise<LedgerEvent | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.#turns ??= this.#takeTurns();
    });
  }

  async #takeTurns(): Promise<void> {
    // Let every call of this turn of the event loop join the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const booked: (() => void)[] = [];
      try {
        if (this.#failure !== null) throw this.#failure;
        await this.#store.write((others) => this.#decide(others, batch, booked));
        for (const tell of booked) tell();
      } catch (error) {
        // The account may be ahead of what is durable: what is on the disk decides after a resume.
        this.#failure ??= error;
        for (const { reject } of batch) reject(this.#failure);
      }
    }
    this.#turns = null;
  }

  #decide(others: readonly LedgerLine[], batch: readonly Waiting[], booked: (() => void)[]): LedgerLine[] {
    for (const line of others) {
      const problem = this.#account.apply(line);
      if (problem !== null)
        throw internalFault('LEDGER_DIVERGED', `a line of another process in ${this.#store.place}: ${problem.message}`);
    }
    const lines: LedgerLine[] = [];
    for (const { event, resolve, reject } of batch) {
      const wanted = event(this.#account);
      if (wanted === null) {
        booked.push(() => resolve(null));
        continue;
      }
      const problem = this.#account.apply(wanted);
      if (problem === null) {
        lines.push(this.#line(wanted));
        const breach = this.#account.unreportedBreach;
        if (breach !== null && this.#account.apply(breach) === null) lines.push(this.#line(breach));
        booked.push(() => resolve(wanted));
      } else reject(refusal(problem));
    }
    return lines;
  }

  #line(event: LedgerEvent): LedgerLine {
    return { ...event, at: this.#clock.now(), ...this.#account.runningSums() };
  }
}
