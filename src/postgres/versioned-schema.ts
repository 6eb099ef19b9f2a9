import type pg from 'pg';
import type { Migration } from './postgres.js';

/** Any statement's runner: a pool, or one of its clients. */
export type Querier = Pick<pg.ClientBase, 'query'>;

/** A schema in a database that outlasts this version of the tool: which migrations it has is written in it. */
export interface VersionedSchema {
  /** The schema's name, as written in SQL. */
  readonly name: string;
  /** The first key of the advisory lock of whoever changes it; the second is 0. */
  readonly lock: number;
  /** Numbered, in order, never edited once released. */
  readonly migrations: readonly Migration[];
  /** The error for a database with migrations that this version does not know. */
  readonly newer: (unknown: string) => Error;
}

/**
 * Brings a database's schema up to this version. Of several at once, one does it.
 *
 * @param client one connection: this is a transaction.
 */
export async function bringUp(client: Querier, schema: VersionedSchema): Promise<void> {
  await changing(client, schema, async (applied) => {
    if (applied === null) {
      await client.query(
        `create schema ${schema.name}; revoke all on schema ${schema.name} from public;
         create table ${schema.name}.migration (name text primary key, applied_at timestamptz not null default now())`,
      );
    }
    for (const { name, sql } of schema.migrations.filter((migration) => !(applied ?? []).includes(migration.name))) {
      await client.query(sql);
      await client.query(`insert into ${schema.name}.migration (name) values ($1)`, [name]);
    }
  });
}

/**
 * Takes a database's schema down, the latest migration first, in one transaction: where one refuses, all stay.
 *
 * @param downs what undoes each migration, by its name.
 * @param to the migration that is to be the last; null for none.
 * @returns the migrations that were undone.
 */
export async function takeDown(
  client: Querier,
  schema: VersionedSchema,
  downs: readonly Migration[],
  to: string | null,
): Promise<string[]> {
  return changing(client, schema, async (applied) => {
    const undone = (applied ?? []).filter((name) => to === null || name > to).reverse();
    for (const name of undone) {
      const down = downs.find((each) => each.name === name);
      if (down === undefined) throw schema.newer(name);
      await client.query(down.sql);
      await client.query(`delete from ${schema.name}.migration where name = $1`, [name]);
    }
    return undone;
  });
}

/** Null where the database has no such schema. */
export async function appliedMigrations(
  client: Querier,
  { name }: Pick<VersionedSchema, 'name'>,
): Promise<string[] | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    'select pg_catalog.to_regclass($1) is not null as there',
    [`${name}.migration`],
  );
  if (found[0]?.there !== true) return null;
  const { rows } = await client.query<{ name: string }>(`select name from ${name}.migration order by name`);
  return rows.map((row) => row.name);
}

/** One transaction of whoever changes the schema alone, told what it has: of this version's migrations and no others. */
async function changing<Result>(
  client: Querier,
  schema: VersionedSchema,
  work: (applied: string[] | null) => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    await client.query('select pg_catalog.pg_advisory_xact_lock($1, 0)', [schema.lock]);
    const applied = await appliedMigrations(client, schema);
    const unknown = applied?.filter((name) => schema.migrations.every((migration) => migration.name !== name)) ?? [];
    if (unknown.length > 0) throw schema.newer(unknown.join(', '));
    const result = await work(applied);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
