import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { canonicalJson, type JsonValue } from '../core/canonical-json.js';
import type { Clock } from '../core/clock.js';
import { writeReplacing } from '../core/durable-files.js';
import { databaseUnavailable, internalFault, invalidInput, messageOf, RecallMatrixError } from '../core/errors.js';
import { openFileLedger } from '../ledger/file-ledger.js';
import type { Ledger } from '../ledger/ledger.js';
import { openPostgresLedger } from '../ledger/postgres/postgres-ledger.js';
import { readPostgresLedger } from '../ledger/postgres/read-postgres-ledger.js';
import { storedLines } from '../ledger/postgres/stored-lines.js';
import { type LedgerReport, readLedger } from '../ledger/read-ledger.js';
import { type Environment, environmentOf } from '../matrix/environment.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import { readDatabaseUrl } from '../postgres/address.js';
import { unsyncedSettings } from '../postgres/control-database.js';
import { openPostgres } from '../postgres/open.js';
import { closePool, LEDGER_ANSWER_WITHIN_MS, openPool } from '../postgres/pool.js';
import type { PostgresServer } from '../postgres/postgres.js';
import type { RunFolder } from './run-folder.js';
import type { SessionPlace } from './session-place.js';

/** Where a run's ledger lives (LG-11): in its folder, or in a database of which the folder tells. */
export type LedgerHome = z.output<typeof homeSchema>;

const homeSchema = z.discriminatedUnion('home', [
  z.strictObject({ home: z.literal('file') }),
  z.strictObject({
    home: z.literal('postgres'),
    /** The variable with the database's URL; null: the control database of the server that the run worked on. */
    url_env: z.string().nullable(),
    /** The matrix file, beside which a `.env` may set the variable. */
    matrix: z.string(),
  }),
]);
const fileSchema = z.object({ format: z.literal('ledger-home@1'), run: z.string(), ledger: homeSchema });

const HOME_FILE = 'ledger.home.json';
const LEDGER_CONNECTIONS = 2;

/** The home that a session's ledger has: what its matrix asks for, or where the run that it continues has it. */
export async function ledgerHomeOf(place: SessionPlace, loaded: LoadedMatrix): Promise<LedgerHome> {
  if (place.kind === 'continued') return (await readHomeFile(place.folder.path))?.ledger ?? { home: 'file' };
  const { home, url_env } = loaded.ledger;
  return home === 'file' ? { home } : { home, url_env, matrix: loaded.path };
}

/**
 * The URL of a ledger's database; null where none is named.
 *
 * @throws `ENV_MISSING` (exit 2).
 */
export function ledgerUrl(home: LedgerHome, environment: Environment): string | null {
  if (home.home === 'file' || home.url_env === null) return null;
  const value = environment[home.url_env];
  if (value !== undefined && value !== '') return value;
  throw invalidInput('ENV_MISSING', `the ledger: the environment variable ${home.url_env} is not set`, {
    remedy: `set ${home.url_env} to the URL of the ledger's database, or put it into a .env beside the matrix`,
  });
}

/** Opens a session's ledger. Of one in Postgres, the journal is written into the run folder when it is closed. */
export async function openRunLedger(options: {
  readonly home: LedgerHome;
  readonly place: SessionPlace;
  readonly folder: RunFolder;
  readonly loaded: LoadedMatrix;
  readonly environment: Environment;
  /** Null where no ledger is to be in its control database. */
  readonly postgres: PostgresServer | null;
  readonly clock: Clock;
  /** Hears why the journal could not be written into the folder. */
  readonly note: (text: string) => void;
}): Promise<Ledger> {
  const { home, place, folder, loaded, clock } = options;
  const opening =
    place.kind === 'continued'
      ? ({ mode: 'resume', limit: place.limit, amendLimit: place.amendLimit } as const)
      : ({ mode: 'create', limit: BigInt(loaded.matrix.budget_nano_usd) } as const);
  const whose = { clock, run: folder.id, ...opening };
  if (home.home === 'file') return openFileLedger({ path: folder.ledgerPath, ...whose });
  const database = await openLedgerDatabase(ledgerUrl(home, options.environment), options.postgres);
  const { pool, shown } = database;
  try {
    await refuseUnsynced(pool, shown);
    if (place.kind === 'new') {
      const text = JSON.stringify({ format: 'ledger-home@1', run: folder.id, ledger: home }, null, 2);
      await writeReplacing(join(folder.path, HOME_FILE), `${text}\n`);
    }
    const end = async (): Promise<void> => {
      await exportLines(pool, folder).catch((error: unknown) =>
        options.note(`the ledger was not written into the run folder (${messageOf(error)}); it is whole in ${shown}`),
      );
      await database.close();
    };
    return await openPostgresLedger({ pool, shown, ...whose, end });
  } catch (error) {
    await database.close();
    return rethrowUnusable(error, shown);
  }
}

