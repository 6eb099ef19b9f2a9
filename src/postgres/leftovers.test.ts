import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../../test/support/postgres-global-setup.js';
import { systemClock } from '../core/clock.js';
import { systemProcesses } from '../core/process-mark.js';
import { cleanPostgres } from './doctor.js';
import { declareLiving, newInvocation } from './invocation.js';
import { dropLeftovers, findLeftovers } from './leftovers.js';
import { type Mark, markStatement } from './mark.js';
import { openPostgres } from './open.js';

/** A server of this file's own: on the shared one any other test's run would be the next run, and remove what is left here. */
let server: Awaited<ReturnType<typeof startTestServer>>;
let pool: pg.Pool;
const self = systemProcesses.self();
const dead = { ...self, pid: 2 ** 22 + 7, started: '1' };
const elsewhere = { host: 'elsewhere', pid: 1, started: null };
const open = () =>
  openPostgres({
    databaseUrl: server.url,
    clock: systemClock,
    signal: new AbortController().signal,
    keepTemplates: true,
  });

/** Marked databases by what their names end with; the second one's invocation holds its lock. */
const MARKS: Readonly<Record<string, Mark | null>> = {
  dead: { kind: 'scratch', invocation: '00000001ff', owner: dead },
  locked: { kind: 'scratch', invocation: '00000002ff', owner: dead },
  living: { kind: 'scratch', invocation: '00000003ff', owner: self },
  elsewhere: { kind: 'scratch', invocation: '00000004ff', owner: elsewhere },
  early: { kind: 'scratch', invocation: '00000005ff', owner: null },
  control_copy: { kind: 'control', invocation: '00000006ff', owner: dead },
  unmarked: null,
};
const nameOf = (end: string): string => `recall_matrix_left_${end}`;
let living: pg.PoolClient;

beforeAll(async () => {
  server = await startTestServer();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  living = await pool.connect();
  await declareLiving(living, { id: '00000002ff', owner: self });
});
afterAll(async () => {
  for (const end of Object.keys(MARKS)) await pool.query(`drop database if exists ${nameOf(end)}`);
  living.release(true);
  await pool.end();
  await server.stop();
});

async function make(ends: readonly string[]): Promise<void> {
  for (const end of ends) {
    const mark = MARKS[end] ?? null;
    await pool.query(`drop database if exists ${nameOf(end)}`);
    await pool.query(`create database ${nameOf(end)} template template0`);
    if (mark !== null) await pool.query(markStatement('database', nameOf(end), mark));
  }
}

async function present(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select substr(datname, 20) as name from pg_database where starts_with(datname, 'recall_matrix_left_') order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe('PG-5 what killed runs left on a server', () => {
  test('PG-3 PG-5 the next run removes what is marked, and whose process on this machine is dead; nothing else', async () => {
    await make(Object.keys(MARKS));
    const opened = await open();
    await opened.close();
    expect(opened.notes).toEqual(['removed 1 scratch databases that a killed run had left']);
    expect(await present()).toEqual(['control_copy', 'early', 'elsewhere', 'living', 'locked', 'unmarked']);
    const { kept } = await findLeftovers(pool, 'existing');
    const why = (end: string): string | undefined => kept.find(({ name }) => name === nameOf(end))?.why;
    expect(why('unmarked')).toBe('it carries no mark of this tool');
    expect(why('living')).toBe('its process lives');
    expect(why('elsewhere')).toBe('whether its process lives cannot be known from here');
  });

  test('PG-5 on our own cluster, whoever holds no lock has ended, wherever they ran', async () => {
    await make(['elsewhere', 'locked', 'unmarked', 'control_copy']);
    const { dead: found } = await findLeftovers(pool, 'embedded');
    const names = found.map(({ name }) => name);
    expect(names).toContain(nameOf('elsewhere'));
    for (const end of ['locked', 'unmarked', 'control_copy']) expect(names).not.toContain(nameOf(end));
  });

  test('PG-5 a role that was left goes after the database that it may enter', async () => {
    const invocation = { ...newInvocation(), owner: dead };
    const role = `recall_matrix_${invocation.id}_runtime`;
    await make(['dead']);
    await pool.query(
      `create role ${role}; ${markStatement('role', role, { kind: 'role', invocation: invocation.id, owner: dead })};
       grant connect on database ${nameOf('dead')} to ${role}`,
    );
    const dropped = await dropLeftovers(pool, await findLeftovers(pool, 'existing'));
    const ours = dropped.map(({ name }) => name).filter((name) => [nameOf('dead'), role].includes(name));
    expect(ours).toEqual([nameOf('dead'), role]);
  });

  test('PG-5 a role that was left goes though it may enter a database that stays', async () => {
    const invocation = { ...newInvocation(), owner: dead };
    const role = `recall_matrix_${invocation.id}_runtime`;
    await make(['control_copy']);
    await pool.query(
      `create role ${role}; ${markStatement('role', role, { kind: 'role', invocation: invocation.id, owner: dead })};
       grant connect on database ${nameOf('control_copy')} to ${role}`,
    );
    const opened = await Promise.all([open(), open()]);
    await Promise.all(opened.map((one) => one.close()));
    const { rows } = await pool.query('select from pg_roles where rolname = $1', [role]);
    expect(rows).toEqual([]);
    expect(await present()).toContain('control_copy');
  });

  test('PG-5 two that remove the same at once hinder nobody', async () => {
    await make(['dead']);
    const opened = await Promise.all([open(), open(), open()]);
    await Promise.all(opened.map((one) => one.close()));
    expect(await present()).not.toContain('dead');
  });

  test('PG-5 doctor removes the same, with templates, and tells of what it left alone', async () => {
    await make(['dead', 'living', 'unmarked']);
    // A login of its own, so that the templates of other tests stay.
    await pool.query('drop role if exists left_doctor; create role left_doctor superuser login');
    for (const end of ['dead', 'living', 'unmarked'])
      await pool.query(`alter database ${nameOf(end)} owner to left_doctor`);
    const url = server.url.replace(/\/\/[^@/]+@/, '//left_doctor@');
    const options = { databaseUrl: url, clock: systemClock, signal: new AbortController().signal };
    const opened = await openPostgres({ ...options, keepTemplates: true });
    // Made anew: opening has removed it.
    await make(['dead']);
    await pool.query(`alter database ${nameOf('dead')} owner to left_doctor`);
    await (await opened.createScratch([{ name: '0001', sql: 'create schema s' }])).drop();
    await opened.close();
    const report = await cleanPostgres(options);
    expect(report.removed.map(({ kind }) => kind).sort()).toEqual(['scratch', 'template']);
    expect(report.removed).toContainEqual({ object: 'database', name: nameOf('dead'), kind: 'scratch' });
    expect(report.kept.map(({ name }) => name)).toEqual(expect.arrayContaining([nameOf('living'), nameOf('unmarked')]));
    expect(await present()).toEqual(expect.arrayContaining(['living', 'unmarked']));
    for (const end of ['living', 'unmarked']) await pool.query(`drop database ${nameOf(end)}`);
    await pool.query('drop role left_doctor');
  });
});
