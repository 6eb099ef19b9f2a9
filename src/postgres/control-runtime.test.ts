import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../../test/support/postgres-global-setup.js';
import { systemClock } from '../core/clock.js';
import { CONTROL_DATABASE } from './control-database.js';
import { openPostgres } from './open.js';
import type { PostgresServer } from './postgres.js';

/** A server of this file's own: a control database outlasts whoever made it. */
let server: Awaited<ReturnType<typeof startTestServer>>;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startTestServer();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

const open = (): Promise<PostgresServer> =>
  openPostgres({ databaseUrl: server.url, clock: systemClock, signal: new AbortController().signal });

async function rolesLeft(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select rolname::text as name from pg_roles where starts_with(rolname::text, 'recall_matrix_')`,
  );
  return rows.map(({ name }) => name);
}

test('PG-4 PG-5 the control database is entered as a role that row security binds, which goes at the end; the database stays', async () => {
  const opened = await open();
  const runtime = await opened.openControlRuntime();
  expect(await opened.openControlRuntime()).toBe(runtime);
  const { rows } = await runtime.query(
    `select session_user::text as user, current_database() as database, current_setting('synchronous_commit') as commit,
            rolsuper or rolbypassrls or rolcreatedb or rolcreaterole as privileged
       from pg_roles where rolname = session_user`,
  );
  const [role] = await rolesLeft();
  expect(rows).toEqual([{ user: role, database: CONTROL_DATABASE, commit: 'on', privileged: false }]);
  await expect(runtime.query('create schema mine')).rejects.toThrow(/permission denied/);
  await opened.close();
  expect(await rolesLeft()).toEqual([]);
  const { rows: stays } = await pool.query('select datname from pg_database where datname = $1', [CONTROL_DATABASE]);
  expect(stays).toHaveLength(1);
});

test('PG-5 invocations that enter it at once hinder nobody, and leave no right to it', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, open));
  const runtimes = await Promise.all(all.map((one) => one.openControlRuntime()));
  for (const runtime of runtimes) await runtime.query('select 1');
  await Promise.all(all.map((one) => one.close()));
  expect(await rolesLeft()).toEqual([]);
});

test('PG-4 nobody else may connect to it', async () => {
  await (await open()).close();
  await pool.query(`create role passer_by login password 'p'`);
  const { rows } = await pool.query(
    `select has_database_privilege('passer_by', $1, 'connect') as control, has_database_privilege('passer_by', current_database(), 'connect') as other`,
    [CONTROL_DATABASE],
  );
  expect(rows).toEqual([{ control: false, other: true }]);
});

test('PG-3 PG-5 an administrator who is no superuser can give that right, and take it back', async () => {
  await pool.query(`drop database ${CONTROL_DATABASE}`);
  await pool.query('create role keeper login createdb createrole bypassrls');
  const databaseUrl = server.url.replace(/\/\/[^@/]+@/, '//keeper@');
  const opened = await openPostgres({ databaseUrl, clock: systemClock, signal: new AbortController().signal });
  await (await opened.openControlRuntime()).query('select 1');
  await opened.close();
  expect(await rolesLeft()).toEqual([]);
});
