import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { databaseUnavailable } from '../../core/errors.js';

/** Any statement's runner: a pool, or one of its clients. */
export type Querier = Pick<pg.ClientBase, 'query'>;

// Any fixed number that is this tool's own: the first key of every advisory lock of ledgers. The second is a session, or 0 for the schema.
export const LEDGER_LOCKS = 1_380_794_690;

const FOLDER = new URL('./sql/', import.meta.url);

/** Numbered, in order, never edited once released. */
function migrations(): { readonly name: string; readonly sql: string }[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(new URL(file, FOLDER), 'utf8') }));
}

/**
 * Brings the ledger's schema of a database up to this version. Of several at once, one does it.
 *
 * @throws `LEDGER_SCHEMA_NEWER` (exit 8) where a later version of this tool made it.
 */
export async function ensureLedgerSchema(client: Querier): Promise<void> {
  const known = migrations();
  await client.query('begin');
  try {
    await client.query('select pg_catalog.pg_advisory_xact_lock($1, 0)', [LEDGER_LOCKS]);
    const applied = await appliedMigrations(client);
    const unknown = applied?.filter((name) => known.every((migration) => migration.name !== name)) ?? [];
    if (unknown.length > 0) {
      throw databaseUnavailable(
        'LEDGER_SCHEMA_NEWER',
        `the ledger's database has ${unknown.join(', ')}, which this version does not know`,
        {
          remedy: 'use the version of recall-matrix that made it, or name another database for the ledger',
        },
      );
    }
    if (applied === null) {
      await client.query(
        `create schema recall_matrix_ledger; revoke all on schema recall_matrix_ledger from public;
         create table recall_matrix_ledger.migration (name text primary key, applied_at timestamptz not null default now())`,
      );
    }
    for (const { name, sql } of known.filter((migration) => !(applied ?? []).includes(migration.name))) {
      await client.query(sql);
      await client.query('insert into recall_matrix_ledger.migration (name) values ($1)', [name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Null where the database has no ledgers. */
export async function appliedMigrations(client: Querier): Promise<string[] | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select pg_catalog.to_regclass('recall_matrix_ledger.migration') is not null as there`,
  );
  if (found[0]?.there !== true) return null;
  const { rows } = await client.query<{ name: string }>(
    'select name from recall_matrix_ledger.migration order by name',
  );
  return rows.map(({ name }) => name);
}
