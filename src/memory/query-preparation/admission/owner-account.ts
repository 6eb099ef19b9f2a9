import type pg from 'pg';
import { databaseUnavailable, internalFault, messageOf, RecallMatrixError } from '../../../core/errors.js';
import type { Owner } from '../../../fixture/history.js';
import { inOwnerTransaction, type Query } from '../../beliefs/owner-transaction.js';
import { BOUND_LOCK, INSERT_OWNER, LOCK_OWNER } from './owner-statements.js';

// Columns, tables or the schema that are not there: somebody took the ledger down to an earlier version under this process.
const DOWNGRADED_STATES: ReadonlySet<unknown> = new Set(['42703', '42P01', '3F000', '42883']);

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * One short transaction on an owner's rows, and no others (PG-4).
 *
 * @throws kind `database` where the server is lost, `EMBEDDING_LEDGER_UNREACHABLE` or `EMBEDDING_LEDGER_DOWNGRADED`; internal fault
 * `EMBEDDING_LEDGER_REFUSED` for any other statement that the server refuses.
 */
export async function onOwnerAccount<Result>(
  runtime: pg.Pool,
  owner: Owner,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  try {
    // Of sensitivities there are none here: the ceiling hides nothing.
    return await inOwnerTransaction(runtime, owner, 'restricted', work);
  } catch (error) {
    if (!(error instanceof RecallMatrixError) || error.code !== 'BELIEF_STORE_REFUSED') throw error;
    const { cause } = error;
    const { code, severity } = cause as { readonly code?: unknown; readonly severity?: unknown };
    // The server ended the connection, or never let it in: the login or the database is gone, or takes nobody.
    if (severity === 'FATAL') {
      throw databaseUnavailable(
        'EMBEDDING_LEDGER_UNREACHABLE',
        `the owner's ledger of embeddings cannot be reached: ${messageOf(cause)}`,
        { remedy: 'see that the control database is there and takes connections, and resume', cause },
      );
    }
    if (code === LOCK_NOT_AVAILABLE) {
      throw databaseUnavailable(
        'EMBEDDING_OWNER_LOCKED',
        `another process holds the embedding ledger of ${owner.tenant}/${owner.principal}, and does not go on`,
        { remedy: 'see which process that is (pg_stat_activity), end it, and resume', cause },
      );
    }
    if (!DOWNGRADED_STATES.has(code)) {
      throw internalFault('EMBEDDING_LEDGER_REFUSED', `the owner's ledger of embeddings: ${error.message}`, { cause });
    }
    throw databaseUnavailable(
      'EMBEDDING_LEDGER_DOWNGRADED',
      "the owner's ledger of embeddings was taken down to an earlier version while this process used it",
      { remedy: 'end the runs of this version first; then resume this run to bring the ledger up again', cause },
    );
  }
}

/** How long an owner's lock is waited for, and how long a process that stands still may keep it: both are held for milliseconds. */
export const LOCK_WAIT_MS = 10_000;

/**
 * The same under the owner's lock: of all processes one at a time is past it (SQ-9).
 *
 * @throws also `EMBEDDING_OWNER_LOCKED` (kind `database`) where it was not had in time.
 */
export async function underOwnerLock<Result>(
  runtime: pg.Pool,
  owner: Owner,
  lockWaitMs: number,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  return onOwnerAccount(runtime, owner, async (query) => {
    await query(BOUND_LOCK, [String(lockWaitMs)]);
    if ((await query(LOCK_OWNER)).length === 0) {
      await query(INSERT_OWNER);
      await query(LOCK_OWNER);
    }
    return work(query);
  });
}
