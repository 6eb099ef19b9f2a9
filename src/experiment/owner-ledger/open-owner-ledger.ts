import type { Clock } from '../../core/clock.js';
import { databaseUnavailable, RecallMatrixError } from '../../core/errors.js';
import { embeddingCeilings } from '../../matrix/embedding-ceilings.js';
import { openPostgresAdmission } from '../../memory/query-preparation/admission/postgres-admission.js';
import type { EmbeddingAdmission } from '../../memory/query-preparation/admission.js';
import { unsyncedSettings } from '../../postgres/control-database.js';
import type { PostgresServer } from '../../postgres/postgres.js';
import { embeds, type PreparedRun } from '../prepare-run.js';

/** What the owner's ledger is opened for. */
export interface OwnerLedgerOptions {
  readonly prepared: PreparedRun;
  readonly use: { readonly reads: boolean; readonly sends?: false };
  readonly postgres: PostgresServer;
  readonly clock: Clock;
  /** Hears what the user should know of it. */
  readonly note: (text: string) => void;
}

/**
 * Opens the owner's ledger in the control database, where an invocation may send texts to be embedded. Where all vectors are replayed, where
 * the embedder runs in this process and where nothing is sent, the control database is left alone.
 *
 * @returns null where nothing is sent to be embedded.
 * @throws kind `database` (exit 8): `EMBEDDING_LEDGER_HOMELESS` on a server that goes with the run, and as `openPostgresAdmission`.
 */
export async function openOwnerLedger(options: OwnerLedgerOptions): Promise<EmbeddingAdmission | null> {
  const { prepared, use, postgres, clock, note } = options;
  const ceilings = embeddingCeilings(prepared.loaded.matrix);
  if (ceilings === null || use.sends === false || !embeds(prepared, use.reads)) return null;
  try {
    const admin = await postgres.openControl();
    const runtime = await postgres.openControlRuntime();
    const unsynced = await unsyncedSettings(admin);
    if (unsynced.length > 0)
      note(
        `the owner's embedding ledger lies on a server with ${unsynced.join(' and ')} off: a crash of its machine may lose what was spent today`,
      );
    return await openPostgresAdmission({ admin, runtime, clock, ceilings });
  } catch (error) {
    throw homeless(error) ?? error;
  }
}

function homeless(error: unknown): RecallMatrixError | null {
  if (!(error instanceof RecallMatrixError) || error.code !== 'POSTGRES_NO_CONTROL_DATABASE') return null;
  return databaseUnavailable(
    'EMBEDDING_LEDGER_HOMELESS',
    'embeddings are sent, and their ledger outlasts every run; this run has a database server of its own, which goes with it',
    {
      remedy:
        'see the note on the kept cluster (`recall-matrix doctor`), or name a server with --database-url; where vector banks hold every vector, nothing is sent and none is needed',
      cause: error,
    },
  );
}
