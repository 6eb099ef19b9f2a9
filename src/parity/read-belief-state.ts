import type pg from 'pg';
import type { JsonValue } from '../core/canonical-json.js';
import { digestJson } from '../core/digest.js';
import { databaseUnavailable, messageOf, RecallMatrixError } from '../core/errors.js';
import type { BeliefState, SealedState, StateRecord } from './parity.js';

const SCHEMA = 'memory';

// The catalogues themselves: the views of `information_schema` take ten times as long, and hide what a role may not touch.
const COLUMNS = `
select t.relname::text as table_name, a.attname::text as column_name, a.attidentity <> '' as is_identity,
  pg_catalog.format_type(a.atttypid, null) as data_type
from pg_catalog.pg_class t
join pg_catalog.pg_namespace n on n.oid = t.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = t.oid
where n.nspname = $1 and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
order by t.relname collate "C", a.attnum`;

const KEYS = `
select t.relname::text as table_name, a.attname::text as column_name
from pg_catalog.pg_constraint c
join pg_catalog.pg_class t on t.oid = c.conrelid
join pg_catalog.pg_namespace n on n.oid = t.relnamespace
cross join lateral unnest(c.conkey) with ordinality as k (attnum, place)
join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
where n.nspname = $1 and c.contype = 'p'
order by t.relname collate "C", k.place`;

const SEES_EVERY_ROW = 'select rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user';

interface Column {
  readonly column_name: string;
  readonly is_identity: boolean;
  readonly data_type: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
}

/**
 * Reads a whole belief state back from Postgres (ST-1): every column of every table of schema `memory`, of every owner, as the database
 * itself lists them. It knows nothing of what formed them, so it can leave nothing out with it.
 *
 * Records are in the order of the identity column, whose values become ranks from 1 (ST-2), or else of the primary key.
 *
 * @param admin logged in as the tables' owner, or as one who sees every row. Nothing is changed.
 * @throws kind `database`, `SNAPSHOT_FAILED`, where not everything can be read: a partial snapshot is never given.
 */
export async function readBeliefState(admin: pg.Pool): Promise<SealedState> {
  const state = await snapshot(admin);
  return {
    state,
    digest: digestJson(state),
    beliefs: state.tables.belief?.length ?? 0,
    people: state.tables.person?.length ?? 0,
  };
}

async function snapshot(admin: pg.Pool): Promise<BeliefState> {
  let client: pg.PoolClient | undefined;
  let broken: Error | undefined;
  try {
    client = await admin.connect();
    await client.query('begin isolation level repeatable read');
    return await readTables(client);
  } catch (cause) {
    if (cause instanceof RecallMatrixError) throw cause;
    throw databaseUnavailable('SNAPSHOT_FAILED', `the belief state cannot be read back: ${messageOf(cause)}`, {
      remedy: 'give the database role of this tool the ownership of its scratch databases, and a server that stays up',
      cause,
    });
  } finally {
    await client?.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    client?.release(broken);
  }
}

async function readTables(client: pg.PoolClient): Promise<BeliefState> {
  const tables = await tablesOf(client);
  await seeEveryRow(client, tables);
  const records: Record<string, readonly StateRecord[]> = {};
  for (const table of tables) records[table.name] = await recordsOf(client, table);
  return {
    format: 'belief-state@1',
    tables: records,
  };
}

async function tablesOf(client: pg.PoolClient): Promise<Table[]> {
  const columns = await client.query<Column & { table_name: string }>(COLUMNS, [SCHEMA]);
  const keys = await client.query<{ table_name: string; column_name: string }>(KEYS, [SCHEMA]);
  const names = [...new Set(columns.rows.map((row) => row.table_name))];
  if (names.length === 0) throw new Error(`there is no table in schema ${SCHEMA}`);
  return names.map((name) => ({
    name,
    columns: columns.rows.filter((row) => row.table_name === name),
    key: keys.rows.filter((row) => row.table_name === name).map((row) => row.column_name),
  }));
}

/** Row security that would hide a row is an error from here on. It is lifted for an owner whom it binds; the rollback puts it back. */
async function seeEveryRow(client: pg.PoolClient, tables: readonly Table[]): Promise<void> {
  const role = await client.query<{ sees: boolean }>(SEES_EVERY_ROW);
  if (role.rows[0]?.sees !== true) {
    for (const { name } of tables) {
      await client.query(`alter table ${quoted(SCHEMA)}.${quoted(name)} no force row level security`);
    }
  }
  await client.query("select set_config('row_security', 'off', true), set_config('extra_float_digits', '1', true)");
}

async function recordsOf(client: pg.PoolClient, table: Table): Promise<StateRecord[]> {
  const names = table.columns.map((column) => quoted(column.column_name)).join(', ');
  const { rows } = await client.query<{ record: Record<string, JsonValue> }>(
    `select to_json(r) as record from (select ${names} from ${quoted(SCHEMA)}.${quoted(table.name)}) r order by ${orderOf(table)}`,
  );
  const identity = table.columns.find((column) => column.is_identity)?.column_name;
  return rows.map(({ record }, index) => (identity === undefined ? record : { ...record, [identity]: index + 1 }));
}

function orderOf(table: Table): string {
  const identity = table.columns.filter((column) => column.is_identity);
  const key = table.columns.filter((column) => table.key.includes(column.column_name));
  const inKeyOrder = key.sort((a, b) => table.key.indexOf(a.column_name) - table.key.indexOf(b.column_name));
  // A table with neither is ordered by all that it holds, so that the order is never the server's.
  const columns = identity.length > 0 ? identity : inKeyOrder;
  return columns.length === 0 ? 'to_json(r)::text collate "C"' : columns.map(orderTerm).join(', ');
}

function orderTerm(column: Column): string {
  const isText = ['text', 'character varying', 'character'].includes(column.data_type);
  return `r.${quoted(column.column_name)}${isText ? ' collate "C"' : ''}`;
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
