import type pg from 'pg';
import type { Clock } from '../../../core/clock.js';
import { databaseUnavailable, internalFault } from '../../../core/errors.js';
import type { Owner } from '../../../fixture/history.js';
import type { Query } from '../../beliefs/owner-transaction.js';
import type {
  AdmissionResult,
  EmbeddingAdmission,
  EmbeddingCeilings,
  EmbeddingReceipt,
  EmbeddingReservation,
  ReceiptStatus,
} from '../admission.js';
import { admissionClosed, dayOf, deadlineOf, receiptMissing, receiptUsed, refusalOf } from './admission-rule.js';
import { quantaOf } from './charge.js';
import { ensureEmbeddingSchema } from './embedding-schema.js';
import { LOCK_WAIT_MS, onOwnerAccount, underOwnerLock } from './owner-account.js';
import * as statements from './owner-statements.js';
import { readReceipts, receiptOf } from './receipt-row.js';

/** What the Postgres form is opened with. Both pools are to one control database, with durable commits; whoever opened them ends them. */
export interface PostgresAdmissionOptions {
  /** Logged in as the database's owner: for the schema alone. */
  readonly admin: pg.Pool;
  /** Logged in as a role that row security binds (PG-4). */
  readonly runtime: pg.Pool;
  readonly clock: Clock;
  readonly ceilings: EmbeddingCeilings;
  /** How long an owner's lock is waited for. */
  readonly lockWaitMs?: number;
}

/**
 * Opens the owner's ledger of a control database, and brings its schema up to this version.
 *
 * @throws kind `database` (exit 8): `EMBEDDING_SCHEMA_NEWER`, `EMBEDDING_RUNTIME_PRIVILEGED`, and what a lost server gives.
 */
export async function openPostgresAdmission(options: PostgresAdmissionOptions): Promise<EmbeddingAdmission> {
  const client = await options.admin.connect();
  try {
    await ensureEmbeddingSchema(client);
  } finally {
    client.release();
  }
  await refusePrivileged(options.runtime);
  return new PostgresAdmission(options);
}

async function refusePrivileged(runtime: pg.Pool): Promise<void> {
  const { rows } = await runtime.query<{ bound: boolean }>(
    `select pg_catalog.row_security_active('recall_matrix_embedding.owner')
        and pg_catalog.row_security_active('recall_matrix_embedding.spend') as bound`,
  );
  if (rows[0]?.bound === true) return;
  throw databaseUnavailable(
    'EMBEDDING_RUNTIME_PRIVILEGED',
    "the owner's ledger of embeddings is entered by a login that row-level security does not bind",
    { remedy: 'let the server authenticate each role by its own password, with no user name map' },
  );
}

class PostgresAdmission implements EmbeddingAdmission {
  readonly #runtime: pg.Pool;
  readonly #clock: Clock;
  readonly #ceilings: EmbeddingCeilings;
  readonly #lockWaitMs: number;
  #isClosed = false;

  constructor({ runtime, clock, ceilings, lockWaitMs = LOCK_WAIT_MS }: PostgresAdmissionOptions) {
    this.#runtime = runtime;
    this.#clock = clock;
    this.#ceilings = ceilings;
    this.#lockWaitMs = lockWaitMs;
  }

  async reserve(request: EmbeddingReservation): Promise<AdmissionResult> {
    const { receipt, kind } = request;
    const quanta = quantaOf(request.amount_nano_usd);
    return this.#locked(request.owner, async (query) => {
      const now = await this.#expire(query);
      const day = dayOf(now);
      const { is_used, ...account } = await accountOf(query, day, receipt);
      if (is_used) throw receiptUsed(request.owner, receipt);
      const refused = refusalOf(request, account, this.#ceilings);
      if (refused !== null) return refused;
      const [charge, deadline] = [quanta.toString(), deadlineOf(kind, now)];
      await query(statements.INSERT_RECEIPT, [receipt, day, charge, kind, deadline]);
      const row = { receipt, kind, status: 'pending', day, reserved: charge, charge, deadline } as const;
      return { kind: 'admitted', receipt: receiptOf(row) };
    });
  }

  async isLive(owner: Owner, receipt: string): Promise<boolean> {
    return this.#reading(owner, async (query) => {
      const [row] = await query<{ live: boolean }>(statements.IS_LIVE, [receipt, this.#clock.now()]);
      return row?.live === true;
    });
  }

  async settle(owner: Owner, receipt: string, cost_nano_usd: bigint): Promise<boolean> {
    return this.#resolve(owner, receipt, 'settled', quantaOf(cost_nano_usd));
  }

  async release(owner: Owner, receipt: string): Promise<boolean> {
    return this.#resolve(owner, receipt, 'released', 0n);
  }

  async markUnknown(owner: Owner, receipt: string): Promise<void> {
    await this.#locked(owner, (query) => query(statements.MARK_UNKNOWN, [receipt]));
  }

  async receipts(owner: Owner, day: string): Promise<readonly EmbeddingReceipt[]> {
    return this.#reading(owner, (query) => readReceipts(query, day));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #resolve(owner: Owner, receipt: string, status: 'settled' | 'released', quanta: bigint): Promise<boolean> {
    return this.#locked(owner, async (query) => {
      await this.#expire(query);
      const [found] = await query<{ status: ReceiptStatus }>(statements.STATUS, [receipt]);
      if (found === undefined) throw receiptMissing(owner, receipt);
      if (found.status !== 'pending') {
        await query(statements.RAISE_UNKNOWN, [receipt, quanta.toString()]);
        return false;
      }
      await query(statements.RESOLVE, [receipt, status, quanta.toString()]);
      return true;
    });
  }

  /**
   * Turns queries unknown whose deadline has come (SQ-10).
   *
   * @returns the present, asked for under the lock: what waited for it is of the time when it had it.
   */
  async #expire(query: Query): Promise<string> {
    const now = this.#clock.now();
    await query(statements.EXPIRE_QUERIES, [now]);
    return now;
  }

  #locked<Result>(owner: Owner, work: (query: Query) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw admissionClosed();
    return underOwnerLock(this.#runtime, owner, this.#lockWaitMs, work);
  }

  #reading<Result>(owner: Owner, work: (query: Query) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw admissionClosed();
    return onOwnerAccount(this.#runtime, owner, work);
  }
}

async function accountOf(query: Query, day: string, receipt: string) {
  const [row] = await query<{ day_quanta: string; is_used: boolean; has_pending_query: boolean }>(statements.ACCOUNT, [
    day,
    receipt,
  ]);
  if (row === undefined) throw internalFault('ACCOUNT_EMPTY', 'a sum gave no row');
  return { ...row, day, day_quanta: BigInt(row.day_quanta) };
}
