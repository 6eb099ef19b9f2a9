import type pg from 'pg';
import { expect, it } from 'vitest';
import { OWNER, requestOf } from '../../../../test/support/admission-bench.js';
import { testDatabase } from '../../../../test/support/postgres.js';
import { postgresAdmissionBench } from '../../../../test/support/postgres-admission-bench.js';
import { digestText } from '../../../core/digest.js';
import type { ScratchDatabase } from '../../../postgres/postgres.js';
import type { EmbeddingTuple } from '../../../provider/embedding.js';
import type { EmbeddingAdmission } from '../admission.js';
import { createQueryPreparer } from '../query-preparer.js';
import type { AdmissionMigration } from './admission-migrations.js';
import { ensureEmbeddingSchema, takeEmbeddingSchemaDown } from './embedding-schema.js';
import { parseIndexReceipt, readIndexReceipts } from './index-receipt-reader.js';
import { receiptText } from './receipt-text.js';

const DAY = '2026-03-01';
const FIRST = '0001-index-receipts';
/** Before the deadline of what is reserved in these tests. */
const NOW = `${DAY}T09:00:14.999Z`;

async function onClient<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const up = ({ admin }: ScratchDatabase): Promise<void> => onClient(admin, ensureEmbeddingSchema);
const down = ({ admin }: ScratchDatabase, to: AdmissionMigration | null): Promise<string[]> =>
  onClient(admin, (client) => takeEmbeddingSchemaDown(client, { to, now: NOW }));
const tables = async ({ admin }: ScratchDatabase): Promise<string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables where table_schema = 'recall_matrix_embedding' order by 1`,
  );
  return rows.map(({ name }) => name);
};

/** A ledger with an index receipt of every status, and one of another owner. */
async function withIndexReceipts(database: ScratchDatabase): Promise<EmbeddingAdmission> {
  const bench = await postgresAdmissionBench(database, `${DAY}T09:00:00.000Z`);
  const ledger = await bench.open();
  const ids = ['a', 'b', 'c', 'd'].map((letter) => `run-1/${letter}`) as [string, string, string, string];
  for (const receipt of ids) await ledger.reserve(requestOf(40_500n, { receipt }));
  await ledger.settle(OWNER, ids[1], 2_100n);
  await ledger.release(OWNER, ids[2]);
  await ledger.markUnknown(OWNER, ids[3]);
  await ledger.reserve(requestOf(1n, { owner: { tenant: 'lab', principal: 'bob' }, receipt: 'run-1/e' }));
  return ledger;
}

/** Exactly as the first migration's version of the tool serialises them. It never changes. */
const SERIALISED = [
  `{"charge_micro_usd":41,"day":"${DAY}","receipt":"run-1/a","reserved_micro_usd":41,"status":"pending"}`,
  `{"charge_micro_usd":3,"day":"${DAY}","receipt":"run-1/b","reserved_micro_usd":41,"status":"settled"}`,
  `{"charge_micro_usd":0,"day":"${DAY}","receipt":"run-1/c","reserved_micro_usd":41,"status":"released"}`,
  `{"charge_micro_usd":41,"day":"${DAY}","receipt":"run-1/d","reserved_micro_usd":41,"status":"unknown"}`,
];

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

/** What a query of each outcome leaves; the ledger that made them. */
async function withQueryReceipts(database: ScratchDatabase): Promise<EmbeddingAdmission> {
  const ledger = await (await postgresAdmissionBench(database, `${DAY}T09:00:00.000Z`)).open();
  const query = (receipt: string) => ledger.reserve(requestOf(20_000n, { receipt, kind: 'query' }));
  await query('run-2/f');
  await ledger.settle(OWNER, 'run-2/f', 1_500n);
  await query('run-2/g');
  await ledger.markUnknown(OWNER, 'run-2/g');
  return ledger;
}

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

it('SQ-11 the tables hold no text of a question and no vector, wherever one looks', async () => {
  const database = await testDatabase([]);
  const question = 'Where does Zebulon keep his astrolabe?';
  const vector = Float32Array.of(0.12345679, -0.98765433);
  const { ledger, receipt } = await prepareUnder(database, question, vector);
  expect(await ledger.receipts(OWNER, DAY)).toMatchObject([{ receipt, status: 'settled' }]);
  const bytes = Buffer.from(vector.buffer);
  const planted = [question, 'astrolabe', '0.12345', '98765433', bytes.toString('hex'), bytes.toString('base64')];
  for (const text of planted) expect(await found(database, text), text).toEqual([]);
  // The search finds what there is, in any column of any table.
  expect(await found(database, receipt)).toEqual(['spend.receipt']);
  expect(await found(database, 'ada')).toEqual(['owner.principal', 'spend.principal']);
  await database.admin.query(
    `create table recall_matrix_embedding.planted (v real[], b bytea); insert into recall_matrix_embedding.planted values ('{0.12345679}', '\\x${bytes.toString('hex')}')`,
  );
  expect(await found(database, '0.12345')).toEqual(['planted.v']);
  expect(await found(database, bytes.toString('hex'))).toEqual(['planted.b']);
});

/** Every column of every table of the schema in which some row has a text. */
async function found({ admin }: ScratchDatabase, text: string): Promise<string[]> {
  const { rows } = await admin.query<{ table: string; column: string }>(
    `select table_name::text as table, column_name::text as column from information_schema.columns
      where table_schema = 'recall_matrix_embedding' order by 1, 2`,
  );
  const names: string[] = [];
  for (const { table, column } of rows) {
    const { rows: hits } = await admin.query(
      `select from recall_matrix_embedding."${table}" where strpos("${column}"::text, $1) > 0 limit 1`,
      [text],
    );
    if (hits.length > 0) names.push(`${table}.${column}`);
  }
  return names;
}

/** A preparation whose provider reserves, embeds and settles as a metered one does. */
async function prepareUnder(
  database: ScratchDatabase,
  question: string,
  vector: Float32Array,
): Promise<{ readonly ledger: EmbeddingAdmission; readonly receipt: string }> {
  const bench = await postgresAdmissionBench(database, `${DAY}T09:00:00.000Z`);
  const ledger = await bench.open();
  const receipt = 'run-3/q';
  const tuple: EmbeddingTuple = { kind: 'openai', endpoint: 'https://api.example', model: 'm', dimensions: 2 };
  const preparer = createQueryPreparer({
    owner: OWNER,
    clock: bench.clock,
    provider: {
      tuple,
      embed: async (texts) => {
        expect(texts.join('')).toContain(question);
        await ledger.reserve(requestOf(5_000n, { receipt, kind: 'query' }));
        await ledger.settle(OWNER, receipt, 1_000n);
        return { vectors: [vector], reported_model: 'm', usage: null };
      },
    },
    context: {
      policy_version: 'facts@1',
      retrieval_policy_version: 'recall@1',
      surface: 's',
      task: digestText('task'),
      sensitivity_floor: 'internal',
      embedding: tuple,
      pricing: digestText('pricing'),
      egress: digestText('egress'),
    },
    onFailure: (error) => {
      throw error;
    },
  });
  const query = {
    owner: OWNER,
    scope: 'standard',
    candidates: 'permitted',
    read_ceiling: 'restricted',
    question,
    subjects: [],
  } as const;
  expect(await preparer.prepare([query], new AbortController().signal)).toEqual(['prepared']);
  return { ledger, receipt };
}
