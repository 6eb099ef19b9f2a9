import { expect, it } from 'vitest';
import { OWNER, requestOf } from '../../../../test/support/admission-bench.js';
import {
  DAY,
  down,
  FIRST,
  NOW,
  onClient,
  SERIALISED,
  up,
  withIndexReceipts,
  withQueryReceipts,
} from '../../../../test/support/embedding-receipts.js';
import { testDatabase } from '../../../../test/support/postgres.js';
import type { ScratchDatabase } from '../../../postgres/postgres.js';
import { takeEmbeddingSchemaDown } from './embedding-schema.js';
import { readIndexReceipts } from './index-receipt-reader.js';
import { receiptText } from './receipt-text.js';

const chargedOn = async ({ admin }: ScratchDatabase): Promise<unknown> =>
  (
    await admin.query(
      'select principal, day::text as day, sum(charge_micro_usd)::int as charged from recall_matrix_embedding.spend group by 1, 2 order by 1, 2',
    )
  ).rows;

it('SQ-11 index receipts read the same before the second migration, after it, and after it is undone', async () => {
  const database = await testDatabase([]);
  await withIndexReceipts(database);
  expect(await down(database, FIRST)).toEqual(['0002-query-receipts']);
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(SERIALISED);
  // As the first migration's version of the tool inserts: it knows neither kind nor deadline.
  const insert = `insert into recall_matrix_embedding.spend (tenant, principal, receipt, status, day, reserved_micro_usd, charge_micro_usd)
                  values ('lab', 'ada', $1, 'settled', '${DAY}', 9, 7)`;
  await database.admin.query(insert, ['run-1/x']);
  const settled = (id: string): string =>
    `{"charge_micro_usd":7,"day":"${DAY}","receipt":"${id}","reserved_micro_usd":9,"status":"settled"}`;
  const before = [...SERIALISED, settled('run-1/x')];
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(before);
  await up(database);
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(before);
  await database.admin.query(insert, ['run-1/y']);
  const ledger = await withQueryReceipts(database);
  const texts = (await ledger.receipts(OWNER, DAY)).map(receiptText);
  expect(texts.slice(0, 6)).toEqual([...before, settled('run-1/y')]);
  expect(texts.slice(6)).toEqual([
    `{"charge_micro_usd":2,"day":"${DAY}","deadline":"${DAY}T09:00:15.000Z","kind":"query","receipt":"run-2/f","reserved_micro_usd":20,"status":"settled"}`,
    `{"charge_micro_usd":20,"day":"${DAY}","deadline":"${DAY}T09:00:15.000Z","kind":"query","receipt":"run-2/g","reserved_micro_usd":20,"status":"unknown"}`,
  ]);
  // The first version knows no kinds: what queries were charged counts against the day there too.
  const all = await readIndexReceipts(database.runtime, OWNER, DAY);
  expect(all.slice(0, 6)).toEqual([...before, settled('run-1/y')]);
  const sums = await chargedOn(database);
  expect(await down(database, FIRST)).toEqual(['0002-query-receipts']);
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(all);
  expect(await chargedOn(database)).toEqual(sums);
  await up(database);
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(all);
  expect(await chargedOn(database)).toEqual(sums);
});

it('SQ-11 undoing the second migration is refused while a query is pending; one whose deadline has come becomes unknown first', async () => {
  const database = await testDatabase([]);
  const ledger = await withQueryReceipts(database);
  await ledger.reserve(requestOf(10_000n, { receipt: 'run-2/h', kind: 'query' }));
  const sums = await chargedOn(database);
  for (const to of [FIRST, null] as const) {
    await expect(down(database, to)).rejects.toMatchObject({
      code: 'EMBEDDING_QUERY_PENDING',
      exitCode: 8,
      remedy: expect.stringMatching(/./),
    });
  }
  expect((await ledger.receipts(OWNER, DAY)).at(-1)).toMatchObject({ kind: 'query', status: 'pending' });
  const late = await onClient(database.admin, (client) =>
    takeEmbeddingSchemaDown(client, { to: FIRST, now: `${DAY}T09:00:15.000Z` }),
  );
  expect(late).toEqual(['0002-query-receipts']);
  expect((await readIndexReceipts(database.runtime, OWNER, DAY)).at(-1)).toContain(
    '"run-2/h","reserved_micro_usd":10,"status":"unknown"',
  );
  expect(await chargedOn(database)).toEqual(sums);
});

it('SQ-11 SQ-8 a query whose deadline only a clock far ahead can have set does not keep the second migration until it comes', async () => {
  const database = await testDatabase([]);
  const ledger = await withQueryReceipts(database);
  await ledger.reserve(requestOf(10_000n, { receipt: 'run-2/h', kind: 'query' }));
  const downAt = (now: string): Promise<string[]> =>
    onClient(database.admin, (client) => takeEmbeddingSchemaDown(client, { to: FIRST, now: `${DAY}T${now}Z` }));
  await expect(downAt('08:59:45.000')).rejects.toMatchObject({ code: 'EMBEDDING_QUERY_PENDING' });
  expect(await downAt('08:59:44.999')).toEqual(['0002-query-receipts']);
});

it('SQ-11 a process of this version meets a ledger that was taken down under it with an error that says so', async () => {
  const database = await testDatabase([]);
  const ledger = await withQueryReceipts(database);
  await down(database, FIRST);
  await expect(ledger.reserve(requestOf(1n))).rejects.toMatchObject({
    code: 'EMBEDDING_LEDGER_DOWNGRADED',
    exitCode: 8,
  });
});

it('SQ-11 undoing locks the owner table, then the spend table, and waits for whoever is within', async () => {
  const database = await testDatabase([]);
  await withQueryReceipts(database);
  const locksOfOthers = async (): Promise<unknown> =>
    (
      await database.admin.query(
        `select c.relname::text as name, l.granted from pg_locks l join pg_class c on c.oid = l.relation
          where l.mode = 'AccessExclusiveLock' and c.relname in ('owner', 'spend') order by 1`,
      )
    ).rows;
  const within = await database.runtime.connect();
  try {
    await within.query('begin; lock table recall_matrix_embedding.owner in row share mode');
    const refused = onClient(database.admin, (client) =>
      takeEmbeddingSchemaDown(client, { to: FIRST, now: NOW, lockTimeoutMs: 50 }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'EMBEDDING_LEDGER_IN_USE', exitCode: 8 });
    await within.query('commit; begin; select from recall_matrix_embedding.spend');
    const undone = down(database, FIRST);
    await expect.poll(locksOfOthers).toEqual([
      { name: 'owner', granted: true },
      { name: 'spend', granted: false },
    ]);
    await within.query('commit');
    expect(await undone).toEqual(['0002-query-receipts']);
  } finally {
    within.release(true);
  }
});
