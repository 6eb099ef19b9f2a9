import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testServerUrl } from '../../test/support/postgres.js';
import { systemClock } from '../core/clock.js';
import { probePostgres } from './doctor.js';
import { openPostgres } from './open.js';
import { checkVersion, type ServerFacts } from './server-checks.js';

const signal = new AbortController().signal;
const open = (databaseUrl: string) => openPostgres({ databaseUrl, clock: systemClock, signal });
const MIGRATIONS = [
  {
    name: '0001',
    sql: `create schema s; grant usage on schema s to public; create table s.t (a int); grant select, insert on s.t to public;
          alter table s.t enable row level security; alter table s.t force row level security; create policy p on s.t for insert with check (true)`,
  },
];

describe('PG-1 PG-3 an existing server', () => {
  const pool = new pg.Pool({ connectionString: testServerUrl(), max: 1 });
  const user = `admin_${process.pid}`;
  const url = testServerUrl().replace('postgres://postgres@', `postgres://${user}:se%2Fcret@`);
  beforeAll(() => pool.query(`create role ${user} login`));
  afterEach(() => pool.query(`alter role ${user} nocreatedb nocreaterole nobypassrls`));
  afterAll(async () => {
    await pool.query(`drop role ${user}`);
    await pool.end();
  });
  /** What belongs to the login, and what has a name like an invocation's: other tests use the server at the same time. */
  const belongings = async (prefix = 'none'): Promise<unknown> =>
    (
      await pool.query(
        `select d.datname::text as name from pg_database d join pg_roles r on r.oid = d.datdba where r.rolname = $1 or starts_with(d.datname, $2)
          union select rolname from pg_roles where starts_with(rolname, $2)
          union select roleid::regrole::text from pg_auth_members where member = $1::regrole`,
        [user, prefix],
      )
    ).rows;

  test.each([
    ['CREATEDB', 'createrole bypassrls'],
    ['CREATEROLE', 'createdb bypassrls'],
    ['BYPASSRLS', 'createdb createrole'],
    ['CREATEDB, CREATEROLE, BYPASSRLS', ''],
  ])('PG-3 a login that lacks %s is refused, by name and with the remedy', async (missing, granted) => {
    if (granted !== '') await pool.query(`alter role ${user} ${granted}`);
    await expect(open(url)).rejects.toMatchObject({
      code: 'POSTGRES_MISSING_RIGHTS',
      exitCode: 8,
      message: expect.stringMatching(new RegExp(`lacks ${missing}$`)),
      remedy: expect.stringContaining('ALTER ROLE'),
    });
  });

  test('PG-1 PG-3 a login with those rights and no more works, and leaves nothing at close, held clients or not', async () => {
    await pool.query(`alter role ${user} createdb createrole bypassrls`);
    const server = await open(url);
    expect(server).toMatchObject({ kind: 'existing', version: expect.stringMatching(/^18\.\d+$/) });
    const dropped = await server.createScratch(MIGRATIONS);
    await dropped.drop();
    const held = await server.createScratch(MIGRATIONS);
    await held.runtime.query('insert into s.t values (1)');
    expect((await held.runtime.query('select * from s.t')).rows).toEqual([]);
    expect((await held.admin.query('select * from s.t')).rows).toEqual([{ a: 1 }]);
    const client = await held.runtime.connect();
    const prefix = held.name.replace(/_\d+$/, '');
    // The template, the scratch database and the runtime's role.
    expect(await belongings(prefix)).toHaveLength(3);
    await server.close();
    expect(await belongings(prefix)).toEqual([]);
    await expect(client.query('select 1')).rejects.toMatchObject({ code: 'POSTGRES_LOST', kind: 'database' });
    client.release();
    await expect(server.createScratch(MIGRATIONS)).rejects.toMatchObject({ code: 'POSTGRES_CLOSED' });
  });

  test('PG-3 an unreachable server gives the network’s words and never the password', async () => {
    const error = await open('postgres://someone:hunter2@127.0.0.1:1/db').catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'POSTGRES_UNREACHABLE',
      exitCode: 8,
      message: expect.stringMatching(/127\.0\.0\.1:1.*ECONNREFUSED/),
    });
    expect(`${(error as Error).message}${(error as { remedy: string }).remedy}${JSON.stringify(error)}`).not.toContain(
      'hunter2',
    );
  });

  test('PG-3 a server that refuses the login gives its own words', async () => {
    const nobody = testServerUrl().replace('postgres://postgres@', 'postgres://not_a_role:hunter2@');
    await expect(open(nobody)).rejects.toMatchObject({
      code: 'POSTGRES_UNREACHABLE',
      message: expect.stringContaining('role "not_a_role" does not exist'),
    });
  });

  test.each(['mysql://u:hunter2@h/d', 'hunter2', 'postgres://u:hunter2@h:99999999/d'])(
    'PG-3 a URL that cannot be read is not repeated (%#)',
    async (bad) => {
      const error = await open(bad).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'POSTGRES_BAD_URL', exitCode: 2 });
      expect(`${(error as Error).stack}${String((error as Error).cause)}`).not.toContain('hunter2');
    },
  );

  test('PG-3 a database that took our template’s name is refused and untouched', async () => {
    const { templateName } = await import('./template.js');
    const migrations = [{ name: '0001', sql: `create schema taken_${process.pid}` }];
    const name = templateName(migrations, 'postgres');
    await pool.query(`create database ${name} template template0`);
    const server = await open(testServerUrl());
    try {
      await expect(server.createScratch(migrations)).rejects.toMatchObject({
        code: 'POSTGRES_NAME_TAKEN',
        exitCode: 8,
      });
      expect((await pool.query('select from pg_database where datname = $1', [name])).rowCount).toBe(1);
    } finally {
      await server.close();
      await pool.query(`drop database ${name}`);
    }
  });

  test('PG-1 the probe tells what is there and makes nothing', async () => {
    await pool.query(`alter role ${user} createdb createrole bypassrls`);
    const facts = await probePostgres({ databaseUrl: url, clock: systemClock, signal });
    expect(facts).toMatchObject({ kind: 'existing', runsAs: `role ${user}`, cacheFolder: null });
    expect(await belongings()).toEqual([]);
  });
});

test('PG-1 PG-3 versions 15 to 18 are taken, others refused with what the server says', () => {
  const facts = (versionNumber: number): ServerFacts => ({
    versionNumber,
    versionText: `${versionNumber / 10_000} (Debian)`,
    user: 'u',
    isSuperuser: true,
    mayCreateDatabases: true,
    mayCreateRoles: true,
    bypassesRowSecurity: true,
  });
  for (const number of [150_000, 150_013, 180_004, 189_999])
    expect(() => checkVersion(facts(number), 'it')).not.toThrow();
  for (const number of [140_019, 149_999, 190_000]) {
    expect(() => checkVersion(facts(number), 'it')).toThrow(
      expect.objectContaining({
        code: 'POSTGRES_WRONG_VERSION',
        exitCode: 8,
        message: expect.stringContaining('(Debian)'),
      }),
    );
  }
});
