import { expect, it } from 'vitest';
import { OWNER, requestOf } from '../../../../test/support/admission-bench.js';
import { DAY } from '../../../../test/support/embedding-receipts.js';
import { testDatabase } from '../../../../test/support/postgres.js';
import { postgresAdmissionBench } from '../../../../test/support/postgres-admission-bench.js';
import { sampleContext } from '../../../../test/support/preparation-context.js';
import type { ScratchDatabase } from '../../../postgres/postgres.js';
import type { EmbeddingTuple } from '../../../provider/embedding.js';
import type { EmbeddingAdmission } from '../admission.js';
import { createQueryPreparer } from '../query-preparer.js';

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
    context: sampleContext(tuple, true),
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
