import type pg from 'pg';

/** One migration: numbered by its name, never edited once released. */
export interface Migration {
  /** e.g. `0001-beliefs`. */
  readonly name: string;
  readonly sql: string;
}

/** A running server that this invocation may make databases on (PG-1). */
export interface PostgresServer {
  readonly kind: 'embedded' | 'existing';
  /** As the server says it, e.g. `18.4`. */
  readonly version: string;
  /** What the user should know of it: why the kept cluster is not used, what a killed run had left. */
  readonly notes: readonly string[];
  /**
   * Makes an empty scratch database, cloned from the migrated template (PG-2). Clones are serialised. The template is made once for
   * a set of migrations.
   *
   * @throws kind `database` (exit 8) with the server's own words and the remedy.
   */
  createScratch(migrations: readonly Migration[]): Promise<ScratchDatabase>;
  /**
   * The control database, which outlasts every run: made and marked where it is missing, and made durable (PG-5). Of ledgers that live in
   * Postgres; nobody else asks for it.
   *
   * @returns a pool that `close` ends.
   * @throws kind `database` (exit 8): `POSTGRES_NO_CONTROL_DATABASE` on a server that goes with the run, `POSTGRES_NAME_TAKEN`.
   */
  openControl(): Promise<pg.Pool>;
  /**
   * The control database as the runtime's role, which row security binds (PG-4); it is made as `openControl` makes it. For what it keeps of owners.
   *
   * @returns a pool that `close` ends.
   * @throws as `openControl`, and `POSTGRES_RUNTIME_PRIVILEGED` (exit 8).
   */
  openControlRuntime(): Promise<pg.Pool>;
  /** Drops a scratch database in the background, one after another, while other work goes on. What fails here fails `close`. */
  dropLater(scratch: ScratchDatabase): void;
  /** Drops what this invocation made and still holds, and stops the server where nobody else uses it. */
  close(): Promise<void>;
}

/** One cell's own database. */
export interface ScratchDatabase {
  readonly name: string;
  /** Logged in as the runtime's role: neither superuser nor able to bypass row security (PG-4). */
  readonly runtime: pg.Pool;
  /** Logged in as the database's owner; for migrations and the parity snapshot, never handed to the runtime. */
  readonly admin: pg.Pool;
  /** Closes both pools and drops the database, which carries this tool's mark (PG-3). */
  drop(): Promise<void>;
}
