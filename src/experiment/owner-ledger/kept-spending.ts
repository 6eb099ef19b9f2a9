import type { AdmissionMigration } from '../../memory/query-preparation/admission/admission-migrations.js';
import { takeEmbeddingSchemaDown } from '../../memory/query-preparation/admission/embedding-schema.js';
import {
  type EmbeddingSpend,
  readEmbeddingSpend,
  type SpendFilter,
} from '../../memory/query-preparation/admission/read-embedding-spend.js';
import type { OpenOptions } from '../../postgres/open.js';
import { visitControlDatabase } from '../../postgres/visit-control.js';

/** What owners spent on embeddings, of all runs on a server (SQ-9). Nothing is made where there is no ledger. */
export async function keptSpending(options: OpenOptions, filter: SpendFilter): Promise<EmbeddingSpend> {
  const found = await visitControlDatabase(options, (pool) => readEmbeddingSpend(pool, filter));
  return found ?? { migration: null, sums: [], receipts: null };
}

/**
 * Takes the owners' ledger of a server down, for an earlier version of this tool (SQ-11).
 *
 * @returns the migrations that were undone, the latest first; none where there is no ledger.
 * @throws as `takeEmbeddingSchemaDown` (exit 8).
 */
export async function takeSpendingDown(
  options: OpenOptions,
  to: AdmissionMigration | null,
): Promise<readonly string[]> {
  const undone = await visitControlDatabase(options, async (pool) => {
    const client = await pool.connect();
    try {
      return await takeEmbeddingSchemaDown(client, { to, now: options.clock.now() });
    } finally {
      client.release(true);
    }
  });
  return undone ?? [];
}
