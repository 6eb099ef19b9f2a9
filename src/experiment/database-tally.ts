import type { Clock } from '../core/clock.js';
import type { PostgresServer } from '../postgres/postgres.js';

/** Making and dropping one scratch database takes about so long on a quiet machine (docs/decisions/postgres.md), in seconds. */
const SECONDS_EACH = { least: 0.1, most: 0.25 } as const;

/** Counts a server's scratch databases, and the time that cells waited for them: with a fixture a question they are what a run costs most of. */
export class DatabaseTally {
  #made = 0;
  #waitedMs = 0;
  readonly server: PostgresServer;

  constructor(inner: PostgresServer, clock: Clock) {
    this.server = {
      kind: inner.kind,
      version: inner.version,
      notes: inner.notes,
      createScratch: async (migrations) => {
        const start = clock.monotonicMs();
        const database = await inner.createScratch(migrations);
        this.#made += 1;
        this.#waitedMs += clock.monotonicMs() - start;
        return database;
      },
      openControl: () => inner.openControl(),
      openControlRuntime: () => inner.openControlRuntime(),
      dropLater: (scratch) => inner.dropLater(scratch),
      close: () => inner.close(),
    };
  }

  /** In words; null where none was made. Cells wait side by side, so that this is more than what the run was longer for. */
  get told(): string | null {
    if (this.#made === 0) return null;
    return `scratch databases: ${this.#made} made; cells waited ${showSeconds(this.#waitedMs / 1000)} for them, in sum`;
  }
}

/** What a plan says of the databases that its run will make: one a cell (PG-2), and one a recording. */
export function expectedDatabases(databases: number): string {
  const [least, most] = [SECONDS_EACH.least, SECONDS_EACH.most].map((each) => showSeconds(databases * each));
  return `Scratch databases: ${databases}, one a cell and one a recording; to make and drop them takes about ${least === most ? most : `${least} to ${most}`} on a quiet machine.`;
}

/** `40 s`, or minutes from two on. */
export function showSeconds(seconds: number): string {
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
