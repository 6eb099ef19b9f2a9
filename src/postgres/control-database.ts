import pg from 'pg';
import { databaseUnavailable } from '../core/errors.js';
import type { Invocation } from './invocation.js';
import { CONTROL_GRANT_LOCK, findDatabase, NAME_PREFIX } from './mark.js';
import { closePool, LEDGER_ANSWER_WITHIN_MS, openPool, type ServerAddress } from './pool.js';
import { checkRuntimeSession, type RuntimeLogin } from './runtime-role.js';
import { createDatabase } from './template.js';

/** The one control database of a server. */
export const CONTROL_DATABASE = `${NAME_PREFIX}control`;

const CONTROL_CONNECTIONS = 4;
/** What a server must do so that a commit survives a crash of the machine. */
const DURABLE = ['fsync', 'full_page_writes'] as const;

/**
 * Opens the control database, making it where it is missing (PG-5).
 *
 * @param client holds the lock under which databases are made.
 * @throws `POSTGRES_NAME_TAKEN` (exit 8) where an unmarked database, or another role's, has its name.
 */
export async function openControlDatabase(
  client: Pick<pg.ClientBase, 'query'>,
  address: ServerAddress,
  parts: { readonly invocation: Invocation; readonly syncFiles: (() => Promise<void>) | null },
): Promise<pg.Pool> {
  const found = await findDatabase(client, CONTROL_DATABASE);
  if (found === null) {
    await createDatabase(client, CONTROL_DATABASE, 'template0', parts.invocation, 'control', 'wal_log');
  } else refuseForeign(found);
  if (parts.syncFiles !== null) await makeDurable(client, parts.syncFiles);
  return openControlPool(address);
}

/**
 * Opens the control database where there is one, and makes nothing; null where there is none.
 *
 * @throws `POSTGRES_NAME_TAKEN` (exit 8), as `openControlDatabase`.
 */
export async function openControlIfThere(
  maintenance: Pick<pg.Pool, 'query'>,
  address: ServerAddress,
): Promise<pg.Pool | null> {
  const found = await findDatabase(maintenance, CONTROL_DATABASE);
  if (found === null) return null;
  refuseForeign(found);
  return openControlPool(address);
}

function refuseForeign(found: NonNullable<Awaited<ReturnType<typeof findDatabase>>>): void {
  if (found.isOwn && found.mark?.kind === 'control') return;
  const what = `a database ${CONTROL_DATABASE} is there that this tool did not make, or made for another role`;
  throw databaseUnavailable('POSTGRES_NAME_TAKEN', what, {
    remedy: 'rename that database, log in as its role, or name another server for the ledger',
  });
}

function openControlPool(address: ServerAddress, login?: RuntimeLogin): pg.Pool {
  return openPool(address, {
    database: CONTROL_DATABASE,
    maxConnections: CONTROL_CONNECTIONS,
    isDurable: true,
    answerWithinMs: LEDGER_ANSWER_WITHIN_MS,
    applicationName: login === undefined ? 'recall-matrix control' : 'recall-matrix control runtime',
    ...(login === undefined ? {} : { login }),
  });
}

/**
 * Opens the control database, which is there, as the runtime's role: row security binds it (PG-4). Its right to connect goes with the role.
 *
 * @throws `POSTGRES_RUNTIME_PRIVILEGED` (exit 8).
 */
export async function openControlAsRuntime(
  maintenance: Pick<pg.Pool, 'query'>,
  address: ServerAddress,
  login: RuntimeLogin,
): Promise<pg.Pool> {
  // One message is one transaction. Rights to one database that are granted at once fail on each other.
  await maintenance.query(
    `select pg_catalog.pg_advisory_xact_lock(${CONTROL_GRANT_LOCK});
     grant connect on database ${pg.escapeIdentifier(CONTROL_DATABASE)} to ${pg.escapeIdentifier(login.user)}`,
  );
  const pool = openControlPool(address, login);
  try {
    await checkRuntimeSession(pool, login);
    return pool;
  } catch (error) {
    await closePool(pool);
    throw error;
  }
}

/** From its first ledger on, a local cluster syncs what it writes: new settings, then everything that was written without. */
async function makeDurable(client: Pick<pg.ClientBase, 'query'>, syncFiles: () => Promise<void>): Promise<void> {
  if ((await unsyncedSettings(client)).length === 0) return;
  for (const setting of DURABLE) await client.query(`alter system set ${setting} = on`);
  await client.query('select pg_catalog.pg_reload_conf()');
  // The server takes new settings between two statements, a moment after it is told.
  while ((await unsyncedSettings(client)).length > 0) await client.query('select pg_catalog.pg_sleep(0.01)');
  await syncFiles();
  await client.query('checkpoint');
}

/** Those of the settings that a durable commit needs which are off. */
export async function unsyncedSettings(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_catalog.pg_settings where name = any ($1) and setting <> 'on' order by name`,
    [DURABLE],
  );
  return rows.map(({ name }) => name);
}
