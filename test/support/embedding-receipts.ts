import type pg from 'pg';
import type { AdmissionMigration } from '../../src/memory/query-preparation/admission/admission-migrations.js';
import {
  ensureEmbeddingSchema,
  takeEmbeddingSchemaDown,
} from '../../src/memory/query-preparation/admission/embedding-schema.js';
import type { EmbeddingAdmission } from '../../src/memory/query-preparation/admission.js';
import type { ScratchDatabase } from '../../src/postgres/postgres.js';
import { OWNER, requestOf } from './admission-bench.js';
import { postgresAdmissionBench } from './postgres-admission-bench.js';

export const DAY = '2026-03-01';
export const FIRST = '0001-index-receipts';
/** Before the deadline of what is reserved in these tests. */
export const NOW = `${DAY}T09:00:14.999Z`;

export async function onClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

export const up = ({ admin }: ScratchDatabase): Promise<void> => onClient(admin, ensureEmbeddingSchema);
export const down = ({ admin }: ScratchDatabase, to: AdmissionMigration | null): Promise<string[]> =>
  onClient(admin, (client) => takeEmbeddingSchemaDown(client, { to, now: NOW }));
export const tables = async ({ admin }: ScratchDatabase): Promise<string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables where table_schema = 'recall_matrix_embedding' order by 1`,
  );
  return rows.map(({ name }) => name);
};

/** A ledger with an index receipt of every status, and one of another owner. */
export async function withIndexReceipts(database: ScratchDatabase): Promise<EmbeddingAdmission> {
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
export const SERIALISED = [
  `{"charge_micro_usd":41,"day":"${DAY}","receipt":"run-1/a","reserved_micro_usd":41,"status":"pending"}`,
  `{"charge_micro_usd":3,"day":"${DAY}","receipt":"run-1/b","reserved_micro_usd":41,"status":"settled"}`,
  `{"charge_micro_usd":0,"day":"${DAY}","receipt":"run-1/c","reserved_micro_usd":41,"status":"released"}`,
  `{"charge_micro_usd":41,"day":"${DAY}","receipt":"run-1/d","reserved_micro_usd":41,"status":"unknown"}`,
];

/** What a query of each outcome leaves; the ledger that made them. */
export async function withQueryReceipts(database: ScratchDatabase): Promise<EmbeddingAdmission> {
  const ledger = await (await postgresAdmissionBench(database, `${DAY}T09:00:00.000Z`)).open();
  const query = (receipt: string) => ledger.reserve(requestOf(20_000n, { receipt, kind: 'query' }));
  await query('run-2/f');
  await ledger.settle(OWNER, 'run-2/f', 1_500n);
  await query('run-2/g');
  await ledger.markUnknown(OWNER, 'run-2/g');
  return ledger;
}
