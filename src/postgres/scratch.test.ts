import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/postgres.js';

const MIGRATIONS = [
  { name: '0001', sql: 'create schema s; create table s.t (a int); grant usage on schema s to public' },
];

test('PG-2 a scratch database is empty and has the template’s tables', async () => {
  const { runtime, admin } = await testDatabase(MIGRATIONS);
  expect((await admin.query('select * from s.t')).rows).toEqual([]);
  expect((await runtime.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
