import { type ProcessMark, systemProcesses } from '../../core/process-mark.js';
import type { Querier } from '../../postgres/versioned-schema.js';
import { LEDGER_LOCKS } from './ledger-schema.js';

/** One opening of a ledger that has not been closed. */
export interface LedgerSession {
  readonly id: number;
  readonly owner: ProcessMark;
  /** Whether its connection stands: it is as long as the process and the network between are. */
  readonly isLive: boolean;
}

/**
 * Opens a session in the present transaction, and locks its id for as long as the connection lives: a lease that needs no clock, since who has
 * lost the connection can write no more (LG-6).
 */
export async function openLedgerSession(client: Querier, run: string, now: string): Promise<number> {
  const { host, pid, started } = systemProcesses.self();
  const { rows } = await client.query<{ id: number }>(
    `insert into recall_matrix_ledger.session (run, host, pid, process_started, opened_at) values ($1, $2, $3, $4, $5) returning id`,
    [run, host, pid, started, now],
  );
  const { id } = rows[0]!;
  await client.query('select pg_catalog.pg_advisory_lock($1, $2)', [LEDGER_LOCKS, id]);
  return id;
}

/** The sessions of a run that were not closed: live ones, and those of processes that died. */
export async function unclosedSessions(client: Querier, run: string): Promise<LedgerSession[]> {
  const { rows } = await client.query<{
    id: number;
    host: string;
    pid: string;
    started: string | null;
    live: boolean;
  }>(
    `select s.id, s.host, s.pid::text, s.process_started as started, exists (
        select from pg_catalog.pg_locks l join pg_catalog.pg_database d on d.oid = l.database
         where d.datname = pg_catalog.current_database() and l.locktype = 'advisory' and l.objsubid = 2
           and l.classid = $2::bigint::oid and l.objid = s.id::bigint::oid and l.granted) as live
       from recall_matrix_ledger.session s where s.run = $1 and not s.closed order by s.id`,
    [run, LEDGER_LOCKS],
  );
  return rows.map(({ id, host, pid, started, live }) => ({
    id,
    owner: { host, pid: Number(pid), started },
    isLive: live,
  }));
}

/** Open reservations of sessions that have ended (LG-6). */
export async function leftReservations(client: Querier, run: string, live: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select reservation as id from recall_matrix_ledger.line l
      where run = $1 and kind = 'reserve' and not session = any ($2::int[]) and not exists (
        select from recall_matrix_ledger.line r
         where r.run = l.run and r.reservation = l.reservation and r.kind in ('settle', 'release', 'hold'))
      order by number`,
    [run, live],
  );
  return rows.map(({ id }) => id);
}
