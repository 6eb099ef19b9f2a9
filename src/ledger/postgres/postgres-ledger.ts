import type pg from 'pg';
import type { Clock } from '../../core/clock.js';
import { invalidInput } from '../../core/errors.js';
import { systemProcesses } from '../../core/process-mark.js';
import { Account } from '../account.js';
import { LEDGER_FORMAT, safeNumber } from '../journal-line.js';
import { JournalledLedger } from '../journalled-ledger.js';
import type { Ledger, NanoUsd } from '../ledger.js';
import { refuseChangedLimit } from '../refusals.js';
import { ensureLedgerSchema } from './ledger-schema.js';
import { type LedgerSession, leftReservations, openLedgerSession, unclosedSessions } from './ledger-sessions.js';
import { INSERT_LINES, lineRow, PostgresStore } from './postgres-store.js';
import { verifyStoredLines } from './stored-lines.js';

/** What a Postgres ledger is opened with. */
export interface PostgresLedgerOptions {
  /** To the ledger's database, with durable commits. */
  readonly pool: pg.Pool;
  /** For messages: the server and database; never with a password. */
  readonly shown: string;
  /**
   * `create` opens a new allowance; `resume` appends to the one that is there (LG-1), and refuses where a living process has it open;
   * `join` opens it beside such processes, and leaves their open reservations alone.
   */
  readonly mode: 'create' | 'resume' | 'join';
  /** The budget. On resume it must be the account's, or higher with `amendLimit`. */
  readonly limit: NanoUsd;
  /** The run whose budget this is: its account's key. */
  readonly run: string;
  readonly clock: Clock;
  /** Resume and join alone: the user asked for a higher limit; it is journalled (LG-10). */
  readonly amendLimit?: boolean;
  /** Called when the ledger is closed. */
  readonly end?: () => Promise<void>;
}

/** A server notices a killed process's connection at once; a resume that is quicker still waits this long. */
const DEAD_LIMIT_MS = 10_000;
const DEAD_POLL_MS = 20;

/**
 * Opens a run's account in Postgres. On resume every line is verified, and each reservation that a dead session left open is held as uncertain
 * (LG-6).
 *
 * @throws exit 2: `LEDGER_EXISTS`, `LEDGER_MISSING`, `LEDGER_BROKEN`, `LEDGER_IN_USE`, `LEDGER_LIMIT_CHANGED`; exit 8:
 * `LEDGER_SCHEMA_NEWER`, and what a lost server gives.
 */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<Ledger> {
  safeNumber(options.limit);
  const client = await options.pool.connect();
  try {
    await ensureLedgerSchema(client);
    return options.mode === 'create' ? await create(client, options) : await resume(client, options);
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function create(client: pg.PoolClient, options: PostgresLedgerOptions): Promise<Ledger> {
  const { limit, run, clock } = options;
  const account = new Account(limit);
  await client.query('begin');
  const { rowCount } = await client.query(
    `insert into recall_matrix_ledger.account (run, last_line, limit_nano_usd, spent_nano_usd, held_nano_usd, breached)
     values ($1, 0, $2, 0, 0, false) on conflict do nothing`,
    [run, safeNumber(limit)],
  );
  if (rowCount === 0) {
    throw invalidInput('LEDGER_EXISTS', `there is an account already at ${placeOf(options)}`, {
      remedy: 'resume its run, or start a new one',
    });
  }
  const session = await openLedgerSession(client, run, clock.now());
  const opening = { format: LEDGER_FORMAT, run, opened_at: clock.now(), ...account.runningSums() } as const;
  await client.query(INSERT_LINES, [run, session, JSON.stringify([lineRow(opening, 0, false)])]);
  await client.query('commit');
  return new JournalledLedger(account, storeOf(client, options, session, { seen: 0, breached: false }), clock);
}

async function resume(client: pg.PoolClient, options: PostgresLedgerOptions): Promise<Ledger> {
  const { run, limit, clock } = options;
  const { account, lines } = await verifyStoredLines(client, run, placeOf(options), () => {});
  refuseChangedLimit(options, account.limit, placeOf(options));
  const { session, left } = await enter(client, options);
  const seen = { seen: lines - 1, breached: account.breached };
  const ledger = new JournalledLedger(account, storeOf(client, options, session, seen), clock);
  // Past this point the ledger releases the client.
  await ledger.recover(limit, left).catch(async (error) => {
    await ledger.close().catch(() => {});
    throw error;
  });
  return ledger;
}

/** Opens a session under the account's lock, and finds what dead ones left open. */
async function enter(
  client: pg.PoolClient,
  options: PostgresLedgerOptions,
): Promise<{ readonly session: number; readonly left: readonly string[] }> {
  const { run, mode, clock } = options;
  const deadline = clock.monotonicMs() + DEAD_LIMIT_MS;
  for (;;) {
    await client.query('begin');
    await client.query('select from recall_matrix_ledger.account where run = $1 for update', [run]);
    const live = (await unclosedSessions(client, run)).filter(({ isLive }) => isLive);
    const [first] = live;
    if (mode === 'join' || first === undefined) {
      const left = await leftReservations(
        client,
        run,
        live.map(({ id }) => id),
      );
      const session = await openLedgerSession(client, run, clock.now());
      await client.query('commit');
      return { session, left };
    }
    await client.query('rollback');
    const isDead = live.every(({ owner }) => systemProcesses.isAlive(owner) === false);
    if (!isDead || clock.monotonicMs() > deadline) throw inUse(options, first);
    await clock.sleep(DEAD_POLL_MS);
  }
}

function inUse(options: PostgresLedgerOptions, { owner }: LedgerSession): Error {
  const who = `process ${owner.pid} on ${owner.host}`;
  return invalidInput('LEDGER_IN_USE', `${who} has the ledger of ${placeOf(options)} open`, {
    remedy: 'wait for it to end, or end it',
  });
}

function placeOf({ run, shown }: PostgresLedgerOptions): string {
  return `run ${run} in ${shown}`;
}

function storeOf(
  client: pg.PoolClient,
  options: PostgresLedgerOptions,
  session: number,
  state: { readonly seen: number; readonly breached: boolean },
): PostgresStore {
  const { run, end = async () => {} } = options;
  return new PostgresStore({ client, run, session, place: placeOf(options), end, ...state });
}
