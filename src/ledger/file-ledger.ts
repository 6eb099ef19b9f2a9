import type { Clock } from '../core/clock.js';
import { writeExclusive } from '../core/durable-files.js';
import { budgetRefused, internalFault, invalidInput } from '../core/errors.js';
import { type Journal, openJournal } from '../core/journal.js';
import { Account, type AccountProblem } from './account.js';
import { LEDGER_FORMAT, type LedgerEvent, lineText, safeNumber } from './journal-line.js';
import { verifyJournal } from './journal-reader.js';
import type { Ledger, LedgerTotals, Reservation, ReservationRequest } from './ledger.js';
import { type NanoUsd, showUsd } from './money.js';
import { lockWriter, type WriterLock } from './writer-lock.js';

/** What a file ledger is opened with. */
export interface FileLedgerOptions {
  /** `ledger.jsonl`; its folder exists. */
  readonly path: string;
  /** `create` opens a new allowance; `resume` appends to the one that is there (LG-1). */
  readonly mode: 'create' | 'resume';
  /** The budget. On resume it must be the journal's, or higher with `amendLimit`. */
  readonly limit: NanoUsd;
  /** The run whose budget this is. */
  readonly run: string;
  readonly clock: Clock;
  /** Resume alone: the user asked for a higher limit; it is journalled (LG-10). */
  readonly amendLimit?: boolean;
}

/**
 * Opens the journal of a budget. On resume every line is verified, a torn end is cut off, and each reservation that a crash left open is
 * held as uncertain (LG-6).
 *
 * @throws exit 2: `LEDGER_EXISTS`, `LEDGER_MISSING`, `LEDGER_BROKEN`, `LEDGER_IN_USE`, `LEDGER_OTHER_RUN`, `LEDGER_LIMIT_CHANGED`.
 */