/** A login or a database that is not there, rights that are missing, a standby: the server is there, and refuses. */
const UNUSABLE_STATES = /^(28...|3D000|42501|25006)$/;

/** @throws `LEDGER_UNREACHABLE` (exit 8) for what the user named wrongly, or may not use; anything else as it is. */
function rethrowUnusable(error: unknown, shown: string): never {
  const { code } = error as { readonly code?: unknown };
  if (error instanceof RecallMatrixError || typeof code !== 'string' || !UNUSABLE_STATES.test(code)) throw error;
  throw databaseUnavailable('LEDGER_UNREACHABLE', `the ledger cannot be used in ${shown}: ${messageOf(error)}`, {
    remedy: "see that the variable names the ledger's database, and that its user may use it",
    cause: error,
  });
}

interface LedgerDatabase {
  readonly pool: pg.Pool;
  readonly shown: string;
  close(): Promise<void>;
}

async function openLedgerDatabase(url: string | null, postgres: PostgresServer | null): Promise<LedgerDatabase> {
  if (url === null) {
    if (postgres === null)
      throw internalFault('LEDGER_WITHOUT_SERVER', 'a ledger on the server was asked for without one');
    const pool = await postgres.openControl();
    return { pool, shown: `the control database of the ${postgres.kind} Postgres server`, close: async () => {} };
  }
  return openUrlDatabase(url);
}

function openUrlDatabase(url: string): LedgerDatabase {
  const address = readDatabaseUrl(url);
  const database = address.config.database ?? address.config.user ?? 'postgres';
  const pool = openPool(address, {
    database,
    maxConnections: LEDGER_CONNECTIONS,
    isDurable: true,
    answerWithinMs: LEDGER_ANSWER_WITHIN_MS,
    applicationName: 'recall-matrix ledger',
  });
  return { pool, shown: `database ${database} of ${address.shown}`, close: () => closePool(pool) };
}

/** @throws `LEDGER_NOT_DURABLE` (exit 8): money is durable before the send, also where the machine crashes. */
async function refuseUnsynced(pool: pg.Pool, shown: string): Promise<void> {
  const unsynced = await unsyncedSettings(pool);
  if (unsynced.length === 0) return;
  throw databaseUnavailable('LEDGER_NOT_DURABLE', `${shown} runs with ${unsynced.join(' and ')} off`, {
    remedy: 'turn them on, or keep the ledger elsewhere: a crash of that machine could lose what was spent',
  });
}

async function exportLines(pool: pg.Pool, folder: RunFolder): Promise<void> {
  const lines: string[] = [];
  for await (const text of storedLines(pool, folder.id)) lines.push(`${text}\n`);
  await writeReplacing(folder.ledgerPath, lines.join(''));
}

/** What a run folder says of its ledger; null where that lies in it. */
async function readHomeFile(folder: string): Promise<z.output<typeof fileSchema> | null> {
  const path = join(folder, HOME_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw homeBroken(path, "does not say where the run's ledger is");
  }
}

/**
 * Refuses a run whose folder says otherwise than its manifest where its ledger is: a copy of it would be a second budget.
 *
 * @param bound what the manifest says; undefined where it says nothing.
 * @throws `LEDGER_HOME_BROKEN` (exit 2).
 */
export async function refuseOtherHome(folder: RunFolder, bound: unknown): Promise<void> {
  const found = await readHomeFile(folder.path);
  const home = found?.ledger ?? { home: 'file' };
  const isOwn = found === null || found.run === folder.id;
  if (isOwn && (bound === undefined || canonicalJson(bound as JsonValue) === canonicalJson(home))) return;
  throw homeBroken(join(folder.path, HOME_FILE), "does not say where this run's ledger is, as run.json does");
}

function homeBroken(path: string, what: string): Error {
  return invalidInput('LEDGER_HOME_BROKEN', `${path} ${what}`, {
    remedy: 'restore the file from a copy',
    location: { file: path },
  });
}

/** How a ledger's database is reached from outside a session. */
export interface LedgerReach {
  readonly environment: Environment;
  /** The server that the run worked on; null: the local one. */
  readonly databaseUrl: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Reads and verifies a run's ledger where it lives, and changes nothing.
 *
 * @param folder absolute.
 */
export async function readRunLedger(folder: string, reach: LedgerReach): Promise<LedgerReport> {
  const found = await readHomeFile(folder);
  if (found === null || found.ledger.home === 'file') return readLedger(join(folder, 'ledger.jsonl'));
  const { run, ledger: home } = found;
  const url = ledgerUrl(home, await environmentOf(home.matrix, reach.environment));
  const postgres = url === null ? await openPostgres(reach) : null;
  try {
    const database = url === null ? await openLedgerDatabase(null, postgres) : openUrlDatabase(url);
    try {
      return await readPostgresLedger(database.pool, run, database.shown).catch((error) =>
        rethrowUnusable(error, database.shown),
      );
    } finally {
      await database.close();
    }
  } finally {
    await postgres?.close();
  }
}
