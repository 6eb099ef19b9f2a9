import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase, testServerUrl } from '../../test/support/postgres.js';
import { dropMarkedDatabase, dropMarkedRole, markStatement, parseMark } from './mark.js';

describe('PG-3 marks', () => {
  const pool = new pg.Pool({ connectionString: testServerUrl(), max: 1 });
  const names = ['recall_matrix_theirs', 'recall_matrix_quoted"; drop table x; --', 'unrelated'];
  beforeAll(async () => {
    for (const name of names) await pool.query(`create database ${pg.escapeIdentifier(name)} template template0`);
  });
  afterAll(async () => {
    for (const name of names) await pool.query(`drop database if exists ${pg.escapeIdentifier(name)}`);
    await pool.end();
  });
  const isThere = async (name: string): Promise<boolean> =>
    (await pool.query('select from pg_database where datname = $1', [name])).rowCount === 1;

  test('PG-3 a database with our prefix and no mark of ours is never dropped', async () => {
    const [theirs] = names as [string, string, string];
    for (const comment of [
      null,
      'recall-matrix',
      '{"tool":"recall-matrix"}',
      '{"tool":"other","format":"postgres-mark@1","kind":"scratch","invocation":"x"}',
    ]) {
      await pool.query(`comment on database ${theirs} is ${comment === null ? 'null' : pg.escapeLiteral(comment)}`);
      expect(await dropMarkedDatabase(pool, theirs)).toBe(false);
      expect(await isThere(theirs)).toBe(true);
    }
  });

  test('PG-3 the mark lets it be dropped (positive control), whatever its name holds', async () => {
    const name = names[1] as string;
    await pool.query(markStatement('database', name, { kind: 'scratch', invocation: `a'b`, owner: null }));
    expect(await dropMarkedDatabase(pool, name)).toBe(true);
    expect(await isThere(name)).toBe(false);
    expect(await dropMarkedDatabase(pool, name)).toBe(false);
  });

  test('PG-3 a mark on a database of another name is not enough', async () => {
    await pool.query(markStatement('database', 'unrelated', { kind: 'scratch', invocation: 'a', owner: null }));
    expect(await dropMarkedDatabase(pool, 'unrelated')).toBe(false);
    expect(await isThere('unrelated')).toBe(true);
  });

  test('PG-3 a scratch database whose mark was taken away survives its own drop', async () => {
    const scratch = await testDatabase([]);
    await pool.query(`comment on database ${scratch.name} is 'mine now'`);
    await scratch.drop();
    expect(await isThere(scratch.name)).toBe(true);
    await pool.query(`drop database ${scratch.name}`);
  });

  test('PG-3 a role without a mark is never dropped', async () => {
    await pool.query('create role recall_matrix_somebody');
    expect(await dropMarkedRole(pool, 'recall_matrix_somebody')).toBe(false);
    await pool.query(markStatement('role', 'recall_matrix_somebody', { kind: 'role', invocation: 'a', owner: null }));
    expect(await dropMarkedRole(pool, 'recall_matrix_somebody')).toBe(true);
  });

  test('PG-3 what is no mark reads as none', () => {
    for (const comment of [null, '', 'text', '[]', 'null', '1', '{}']) expect(parseMark(comment)).toBeNull();
  });
});
