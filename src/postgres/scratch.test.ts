import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { testDatabase, testServer, testServerUrl, useTestDatabase } from '../../test/support/postgres.js';
import { systemClock } from '../core/clock.js';
import { openPostgres } from './open.js';
import type { Migration } from './postgres.js';

const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001-rows',
    sql: `create schema s; grant usage on schema s to public;
          create table s.row (owner text not null, text text not null);
          alter table s.row enable row level security; alter table s.row force row level security;
          create policy own on s.row using (owner = current_setting('app.owner', true));
          grant select, insert on s.row to public`,
  },
  { name: '0002-more', sql: `insert into s.row values ('ann', 'hers'), ('bob', 'his')` },
];

describe('PG-2 scratch databases', () => {
  test('PG-2 each has what the migrations made, and nothing of another', async () => {
    const one = await testDatabase(MIGRATIONS);
    const two = await testDatabase(MIGRATIONS);
    await one.admin.query(`insert into s.row values ('ann', 'only here')`);
    const count = 'select count(*)::int as n from s.row';
    expect((await one.admin.query(count)).rows).toEqual([{ n: 3 }]);
    expect((await two.admin.query(count)).rows).toEqual([{ n: 2 }]);
  });

  test('PG-2 R-48 many clones at once, from two invocations, all succeed', async () => {
    const other = await openPostgres({
      databaseUrl: testServerUrl(),
      clock: systemClock,
      signal: new AbortController().signal,
      keepTemplates: true,
    });
    try {
      const servers = [await testServer(), other];
      const made = await Promise.all(
        servers.flatMap((server) => [1, 2, 3].map(() => server.createScratch(MIGRATIONS))),
      );
      expect(new Set(made.map(({ name }) => name)).size).toBe(6);
      await Promise.all(made.map((scratch) => scratch.drop()));
    } finally {
      await other.close();
    }
  });

  test('PG-2 R-48 nobody can connect to a template, so nobody can be in the way of a clone', async () => {
    const { admin } = await testDatabase(MIGRATIONS);
    const { rows } = await admin.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'recall\\_matrix\\_template\\_%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name } of rows) {
      const client = new pg.Client({ connectionString: testServerUrl().replace('/postgres?', `/${name}?`) });
      await expect(client.connect()).rejects.toThrow(/not currently accepting connections/);
    }
  });

  test('PG-2 another set of migrations has a template of its own', async () => {
    const { admin } = await testDatabase([...MIGRATIONS, { name: '0003', sql: 'create table s.third (a int)' }]);
    expect((await admin.query(`select to_regclass('s.third')::text as name`)).rows).toEqual([{ name: 's.third' }]);
    const plain = await testDatabase(MIGRATIONS);
    expect((await plain.admin.query(`select to_regclass('s.third')::text as name`)).rows).toEqual([{ name: null }]);
  });

  test('PG-2 a migration that fails names itself and leaves no half template', async () => {
    const broken = [...MIGRATIONS, { name: '0003-broken', sql: 'create table s.third (a int); select nonsense' }];
    const server = await testServer();
    await expect(server.createScratch(broken)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringContaining('0003-broken'),
    });
    await expect(server.createScratch(broken)).rejects.toMatchObject({ code: 'MIGRATION_FAILED' });
    const { admin } = await testDatabase(MIGRATIONS);
    expect((await admin.query(`select datname from pg_database where datname like '%\\_building'`)).rows).toEqual([]);
  });
});

describe('PG-1 what is fixed', () => {
  const database = useTestDatabase(MIGRATIONS, { per: 'suite' });

  test('PG-1 encoding, collation, text search and session settings do not depend on the server or the machine', async () => {
    for (const pool of [database().runtime, database().admin]) {
      const { rows } = await pool.query(
        `select pg_encoding_to_char(encoding) as encoding, datcollate, datctype, datlocprovider as provider,
                current_setting('TimeZone') as zone, current_setting('search_path') as path,
                current_setting('default_text_search_config') as text_search, current_setting('row_security') as row_security
           from pg_database where datname = current_database()`,
      );
      expect(rows).toEqual([
        {
          encoding: 'UTF8',
          datcollate: 'C',
          datctype: 'C',
          provider: 'c',
          zone: 'UTC',
          path: '',
          text_search: 'pg_catalog.english',
          row_security: 'on',
        },
      ]);
    }
  });
});

describe('PG-4 the runtime’s role', () => {
  const database = useTestDatabase(MIGRATIONS);

  test('PG-4 row security binds it; the administrator sees every row', async () => {
    const { runtime, admin } = database();
    const all = 'select owner from s.row order by owner';
    expect((await admin.query(all)).rows).toEqual([{ owner: 'ann' }, { owner: 'bob' }]);
    expect((await runtime.query(all)).rows).toEqual([]);
    const client = await runtime.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('app.owner', 'bob', true)`);
      expect((await client.query(all)).rows).toEqual([{ owner: 'bob' }]);
      await expect(client.query(`insert into s.row values ('ann', 'forged')`)).rejects.toThrow(/row-level security/);
      await client.query('rollback');
    } finally {
      client.release();
    }
  });

  test('PG-4 it is the session’s user, owns nothing, and can neither rise nor turn row security off', async () => {
    const { runtime } = database();
    const { rows } = await runtime.query(
      `select session_user = current_user as same, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
              (select count(*)::int from pg_class where relowner = r.oid) as owned,
              (select count(*)::int from pg_auth_members where member = r.oid) as memberships
         from pg_roles r where rolname = session_user`,
    );
    expect(rows).toEqual([
      {
        same: true,
        rolsuper: false,
        rolbypassrls: false,
        rolcreatedb: false,
        rolcreaterole: false,
        owned: 0,
        memberships: 0,
      },
    ]);
    await expect(runtime.query('set role postgres')).rejects.toThrow(/permission denied/);
    await expect(runtime.query('alter table s.row no force row level security')).rejects.toThrow(/must be owner/);
    await expect(
      runtime.query(`select set_config('row_security', 'off', false), (select count(*) from s.row)`),
    ).resolves.toBeDefined();
    await expect(runtime.query('set row_security = off; select * from s.row')).rejects.toThrow(/row-level security/);
    await expect(runtime.query('create table s.mine (a int)')).rejects.toThrow(/permission denied/);
  });

  test('PG-4 another role may not connect to a scratch database', async () => {
    const { admin, name } = database();
    const stranger = `stranger_${name}`.slice(0, 60);
    await admin.query(`create role ${stranger} login`);
    try {
      const url = testServerUrl().replace('postgres://postgres@', `postgres://${stranger}@`);
      await expect(
        new pg.Client({ connectionString: url.replace('/postgres?', `/${name}?`) }).connect(),
      ).rejects.toThrow(/permission denied/);
      const allowed = new pg.Client({ connectionString: url });
      await allowed.connect();
      await allowed.end();
    } finally {
      await admin.query(`drop role ${stranger}`);
    }
  });
});
