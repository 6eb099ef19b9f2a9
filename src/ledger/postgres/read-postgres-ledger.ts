import type pg from 'pg';
import { buildLedgerReport, type LedgerReport } from '../read-ledger.js';
import { hasLedgers } from './ledger-schema.js';
import { leftReservations, unclosedSessions } from './ledger-sessions.js';
import { verifyStoredLines } from './stored-lines.js';

/**
 * Reads and verifies a run's account, as of one moment, and changes nothing.
 *
 * @param shown the server and database, for messages.
 * @throws `LEDGER_MISSING` or `LEDGER_BROKEN` (exit 2).
 */
export async function readPostgresLedger(pool: pg.Pool, run: string, shown: string): Promise<LedgerReport> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const place = `run ${run} in ${shown}`;
    const isThere = await hasLedgers(client);
    const sessions = isThere ? await unclosedSessions(client, run) : [];
    const live = sessions.filter(({ isLive }) => isLive).map(({ id }) => id);
    const left = new Set(isThere ? await leftReservations(client, run, live) : []);
    return await buildLedgerReport(place, {
      live: live.length > 0,
      isLeft: (id) => left.has(id),
      verify: (each) => verifyStoredLines(client, run, place, each),
    });
  } finally {
    client.release(true);
  }
}
