import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerContract } from '../../../test/contract/ledger.contract.js';
import { sendOf } from '../../../test/support/ledger-bench.js';
import { type PostgresLedgerBench, postgresLedgerBench } from '../../../test/support/postgres-ledger-bench.js';

ledgerContract('the Postgres ledger', () => postgresLedgerBench());

const LIMIT = 1_000n;
let bench: PostgresLedgerBench;
beforeEach(async () => {
  bench = await postgresLedgerBench();
});
afterEach(async () => bench.dispose());

const coded = (code: string): unknown => expect.objectContaining({ code });

describe('several processes on one account', () => {
  it('LG-6 who joins leaves the open reservations of a live session alone, and holds those of a dead one', async () => {
    const first = await bench.create(LIMIT);
    const kept = await first.reserve(sendOf(100n));
    const dead = await bench.open({ mode: 'join', limit: LIMIT });
    await dead.reserve(sendOf(200n));
    await dead.close();
    const second = await bench.open({ mode: 'join', limit: LIMIT });
    expect(second.totals()).toMatchObject({ held_nano_usd: 300n, uncertain_nano_usd: 200n });
    await first.settle(kept, 60n);
    expect(first.totals()).toMatchObject({ spent_nano_usd: 60n, held_nano_usd: 200n, uncertain_nano_usd: 200n });
    await expect(second.reserve(sendOf(741n))).rejects.toEqual(coded('BUDGET_EXHAUSTED'));
    expect(second.totals()).toMatchObject({ spent_nano_usd: 60n, held_nano_usd: 200n });
  });

  it('LG-1 R-25 a resume refuses beside a live session, and names its process', async () => {
    await bench.create(LIMIT);
    await expect(bench.open({ mode: 'resume', limit: LIMIT })).rejects.toMatchObject({
      code: 'LEDGER_IN_USE',
      exitCode: 2,
      message: expect.stringContaining(`process ${process.pid}`),
    });
  });

  it('LG-9 LG-10 a breach and a higher limit are seen by the others', async () => {
    const first = await bench.create(LIMIT);
    const second = await bench.open({ mode: 'join', limit: 2_000n, amendLimit: true });
    await first.reserve(sendOf(1_500n));
    await second.settle(await second.reserve(sendOf(10n)), 11n);
    await expect(first.reserve(sendOf(1n))).rejects.toEqual(coded('BUDGET_BREACHED'));
    expect((await bench.lines()).map(({ kind }) => kind)).toEqual([
      'amendment',
      'reserve',
      'reserve',
      'settle',
      'breach',
    ]);
  });

  it('LG-11 runs have accounts of their own', async () => {
    const one = await bench.create(LIMIT);
    await one.reserve(sendOf(LIMIT));
    const other = await bench.open({ mode: 'create', limit: LIMIT, run: 'run-2' });
    await other.reserve(sendOf(LIMIT));
    expect(other.totals().held_nano_usd).toBe(LIMIT);
    await expect(bench.open({ mode: 'join', limit: LIMIT, run: 'run-3' })).rejects.toEqual(coded('LEDGER_MISSING'));
  });

  it('RS-3 a lost connection stops the ledger; what was granted stays held', async () => {
    const ledger = await bench.create(LIMIT);
    await ledger.reserve(sendOf(100n));
    await bench.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await expect(ledger.reserve(sendOf(1n))).rejects.toMatchObject({ kind: 'database' });
    await expect(ledger.reserve(sendOf(1n))).rejects.toMatchObject({ kind: 'database' });
    const next = await bench.reopen(LIMIT);
    expect(next.totals()).toMatchObject({ held_nano_usd: 100n, uncertain_nano_usd: 100n, sends: 1 });
  });
});

describe('the database', () => {
  it('LG-3 LG-11 refuses by itself what must never happen to an account or a line', async () => {
    const ledger = await bench.create(LIMIT);
    await ledger.settle(await ledger.reserve(sendOf(400n)), 300n);
    await ledger.close();
    const refused = (sql: string): Promise<unknown> =>
      expect(bench.pool.query(sql), sql).rejects.toThrow(/only ever added to|violates/);
    await refused(`update recall_matrix_ledger.line set text = ''`);
    await refused('delete from recall_matrix_ledger.line');
    await refused('truncate recall_matrix_ledger.line');
    await refused('delete from recall_matrix_ledger.account');
    await refused('update recall_matrix_ledger.account set limit_nano_usd = 900');
    await refused('update recall_matrix_ledger.account set spent_nano_usd = 0');
    await refused('update recall_matrix_ledger.account set held_nano_usd = 701');
    const again = (kind: string, held: number): string => `insert into recall_matrix_ledger.line
      select run, number + 100, session, '${kind}', reservation, limit_nano_usd, spent_nano_usd, ${held}, breached, text
        from recall_matrix_ledger.line where kind = '${kind}'`;
    await refused(again('settle', 0));
    await refused(again('reserve', 0));
    await refused(again('opening', 1_001));
    await bench.pool.query('update recall_matrix_ledger.account set held_nano_usd = 700');
  });

  it('LG-3 through more lines than ten, and a reopening, at no line does spent and held pass the limit, which the database can be asked too', async () => {
    const ledger = await bench.create(LIMIT);
    await Promise.allSettled(Array.from({ length: 30 }, () => ledger.reserve(sendOf(90n))));
    expect((await bench.reopen(LIMIT)).totals()).toMatchObject({ sends: 11, uncertain_nano_usd: 990n });
    const { rows } = await bench.pool.query(
      `select count(*)::int as lines, count(*) filter (where spent_nano_usd + held_nano_usd > limit_nano_usd)::int as over
         from recall_matrix_ledger.line`,
    );
    expect(rows).toEqual([{ lines: 23, over: 0 }]);
  });

  it('LG-11 a schema of a later version is refused, and openings at once make it once', async () => {
    const limit = LIMIT;
    await Promise.all(['a', 'b', 'c', 'd'].map((run) => bench.open({ mode: 'create', limit, run })));
    await bench.pool.query(`insert into recall_matrix_ledger.migration (name) values ('9999-later')`);
    await expect(bench.open({ mode: 'create', limit, run: 'e' })).rejects.toMatchObject({
      code: 'LEDGER_SCHEMA_NEWER',
      exitCode: 8,
    });
  });

  it('LG-6 a line that was changed behind its back is refused by name', async () => {
    await bench.create(LIMIT);
    const ledger = await bench.reopen(LIMIT);
    await ledger.settle(await ledger.reserve(sendOf(400n)), 300n);
    await ledger.close();
    await bench.pool.query(
      `set session_replication_role = replica; update recall_matrix_ledger.line set text = replace(text, '"spent_nano_usd":300', '"spent_nano_usd":299') where kind = 'settle'`,
    );
    await expect(bench.reopen(LIMIT)).rejects.toMatchObject({ code: 'LEDGER_BROKEN', location: { line: 3 } });
  });
});
