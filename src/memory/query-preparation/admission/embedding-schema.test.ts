import { expect, it } from 'vitest';
import { OWNER } from '../../../../test/support/admission-bench.js';
import {
  DAY,
  down,
  NOW,
  onClient,
  SERIALISED,
  tables,
  up,
  withIndexReceipts,
} from '../../../../test/support/embedding-receipts.js';
import { testDatabase } from '../../../../test/support/postgres.js';
import { takeEmbeddingSchemaDown } from './embedding-schema.js';
import { parseIndexReceipt, readIndexReceipts } from './index-receipt-reader.js';

it('SQ-11 index receipts are serialised in one shape, which its reader takes and no other', async () => {
  const database = await testDatabase([]);
  await withIndexReceipts(database);
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(SERIALISED);
  expect(await readIndexReceipts(database.runtime, OWNER, '2026-03-02')).toEqual([]);
  expect(SERIALISED.map((text) => parseIndexReceipt(text))[1]).toEqual({
    receipt: 'run-1/b',
    status: 'settled',
    day: DAY,
    reserved_micro_usd: 41,
    charge_micro_usd: 3,
  });
  const [first] = SERIALISED as [string];
  for (const wrong of [
    first.replace('"pending"', '"open"'),
    first.replace('"status"', '"kind":"index","status"'),
    first.replace('41', '-1'),
    first.replace(`"${DAY}"`, '"1 March"'),
    'text',
  ]) {
    expect(() => parseIndexReceipt(wrong), wrong).toThrow(expect.objectContaining({ code: 'INDEX_RECEIPT_INVALID' }));
  }
});

it('SQ-11 the first migration is not undone while a charge is kept', async () => {
  const database = await testDatabase([]);
  const ledger = await withIndexReceipts(database);
  await expect(down(database, null)).rejects.toMatchObject({
    code: 'EMBEDDING_CHARGES_KEPT',
    exitCode: 8,
    remedy: expect.stringMatching(/./),
  });
  expect(await ledger.receipts(OWNER, DAY)).toHaveLength(4);
});

it('SQ-11 it is undone where there is none, and made again', async () => {
  const database = await testDatabase([]);
  await up(database);
  await up(database);
  expect(await tables(database)).toEqual(['migration', 'owner', 'spend']);
  expect(await down(database, null)).toContain('0001-index-receipts');
  expect(await tables(database)).toEqual(['migration']);
  expect(await down(database, null)).toEqual([]);
  await withIndexReceipts(database);
  expect(await readIndexReceipts(database.runtime, OWNER, DAY)).toEqual(SERIALISED);
});

it('SQ-11 a schema of a later version is refused, up and down', async () => {
  const database = await testDatabase([]);
  await up(database);
  await database.admin.query(`insert into recall_matrix_embedding.migration (name) values ('9999-later')`);
  for (const change of [up(database), down(database, null)]) {
    await expect(change).rejects.toMatchObject({ code: 'EMBEDDING_SCHEMA_NEWER', exitCode: 8 });
  }
});

it('SQ-11 undoing fails closed where row security hides rows', async () => {
  const database = await testDatabase([]);
  await withIndexReceipts(database);
  const role = `plain_keeper_${process.pid}`;
  await onClient(database.admin, async (client) => {
    await client.query(
      `create role ${role}; grant all on schema recall_matrix_embedding to ${role};
       grant all on all tables in schema recall_matrix_embedding to ${role};
       alter table recall_matrix_embedding.spend owner to ${role}; alter table recall_matrix_embedding.owner owner to ${role}`,
    );
    try {
      for (const setting of ['on', 'off']) {
        await client.query(`set row_security = ${setting}; set role ${role}`);
        const refused = takeEmbeddingSchemaDown(client, { to: null, now: NOW });
        await expect(refused).rejects.toMatchObject({ code: 'EMBEDDING_ROWS_HIDDEN', exitCode: 8 });
        await client.query('reset role; reset row_security');
      }
    } finally {
      await client.query(`reset role; drop owned by ${role} cascade; drop role ${role}`);
    }
  });
});
