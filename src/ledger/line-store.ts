import type { LedgerLine } from './journal-line.js';

/** Where a ledger's lines are kept: a file of this run's folder, or Postgres (LG-11). */
export interface LineStore {
  /** For messages: a path, or a server and a run; never with a password. */
  readonly place: string;
  /**
   * One turn, in which no other process writes: `decide` is handed the lines that others wrote since the turn before, and what it returns is
   * appended. Returns when that is durable, all of it; throws where it may not be. Turns do not overlap.
   */
  write(decide: (others: readonly LedgerLine[]) => readonly LedgerLine[]): Promise<void>;
  /** Ends the use of the store; resolves nothing. */
  close(): Promise<void>;
}
