import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexReceiptContract, queryReceiptContract } from '../../../../test/contract/embedding-admission.contract.js';
import { type AdmissionBench, CEILINGS, OWNER, requestOf } from '../../../../test/support/admission-bench.js';
import { useTestDatabase } from '../../../../test/support/postgres.js';
import { postgresAdmissionBench } from '../../../../test/support/postgres-admission-bench.js';
import type { EmbeddingAdmission } from '../admission.js';
import { underOwnerLock } from './owner-account.js';
import { openPostgresAdmission } from './postgres-admission.js';

const database = useTestDatabase([], { per: 'suite' });
const makeBench = (start?: string): Promise<AdmissionBench> => postgresAdmissionBench(database(), start);

indexReceiptContract('the Postgres admission', makeBench);
queryReceiptContract('the Postgres admission', makeBench);

const OTHER = { tenant: 'lab', principal: 'bob' };
const DAY = '2026-03-01';
let bench: AdmissionBench;
let ledger: EmbeddingAdmission;
beforeEach(async () => {
  bench = await makeBench(`${DAY}T09:00:00.000Z`);
  ledger = await bench.open();
});
afterEach(() => bench.dispose());

/** One transaction of the runtime, as it names an owner. */
async function asOwner(owner: typeof OWNER, statement: string): Promise<unknown[]> {
  const client = await database().runtime.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('recall.tenant', $1, true), set_config('recall.principal', $2, true)`, [
      owner.tenant,
      owner.principal,
    ]);
    const { rows } = await client.query(statement);
    await client.query('commit');
    return rows;
  } finally {
    client.release(true);
  }
}

describe('PG-4 the tables of the owner’s ledger', () => {
  it('PG-4 SQ-9 have forced row security, policies, and no rights to delete', async () => {
    const { rows } = await database().admin.query<{
      name: string;
      forced: boolean;
      policies: number;
      deletes: boolean;
    }>(
      `select c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity as forced,
              (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies,
              has_table_privilege($1, c.oid, 'delete, truncate') as deletes
         from pg_class c where c.relnamespace = 'recall_matrix_embedding'::regnamespace and c.relkind = 'r' and c.relname <> 'migration'
        order by 1`,
      [database().runtime.options.user],
    );
    expect(rows).toEqual([
      { name: 'owner', forced: true, policies: 3, deletes: false },
      { name: 'spend', forced: true, policies: 3, deletes: false },
    ]);
  });

  it('PG-4 SQ-9 another owner’s rows are neither seen nor written; the administrator sees both', async () => {
    await ledger.reserve(requestOf(1_000n));
    await ledger.reserve(requestOf(2_000n, { owner: OTHER }));
    const all = 'select principal, charge_micro_usd::int as charge from recall_matrix_embedding.spend order by 1';
    expect(await asOwner(OTHER, all)).toEqual([{ principal: 'bob', charge: 2 }]);
    expect(await asOwner({ tenant: '', principal: '' }, all)).toEqual([]);
    const change = `update recall_matrix_embedding.spend set status = 'released', charge_micro_usd = 0 where principal = 'ada' returning 1`;
    expect(await asOwner(OTHER, change)).toEqual([]);
    const forge = (owner: string): string =>
      `insert into recall_matrix_embedding.spend (tenant, principal, receipt, status, day, reserved_micro_usd, charge_micro_usd)
       values ('lab', '${owner}', 'forged', 'pending', '${DAY}', 0, 0)`;
    await expect(asOwner(OTHER, forge('ada'))).rejects.toThrow(/row-level security/);
    await asOwner(OTHER, forge('bob'));
    const { rows } = await database().admin.query(all);
    expect(rows).toEqual([
      { principal: 'ada', charge: 1 },
      { principal: 'bob', charge: 2 },
      { principal: 'bob', charge: 0 },
    ]);
  });

  it('SQ-10 the database itself refuses what must never happen to a receipt', async () => {
    const { admin } = database();
    const [one, two] = [requestOf(5_000n), requestOf(5_000n)];
    await ledger.reserve(one);
    await ledger.reserve(two);
    await ledger.settle(OWNER, one.receipt, 3_000n);
    const refused = (set: string, { receipt } = one): Promise<unknown> =>
      expect(
        admin.query(`update recall_matrix_embedding.spend set ${set} where receipt = '${receipt}'`),
        set,
      ).rejects.toThrow(/a receipt is|violates check/);
    await refused(`status = 'pending', charge_micro_usd = reserved_micro_usd`);
    await refused(`status = 'released', charge_micro_usd = 0`);
    await refused('charge_micro_usd = 2');
    await refused(`day = day + 1`);
    await refused(`status = 'unknown'`);
    await refused('charge_micro_usd = 4', two);
    await refused(`status = 'released', charge_micro_usd = 1`, two);
    await ledger.markUnknown(OWNER, one.receipt);
    await refused(`status = 'settled'`);
    await expect(admin.query('delete from recall_matrix_embedding.spend')).rejects.toThrow(/a receipt is kept/);
    await expect(asOwner(OWNER, `update recall_matrix_embedding.spend set day = '2020-01-01'`)).rejects.toThrow(
      /permission denied/,
    );
  });

  it('SQ-9 SQ-11 the database itself allows one pending query an owner, and a deadline to queries alone', async () => {
    const { admin } = database();
    await ledger.reserve(requestOf(1_000n, { kind: 'query' }));
    await ledger.reserve(requestOf(1_000n, { owner: OTHER }));
    const insert = (owner: string, kind: string, deadline: string | null, status = 'pending'): Promise<unknown> =>
      admin.query(
        `insert into recall_matrix_embedding.spend (tenant, principal, receipt, status, day, reserved_micro_usd, charge_micro_usd, kind, deadline)
         values ('lab', $1, $2, $3, $4, 0, 0, $5, $6)`,
        [owner, `${kind} ${deadline} ${status}`, status, DAY, kind, deadline],
      );
    const deadline = `${DAY}T09:00:15.000Z`;
    await expect(insert('ada', 'query', deadline)).rejects.toThrow(/one_pending_query/);
    await insert('bob', 'query', deadline);
    await insert('ada', 'query', deadline, 'settled');
    await expect(insert('bob', 'index', deadline)).rejects.toThrow(/violates check/);
    await expect(insert('ada', 'query', null, 'settled')).rejects.toThrow(/violates check/);
    await expect(insert('ada', 'other', deadline, 'settled')).rejects.toThrow(/violates check/);
  });

  it('PG-4 a login that row security does not bind is refused as the runtime', async () => {
    const { admin } = database();
    const options = { admin, runtime: admin, clock: bench.clock, ceilings: CEILINGS };
    await expect(openPostgresAdmission(options)).rejects.toMatchObject({
      code: 'EMBEDDING_RUNTIME_PRIVILEGED',
      exitCode: 8,
    });
  });
});

describe('SQ-8 transactions', () => {
  it('SQ-8 none stays open after any method, done or refused', async () => {
    const open = async (): Promise<number> => {
      const { rows } = await database().admin.query<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity
          where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      return rows[0]!.open;
    };
    const request = requestOf(1_000n);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => ledger.reserve(request),
      () => ledger.reserve(request),
      () => ledger.reserve(requestOf(1_000_000n)),
      () => ledger.reserve(requestOf(1_000n, { kind: 'query' })),
      () => ledger.reserve(requestOf(1_000n, { kind: 'query' })),
      () => ledger.isLive(OWNER, request.receipt),
      () => ledger.settle(OWNER, request.receipt, 1n),
      () => ledger.settle(OWNER, 'none', 1n),
      () => ledger.release(OWNER, request.receipt),
      () => ledger.markUnknown(OWNER, request.receipt),
      () => ledger.receipts(OWNER, DAY),
    ];
    for (const call of calls) {
      await call().catch(() => {});
      expect(await open(), String(call)).toBe(0);
    }
    const client = await database().runtime.connect();
    await client.query('begin; select 1');
    expect(await open()).toBe(1);
    client.release(true);
  });

  it('SQ-8 SQ-9 whoever waits for an owner’s lock waits a bounded time, and says so', async () => {
    await ledger.reserve(requestOf(1_000n));
    const { admin, runtime } = database();
    const impatient = await openPostgresAdmission({
      admin,
      runtime,
      clock: bench.clock,
      ceilings: CEILINGS,
      lockWaitMs: 50,
    });
    const holder = await admin.connect();
    await holder.query('begin; select from recall_matrix_embedding.owner for update');
    const refused = { kind: 'database', code: 'EMBEDDING_OWNER_LOCKED', remedy: expect.stringMatching(/./) };
    await expect(impatient.reserve(requestOf(1_000n))).rejects.toMatchObject(refused);
    await holder.query('rollback');
    holder.release();
    expect(await impatient.reserve(requestOf(1_000n))).toMatchObject({ kind: 'admitted' });
  });

  it('SQ-8 SQ-9 a process that stands still with an owner’s lock loses it, and what it began', async () => {
    let goOn: () => void = () => {};
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let hasLock: () => void = () => {};
    const locked = new Promise<void>((resolve) => {
      hasLock = resolve;
    });
    await ledger.reserve(requestOf(1_000n));
    const still = underOwnerLock(database().runtime, OWNER, 50, async (query) => {
      await query(`update recall_matrix_embedding.spend set status = 'released', charge_micro_usd = 0`);
      hasLock();
      await stopped;
      await query('select 1');
    });
    const lost = expect(still).rejects.toMatchObject({ kind: 'database' });
    await locked;
    expect(await ledger.reserve(requestOf(1_000n))).toMatchObject({ kind: 'admitted' });
    goOn();
    await lost;
    expect(await ledger.receipts(OWNER, DAY)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  });

  it('SQ-9 PG-1 of requests at once no more are admitted than fit together, whatever isolation the server has as its default', async () => {
    const { admin, runtime } = database();
    const role = runtime.options.user;
    for (const isolation of ['repeatable read', 'serializable']) {
      await admin.query(`alter role "${role}" set default_transaction_isolation = '${isolation}'`);
      await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1', [role]);
      const owner = { tenant: 'lab', principal: isolation };
      await ledger.reserve(requestOf(0n, { owner }));
      const results = await Promise.all(
        Array.from({ length: 8 }, () => ledger.reserve(requestOf(70_000n, { owner }))),
      ).finally(() => admin.query(`alter role "${role}" reset default_transaction_isolation`));
      expect(
        results.filter(({ kind }) => kind === 'admitted'),
        isolation,
      ).toHaveLength(4);
    }
  });

  it('SQ-10 a lost connection is an error of the database; what was admitted is there afterwards', async () => {
    const request = requestOf(1_000n);
    await ledger.reserve(request);
    const end = (): Promise<unknown> =>
      database().admin.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and usename = $1`,
        [database().runtime.options.user],
      );
    const holder = await database().admin.connect();
    await holder.query('begin');
    await holder.query('select from recall_matrix_embedding.owner for update');
    const waiting = expect(ledger.settle(OWNER, request.receipt, 1n)).rejects.toMatchObject({ kind: 'database' });
    const blocked = async (): Promise<boolean> => {
      const { rows } = await database().admin.query<{ waits: boolean }>(
        `select bool_or(wait_event_type = 'Lock') as waits from pg_stat_activity where datname = current_database()`,
      );
      return rows[0]!.waits === true;
    };
    await expect.poll(blocked).toBe(true);
    await end();
    await waiting;
    await holder.query('rollback');
    holder.release();
    expect(await ledger.receipts(OWNER, DAY)).toMatchObject([{ status: 'pending', charge_nano_usd: 1_000n }]);
    expect(await ledger.settle(OWNER, request.receipt, 1n)).toBe(true);
  });
});
