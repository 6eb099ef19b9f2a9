import type { Clock } from '../core/clock.js';
import { writeExclusive } from '../core/durable-files.js';
import { invalidInput, RecallMatrixError } from '../core/errors.js';
import { type Journal, openJournal } from '../core/journal.js';
import { Account } from './account.js';
import { LEDGER_FORMAT, type LedgerLine, lineText, safeNumber } from './journal-line.js';
import { verifyJournal } from './journal-reader.js';
import { JournalledLedger } from './journalled-ledger.js';
import type { Ledger, NanoUsd } from './ledger.js';
import type { LineStore } from './line-store.js';
import { refuseChangedLimit } from './refusals.js';
import { lockWriter, type WriterLock } from './writer-lock.js';

/** What a file ledger is opened with. */
export interface FileLedgerOptions {
  /** `ledger.jsonl`; its folder exists. */
  readonly path: string;
  /**
   * `create` opens a new allowance; `resume` appends to the one that is there (LG-1), and refuses where a process writes it; `join` waits
   * until that process has closed it, so that several take turns.
   */
  readonly mode: 'create' | 'resume' | 'join';
  /** The budget. On resume it must be the journal's, or higher with `amendLimit`. */
  readonly limit: NanoUsd;
  /** The run whose budget this is. */
  readonly run: string;
  readonly clock: Clock;
  /** Resume and join alone: the user asked for a higher limit; it is journalled (LG-10). */
  readonly amendLimit?: boolean;
}

/** How long `join` waits for others. */
const JOIN_LIMIT_MS = 300_000;
const JOIN_POLL_MS = 10;

/**
 * Opens the journal of a budget. On resume every line is verified, a torn end is cut off, and each reservation that a crash left open is
 * held as uncertain (LG-6).
 *
 * @throws exit 2: `LEDGER_EXISTS`, `LEDGER_MISSING`, `LEDGER_BROKEN`, `LEDGER_IN_USE`, `LEDGER_OTHER_RUN`, `LEDGER_LIMIT_CHANGED`.
 */
export async function openFileLedger(options: FileLedgerOptions): Promise<Ledger> {
  safeNumber(options.limit);
  const lock = options.mode === 'join' ? await awaitTurn(options) : await lockWriter(options.path, options.clock.now());
  try {
    return options.mode === 'create' ? await create(options, lock) : await resume(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function awaitTurn({ path, clock }: FileLedgerOptions): Promise<WriterLock> {
  const deadline = clock.monotonicMs() + JOIN_LIMIT_MS;
  for (;;) {
    try {
      return await lockWriter(path, clock.now());
    } catch (error) {
      const isTaken = error instanceof RecallMatrixError && error.code === 'LEDGER_IN_USE';
      if (!isTaken || clock.monotonicMs() > deadline) throw error;
    }
    await clock.sleep(JOIN_POLL_MS);
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
  return new JournalledLedger(account, new FileLineStore(await openJournal(path, 'append'), lock), clock);
}

async function resume(options: FileLedgerOptions, lock: WriterLock): Promise<Ledger> {
  const { path, limit, run, clock } = options;
  const { opening, account } = await verifyJournal(path, () => {});
  if (opening.run !== run) {
    throw invalidInput('LEDGER_OTHER_RUN', `the ledger ${path} is that of run ${opening.run}, not of ${run}`, {
      remedy: 'put the ledger of this run back',
    });
  }
  refuseChangedLimit(options, account.limit, path);
  const store = new FileLineStore(await openJournal(path, 'append'), lock);
  const ledger = new JournalledLedger(account, store, clock);
  try {
    // Nobody else writes it: whoever left these open is gone.
    await ledger.recover(
      limit,
      account.openReservations().map(({ id }) => id),
    );
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return ledger;
}

/** A file has one writer at a time: nobody else writes between its turns. */
class FileLineStore implements LineStore {
  readonly #journal: Journal;
  readonly #lock: WriterLock;

  constructor(journal: Journal, lock: WriterLock) {
    this.#journal = journal;
    this.#lock = lock;
  }

  get place(): string {
    return this.#journal.path;
  }

  async write(decide: (others: readonly LedgerLine[]) => readonly LedgerLine[]): Promise<void> {
    await Promise.all(decide([]).map((line) => this.#journal.append(line)));
  }

  async close(): Promise<void> {
    try {
      await this.#journal.close();
    } finally {
      await this.#lock.release();
    }
  }
}
