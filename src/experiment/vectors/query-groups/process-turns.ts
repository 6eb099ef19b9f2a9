import pLimit from 'p-limit';
import type pg from 'pg';
import { interrupted } from '../../../core/errors.js';
import type { Owner } from '../../../fixture/history.js';
import { PREPARATION_TIMES } from '../../../memory/query-preparation/admission.js';

/** The turns of an owner's preparations among processes (SQ-9). */
export interface ProcessTurns {
  /**
   * Runs the work in its turn: who came first goes first, so that of several runs none is starved.
   *
   * @param onWait told where another process has its turn.
   * @throws kind `interrupted` once the signal is aborted, and what the work throws.
   */
  take<Result>(owner: Owner, signal: AbortSignal, onWait: () => void, work: () => Promise<Result>): Promise<Result>;
}

/** Where no other process prepares: what is prepared in this one is sent nowhere, or there is no ledger of owners. */
export const NO_OTHER_PROCESS: ProcessTurns = { take: (_owner, _signal, _onWait, work) => work() };

/** How long a turn is waited for: several groups of others, of ten seconds each at most. Who had none by then goes on without. */
export const TURN_WAIT_MS = 60_000;

// Any fixed number that is this tool's own: the first key of the locks of owners' turns. The second is the owner's hash: two owners of one
// hash take turns with each other, which harms neither.
const TURN_LOCKS = 1_380_794_691;
const LOCK_NOT_AVAILABLE = '55P03';
/** Each turn holds a connection; the ledger's own statements need the rest of the pool. */
const TURNS_AT_ONCE = 2;

/**
 * Turns by a lock of the control database, which serves who waits in the order of their coming, and which a killed process loses with its
 * connection. No transaction is open while it is held.
 *
 * @param pool to the control database.
 * @param giveUpMs how long giving a turn up may take.
 */
export function postgresTurns(
  pool: pg.Pool,
  waitMs: number = TURN_WAIT_MS,
  giveUpMs: number = PREPARATION_TIMES.cleanup_ms,
): ProcessTurns {
  const limit = pLimit(TURNS_AT_ONCE);
  return {
    take: (owner, signal, onWait, work) =>
      limit(async () => {
        const client = await pool.connect();
        let isOver = false;
        try {
          const key = [TURN_LOCKS, JSON.stringify([owner.tenant, owner.principal])];
          await lock(client, key, waitMs, signal, onWait);
          const result = await work();
          isOver = await isGivenUp(client, giveUpMs);
          return result;
        } finally {
          // The lock, and a wait for it, go with their connection.
          client.release(!isOver);
        }
      }),
  };
}

/** Gives a turn up. @returns false where its server did not answer: what was done in the turn is not lost to that. */
async function isGivenUp(client: pg.PoolClient, query_timeout: number): Promise<boolean> {
  // The driver takes a time limit of each statement, which its types do not know.
  const unlock = { text: 'select pg_catalog.pg_advisory_unlock_all()', query_timeout };
  return client.query(unlock).then(
    () => true,
    () => false,
  );
}

async function lock(
  client: pg.PoolClient,
  key: readonly (string | number)[],
  waitMs: number,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const { rows } = await client.query<{ had: boolean }>(
    'select pg_catalog.pg_try_advisory_lock($1, pg_catalog.hashtext($2)) as had',
    [...key],
  );
  if (rows[0]?.had === true) return;
  onWait();
  await client.query(`select pg_catalog.set_config('lock_timeout', $1, false)`, [String(waitMs)]);
  const wait = {
    text: 'select pg_catalog.pg_advisory_lock($1, pg_catalog.hashtext($2))',
    values: [...key],
    query_timeout: waitMs + PREPARATION_TIMES.cleanup_ms,
  };
  await untilAborted(client.query(wait), signal);
  await client.query('reset lock_timeout');
}

async function untilAborted(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(interrupted('the run was interrupted while the turn of its owner was waited for'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([waiting, aborted]);
  } catch (error) {
    // Its connection is let go of; what it then says is of no use.
    waiting.catch(() => {});
    if ((error as { readonly code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
