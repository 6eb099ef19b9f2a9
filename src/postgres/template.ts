import pg from 'pg';
import { digestJson, shortDigest } from '../core/digest.js';
import { databaseUnavailable, internalFault, messageOf, RecallMatrixError } from '../core/errors.js';
import { type Invocation, markOf } from './invocation.js';
import { dropMarkedDatabase, findDatabase, markStatement, NAME_PREFIX } from './mark.js';
import { closePool, openPool, type ServerAddress } from './pool.js';
import type { Migration } from './postgres.js';

/** The name of the template of a set of migrations, made by one login of a server. */
export function templateName(migrations: readonly Migration[], owner: string): string {
  return `${NAME_PREFIX}template_${shortDigest(digestJson({ owner, migrations: migrations.map(({ name, sql }) => ({ name, sql })) }), 16)}`;
}

/**
 * Makes a template where it is missing (PG-2). It is built under a name of the invocation's own and renamed when it is whole: a crash leaves no
 * half template. Nobody can connect to it afterwards, so no clone can fail because somebody is.
 *
 * @param admin a connection that holds the clone lock.
 * @returns whether this call made it.
 * @throws `POSTGRES_NAME_TAKEN` where an unmarked database, or another user's, has its name.
 */
export async function ensureTemplate(
  admin: Pick<pg.Pool, 'query'>,
  address: ServerAddress,
  name: string,
  migrations: readonly Migration[],
  invocation: Invocation,
): Promise<boolean> {
  const found = await findDatabase(admin, name);
  if (found !== null) {
    if (found.isOwn && found.mark?.kind === 'template') return false;
    throw databaseUnavailable('POSTGRES_NAME_TAKEN', `a database ${name} is there that this tool did not make`, {
      remedy: 'rename or remove that database, or use another server',
    });
  }
  const building = `${NAME_PREFIX}${invocation.id}_building`;
  await createDatabase(admin, building, 'template0', invocation, 'template', 'wal_log');
  try {
    await migrate(address, building, migrations);
    await admin.query(`alter database ${pg.escapeIdentifier(building)} with allow_connections false`);
    await admin.query(`alter database ${pg.escapeIdentifier(building)} rename to ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    await dropMarkedDatabase(admin, building);
    throw error;
  }
  return true;
}

/**
 * How Postgres copies a template. Copying files forces checkpoints: quicker where nothing is synced (28 ms against 41 ms), and a burden on
 * a server that others use.
 */
export type CloneStrategy = 'file_copy' | 'wal_log';

/** Makes a marked database that nobody but its owner may connect to. */
export async function createDatabase(
  admin: Pick<pg.Pool, 'query'>,
  name: string,
  template: string,
  invocation: Invocation,
  kind: 'template' | 'scratch' | 'control',
  strategy: CloneStrategy,
): Promise<void> {
  const database = pg.escapeIdentifier(name);
  // From template0 everything is stated; a clone has what its template has.
  const fixed = template === 'template0' ? ` encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C'` : '';
  await admin.query(
    `create database ${database} template ${pg.escapeIdentifier(template)}${fixed} strategy ${strategy}`,
  );
  await admin.query(
    `${markStatement('database', name, markOf(invocation, kind))};\nrevoke all on database ${database} from public`,
  );
}

async function migrate(address: ServerAddress, database: string, migrations: readonly Migration[]): Promise<void> {
  const pool = openPool(address, { database, maxConnections: 1, applicationName: 'recall-matrix migrations' });
  try {
    for (const migration of migrations) await applyMigration(pool, migration);
  } finally {
    await closePool(pool);
  }
}

async function applyMigration(pool: pg.Pool, { name, sql }: Migration): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('commit');
  } catch (error) {
    if (error instanceof RecallMatrixError) throw error;
    throw internalFault('MIGRATION_FAILED', `migration ${name} failed: ${messageOf(error)}`, { cause: error });
  } finally {
    // A failed transaction goes with its connection.
    client.release(true);
  }
}