export async function openFileLedger(options: FileLedgerOptions): Promise<Ledger> {
  safeNumber(options.limit);
  const lock = await lockWriter(options.path, options.clock.now());
  try {
    return options.mode === 'create' ? await create(options, lock) : await resume(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function create(options: FileLedgerOptions, lock: WriterLock): Promise<Ledger> {
  const { path, limit, run, clock } = options;
  const account = new Account(limit);
  const opening = lineText({ format: LEDGER_FORMAT, run, opened_at: clock.now(), ...account.runningSums() });
  // Whole or not at all: a journal without its first line cannot be left behind.
  if (!(await writeExclusive(path, `${opening}\n`))) {
    throw invalidInput('LEDGER_EXISTS', `there is a ledger at ${path} already`, {
      remedy: 'resume its run, or start a new one',
    });
  }
  return new FileLedger(account, await openJournal(path, 'append'), clock, lock);
}

async function resume(options: FileLedgerOptions, lock: WriterLock): Promise<Ledger> {
  const { path, limit, run, clock } = options;
  const { opening, account } = await verifyJournal(path, () => {});
  if (opening.run !== run) {
    throw invalidInput('LEDGER_OTHER_RUN', `the ledger ${path} is that of run ${opening.run}, not of ${run}`);
  }
  refuseChangedLimit(options, account.limit);
  const ledger = new FileLedger(account, await openJournal(path, 'append'), clock, lock);
  try {
    await ledger.recover(limit);
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return ledger;
}

function refuseChangedLimit({ path, limit, amendLimit }: FileLedgerOptions, journalled: NanoUsd): void {
  if (limit === journalled || (limit > journalled && amendLimit === true)) return;
  throw invalidInput(
    'LEDGER_LIMIT_CHANGED',
    `the ledger ${path} has a limit of ${showUsd(journalled)} USD, the run now asks for ${showUsd(limit)} USD`,
    {
      remedy:
        limit > journalled
          ? 'ask for the higher limit as an amendment'
          : 'a limit is never lowered: restore it, or start a new run',
    },
  );
}

class FileLedger implements Ledger {
  readonly #account: Account;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #lock: WriterLock;
  /** Open reservations of calls that do not leave the process: they leave no line (LG-7, LG-12). */
  readonly #inProcess = new Set<string>();
  #inProcessCount = 0;
  #failure: unknown = null;
  #closed = false;

  constructor(account: Account, journal: Journal, clock: Clock, lock: WriterLock) {
    this.#account = account;
    this.#journal = journal;
    this.#clock = clock;
    this.#lock = lock;
  }

  /** Finishes what a crash left, and takes a higher limit. */
  async recover(limit: NanoUsd): Promise<void> {
    const lines: Promise<void>[] = [];
    const breach = this.#account.unreportedBreach;
    if (breach !== null) lines.push(this.#book(breach));
    for (const { id } of this.#account.openReservations()) {
      lines.push(this.#book({ kind: 'hold', id, reason: 'open-when-resumed' }));
    }
    const from = this.#account.limit;
    if (limit > from) {
      lines.push(this.#book({ kind: 'amendment', from_nano_usd: safeNumber(from), to_nano_usd: safeNumber(limit) }));
    }
    await Promise.all(lines);
  }

  async reserve(request: ReservationRequest): Promise<Reservation> {
    this.#assertUsable();
    const { amount_nano_usd, attribution } = request;
    if (!request.is_send) return this.#admitInProcess(request);
    if (amount_nano_usd > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw refusal({ reason: 'exhausted', message: `${amount_nano_usd} is more than any budget` });
    }
    const id = this.#account.nextId;
    const { arm, stage, fixture, unit } = attribution;
    await this.#book({
      kind: 'reserve',
      id,
      amount_nano_usd: safeNumber(amount_nano_usd),
      arm,
      stage,
      fixture,
      unit,
      body: request.body,
    });
    return { id, amount_nano_usd, attribution };
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
    const settled = this.#book({ kind: 'settle', id, cost_nano_usd: safeNumber(cost_nano_usd) });
    const breach = this.#account.unreportedBreach;
    await Promise.all(breach === null ? [settled] : [settled, this.#book(breach)]);
  }

  async release({ id }: Reservation, reason: string, sent: boolean): Promise<void> {
    if (!this.#resolvedInProcess(id)) await this.#book({ kind: 'release', id, sent, reason });
  }

  async hold({ id }: Reservation, reason: string): Promise<void> {
    if (!this.#resolvedInProcess(id)) await this.#book({ kind: 'hold', id, reason });
  }

  totals(): LedgerTotals {
    return this.#account.totals();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#journal.close();
    } finally {
      await this.#lock.release();
    }
  }

  #resolvedInProcess(id: string): boolean {
    this.#assertUsable();
    return this.#inProcess.delete(id);
  }

  #assertUsable(): void {
    if (this.#closed) throw internalFault('LEDGER_CLOSED', `the ledger ${this.#journal.path} is closed`);
    if (this.#failure !== null) throw this.#failure;
  }

  /** Decides in memory, at once; returns when the line is on the disk. Until then nothing that it admits may be sent. */
  async #book(event: LedgerEvent): Promise<void> {
    this.#assertUsable();
    const problem = this.#account.apply(event);
    if (problem !== null) throw refusal(problem);
    try {
      await this.#journal.append({ ...event, at: this.#clock.now(), ...this.#account.runningSums() });
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }
}

function refusal({ reason, message }: AccountProblem): Error {
  if (reason === 'exhausted') {
    return budgetRefused('BUDGET_EXHAUSTED', `the budget does not admit this call: ${message}`, {
      remedy: 'resume the run with a higher limit, or ask for less; what is done stays',
    });
  }
  if (reason === 'breached') {
    return budgetRefused('BUDGET_BREACHED', `no further call is admitted: ${message}`, {
      remedy: 'the price table or the overhead is too low for this model: correct it and start a new run',
    });
  }
  return internalFault('LEDGER_MISUSED', message, { details: { reason } });
}
