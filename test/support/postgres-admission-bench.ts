import { manualClock } from '../../src/core/clock.js';
import { openPostgresAdmission } from '../../src/memory/query-preparation/admission/postgres-admission.js';
import type { EmbeddingAdmission } from '../../src/memory/query-preparation/admission.js';
import type { ScratchDatabase } from '../../src/postgres/postgres.js';
import { type AdmissionBench, CEILINGS, type ManualClock } from './admission-bench.js';

/** The owner's ledger in a database of a test, emptied when the bench is disposed of. */
export async function postgresAdmissionBench(
  { admin, runtime }: ScratchDatabase,
  start?: string,
  clock: ManualClock = manualClock(start),
): Promise<AdmissionBench> {
  const opened: EmbeddingAdmission[] = [];
  return {
    clock,
    open: async (ceilings = {}) => {
      const ledger = await openPostgresAdmission({ admin, runtime, clock, ceilings: { ...CEILINGS, ...ceilings } });
      opened.push(ledger);
      return ledger;
    },
    dispose: async () => {
      for (const ledger of opened) await ledger.close();
      await admin.query(
        `set session_replication_role = replica; truncate recall_matrix_embedding.spend, recall_matrix_embedding.owner; reset session_replication_role`,
      );
    },
  };
}
