import { expect, test } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { recallMigrations } from '../recall/recall-migrations.js';
import { beliefMigrations } from './belief-migrations.js';

const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()], { per: 'suite' });

test('PG-4 every table that holds an owner’s data has forced row security and a policy, whichever tables there are', async () => {
  const { rows } = await database().admin.query<{ name: string; forced: boolean; policies: number }>(
    `select c.oid::regclass::text as name, c.relrowsecurity and c.relforcerowsecurity as forced,
            (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polcmd = 'r') as policies
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('memory', 'search') and c.relkind in ('r', 'p')`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(8);
  expect(rows.filter(({ forced, policies }) => !forced || policies === 0)).toEqual([]);
});

test('PG-4 every view of them is read with the rights, and the rows, of who reads it', async () => {
  const { rows } = await database().admin.query<{ name: string; invoker: boolean }>(
    `select c.oid::regclass::text as name, coalesce('security_invoker=true' = any (c.reloptions), false) as invoker
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('memory', 'search') and c.relkind in ('v', 'm')`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(rows.filter(({ invoker }) => !invoker)).toEqual([]);
});

test('PG-4 no function of them runs with its owner’s rights', async () => {
  const { rows } = await database().admin.query<{ name: string; definer: boolean }>(
    `select p.proname as name, p.prosecdef as definer from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('memory', 'search')`,
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ definer }) => definer)).toEqual([]);
});
