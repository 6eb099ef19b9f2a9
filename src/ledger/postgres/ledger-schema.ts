import { readdirSync, readFileSync } from 'node:fs';
import { databaseUnavailable } from '../../core/errors.js';
import type { Migration } from '../../postgres/postgres.js';
import { appliedMigrations, bringUp, type Querier, type VersionedSchema } from '../../postgres/versioned-schema.js';

// Any fixed number that is this tool's own: the first key of every advisory lock of ledgers. The second is a session, or 0 for the schema.
export const LEDGER_LOCKS = 1_380_794_690;

const FOLDER = new URL('./sql/', import.meta.url);

function migrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(new URL(file, FOLDER), 'utf8') }));
}

const NAME = 'recall_matrix_ledger';

function ledgerSchema(): VersionedSchema {
  return {
    name: NAME,
    lock: LEDGER_LOCKS,
    migrations: migrations(),
    newer: (unknown) =>
      databaseUnavailable(
        'LEDGER_SCHEMA_NEWER',
        `the ledger's database has ${unknown}, which this version does not know`,
        {
          remedy: 'use the version of recall-matrix that made it, or name another database for the ledger',
        },
      ),
  };
}

/**
 * Brings the ledger's schema of a database up to this version. Of several at once, one does it.
 *
 * @throws `LEDGER_SCHEMA_NEWER` (exit 8) where a later version of this tool made it.
 */
export async function ensureLedgerSchema(client: Querier): Promise<void> {
  await bringUp(client, ledgerSchema());
}

/** Whether the database has ledgers. */
export async function hasLedgers(client: Querier): Promise<boolean> {
  return (await appliedMigrations(client, { name: NAME })) !== null;
}
