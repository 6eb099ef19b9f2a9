import { databaseUnavailable, messageOf, type RecallMatrixError } from '../../../core/errors.js';
import {
  appliedMigrations,
  bringUp,
  type Querier,
  takeDown,
  type VersionedSchema,
} from '../../../postgres/versioned-schema.js';
import { ADMISSION_MIGRATIONS, type AdmissionMigration, admissionMigrations } from './admission-migrations.js';

/** Where the owner's ledger lies in the control database. */
export const EMBEDDING_SCHEMA = 'recall_matrix_embedding';

// Any fixed number that is this tool's own.
const SCHEMA_LOCK = 1_380_794_691;
/** How long a change of the schema waits for whoever holds an owner's lock, which nobody does for long. */
const LOCK_TIMEOUT_MS = 10_000;

function embeddingSchema(): VersionedSchema {
  return {
    name: EMBEDDING_SCHEMA,
    lock: SCHEMA_LOCK,
    migrations: admissionMigrations('up'),
    newer: (unknown) =>
      databaseUnavailable(
        'EMBEDDING_SCHEMA_NEWER',
        `the owner's ledger of embeddings has ${unknown}, which this version does not know`,
        { remedy: 'use the version of recall-matrix that made it, and its `doctor --embedding-ledger`, to go back' },
      ),
  };
}

/**
 * Brings the owner's ledger of a control database up to this version.
 *
 * @param client logged in as the database's owner.
 * @throws `EMBEDDING_SCHEMA_NEWER` (exit 8) where a later version of this tool made it.
 */
export async function ensureEmbeddingSchema(client: Querier): Promise<void> {
  await bringUp(client, embeddingSchema());
}

/**
 * The latest migration of a database's ledger; null where it has none.
 *
 * @throws `EMBEDDING_SCHEMA_NEWER` (exit 8).
 */
export async function latestAdmissionMigration(client: Querier): Promise<AdmissionMigration | null> {
  const last = (await appliedMigrations(client, { name: EMBEDDING_SCHEMA }))?.at(-1) ?? null;
  const known = ADMISSION_MIGRATIONS.find((name) => name === last);
  if (last !== null && known === undefined) throw embeddingSchema().newer(last);
  return known ?? null;
}

/** What the statements of a migration down refuse by, and what it means. */
const REFUSALS: Readonly<Record<string, readonly [code: string, remedy: string]>> = {
  RM001: [
    'EMBEDDING_ROWS_HIDDEN',
    'log in as a superuser or a role with BYPASSRLS: what cannot be seen cannot be checked',
  ],
  RM002: ['EMBEDDING_QUERY_PENDING', 'wait for that run to end; of one that was killed, fifteen seconds are enough'],
  RM003: ['EMBEDDING_CHARGES_KEPT', 'keep this schema: a version that knows no embedding ledger leaves it alone'],
  '55P03': ['EMBEDDING_LEDGER_IN_USE', 'wait for the runs that embed to end, then give the command again'],
};

/** How far down the owner's ledger is taken. */
export interface DownOptions {
  /** The migration that is to be the last; null for none. */
  readonly to: AdmissionMigration | null;
  /** An instant: queries whose deadline has come by then become unknown first. */
  readonly now: string;
  readonly lockTimeoutMs?: number;
}

/**
 * Takes the owner's ledger down to an earlier migration, for an earlier version of this tool (SQ-11). Owner and spend tables are locked; where
 * anything refuses, all stays as it is. Charges stay.
 *
 * @param client logged in as the database's owner.
 * @returns the migrations that were undone, the latest first.
 * @throws kind `database` (exit 8): `EMBEDDING_ROWS_HIDDEN`, `EMBEDDING_QUERY_PENDING`, `EMBEDDING_CHARGES_KEPT`, `EMBEDDING_LEDGER_IN_USE`,
 * `EMBEDDING_SCHEMA_NEWER`.
 */
export async function takeEmbeddingSchemaDown(
  client: Querier,
  { to, now, lockTimeoutMs = LOCK_TIMEOUT_MS }: DownOptions,
): Promise<string[]> {
  try {
    await client.query(`select set_config('recall.now', $1, false), set_config('lock_timeout', $2, false)`, [
      now,
      String(lockTimeoutMs),
    ]);
    return await takeDown(client, embeddingSchema(), admissionMigrations('down'), to);
  } catch (error) {
    throw refusalOf(error) ?? error;
  } finally {
    await client.query('reset recall.now; reset lock_timeout').catch(() => {});
  }
}

function refusalOf(error: unknown): RecallMatrixError | null {
  const refusal = REFUSALS[String((error as { readonly code?: unknown }).code)];
  if (refusal === undefined) return null;
  const [code, remedy] = refusal;
  return databaseUnavailable(code, `the owner's ledger of embeddings stays as it is: ${messageOf(error)}`, {
    remedy,
    cause: error,
  });
}
