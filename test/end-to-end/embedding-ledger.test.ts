import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock, systemClock } from '../../src/core/clock.js';
import { openPostgresAdmission } from '../../src/memory/query-preparation/admission/postgres-admission.js';
import { openPostgres } from '../../src/postgres/open.js';
import { CEILINGS, OWNER, requestOf } from '../support/admission-bench.js';
import { type CliResult, command, documentOf, exits, PROJECT } from '../support/cli.js';
import { startTestServer } from '../support/postgres-global-setup.js';

const DAY = '2026-03-01';
const BOB = { tenant: 'lab', principal: 'bob' };

/** A server of this file's own: a control database is one a server. */
let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  execFileSync(process.execPath, [join(PROJECT, 'scripts/ensure-build.mjs')], { stdio: 'inherit' });
  server = await startTestServer();
});
afterAll(() => server.stop());

const give = (...args: string[]): Promise<CliResult> => command(args, { database: server.url });
const ledger = (...args: string[]): Promise<CliResult> => give('ledger', '--embeddings', ...args);

/** What runs leave: items of two owners, queries settled, unknown and, where asked, pending. */
async function reserve(work: 'settled' | 'pending'): Promise<void> {
  const opened = await openPostgres({
    databaseUrl: server.url,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const pools = { admin: await opened.openControl(), runtime: await opened.openControlRuntime() };
  // As far ahead as an agreeing clock may be: its deadline does not come before the test has looked.
  const ahead = new Date(Date.now() + 14_000).toISOString();
  const clock = manualClock(work === 'settled' ? `${DAY}T09:00:00.000Z` : ahead);
  const admission = await openPostgresAdmission({ ...pools, clock, ceilings: CEILINGS });
  if (work === 'pending') await admission.reserve(requestOf(1_000n, { kind: 'query' }));
  else {
    await admission.reserve(requestOf(40_000n, { receipt: 'run-1/a' }));
    await admission.reserve(requestOf(30_000n, { receipt: 'run-1/b', kind: 'query' }));
    await admission.settle(OWNER, 'run-1/b', 1_500n);
    await admission.reserve(requestOf(7_000n, { receipt: 'run-1/c', owner: BOB }));
    await admission.markUnknown(BOB, 'run-1/c');
  }
  await admission.close();
  await opened.close();
}

describe('SQ-9 SQ-11 the owner’s ledger of embeddings, for its users', () => {
  it('SQ-9 where nothing was reserved it says so, and makes no control database', async () => {
    expect((await exits(0, ledger())).stdout).toBe('no embedding was reserved\n');
    expect(documentOf(await exits(0, ledger('--json')))).toEqual({
      format: 'embedding-ledger@1',
      migration: null,
      sums: [],
      receipts: null,
    });
    const undone = await exits(0, give('doctor', '--embedding-ledger', 'none'));
    expect(undone.stdout).toContain('ok   embedding ledger: nothing was to be undone');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(`select datname from pg_database where starts_with(datname, 'recall_matrix_')`);
    await client.end();
    expect(rows).toEqual([]);
  });

  it('SQ-9 shows what owners were charged, of all runs, by day, kind and status; of one owner and day each receipt', async () => {
    await reserve('settled');
    const { stdout } = await exits(0, ledger());
    expect(stdout).toContain('(0002-query-receipts)');
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toContainEqual(['lab/ada', DAY, 'index', 'pending', '1', '$0.00004']);
    expect(lines).toContainEqual(['lab/ada', DAY, 'query', 'settled', '1', '$0.000002']);
    expect(lines).toContainEqual(['lab/bob', DAY, 'index', 'unknown', '1', '$0.000007']);
    expect(stdout).toContain('pending: under way, or left by a process that was killed');
    const of = documentOf(await exits(0, ledger('--json', '--owner', 'lab/ada', '--day', DAY)));
    expect(of).toMatchObject({
      sums: [
        { owner: OWNER, kind: 'index', status: 'pending', charge_nano_usd: 40_000 },
        { owner: OWNER, kind: 'query', status: 'settled', reserved_nano_usd: 30_000, charge_nano_usd: 2_000 },
      ],
      receipts: [
        { receipt: 'run-1/a', status: 'pending', day: DAY, reserved_micro_usd: 40, charge_micro_usd: 40 },
        { receipt: 'run-1/b', kind: 'query', deadline: `${DAY}T09:00:15.000Z` },
      ],
    });
    expect((await exits(0, ledger('--day', '2026-03-02'))).stdout).toBe('no embedding was reserved\n');
  });

  it('SQ-11 doctor takes it down for an earlier version, and refuses what would lose a charge or pending work', async () => {
    await reserve('pending');
    const first = ['doctor', '--embedding-ledger', '0001-index-receipts'];
    const refused = await exits(8, give(...first));
    expect(refused.stdout).toMatch(/FAIL embedding ledger: .*not settled\n {5}remedy: wait for that run/);
    const sums = (documentOf(await ledger('--json')) as { sums: { charge_nano_usd: number }[] }).sums;
    const opened = await openPostgres({
      databaseUrl: server.url,
      clock: systemClock,
      signal: new AbortController().signal,
    });
    await (await opened.openControl()).query(
      `update recall_matrix_embedding.spend set status = 'unknown' where kind = 'query' and status = 'pending'`,
    );
    await opened.close();
    expect((await exits(0, give(...first))).stdout).toContain('ok   embedding ledger: undid 0002-query-receipts');
    const after = documentOf(await exits(0, ledger('--json', '--owner', 'lab/ada', '--day', DAY)));
    expect(after).toMatchObject({
      migration: '0001-index-receipts',
      receipts: [{ receipt: 'run-1/a' }, { receipt: 'run-1/b', status: 'settled', charge_micro_usd: 2 }],
    });
    const total = (all: { charge_nano_usd: number }[]): number =>
      all.reduce((sum, each) => sum + each.charge_nano_usd, 0);
    const kept = (documentOf(await ledger('--json')) as typeof after & { sums: { charge_nano_usd: number }[] }).sums;
    expect(total(kept)).toBe(total(sums));
    const last = await exits(8, give('doctor', '--embedding-ledger', 'none', '--json'));
    expect(last.stdout).toMatch(/has charges, which the version before it could not keep/);
  });

  it.each([
    [
      'an owner without embeddings',
      ['ledger', '--owner', 'lab/ada'],
      /LEDGER_FLAGS: --owner and --day choose among embeddings/,
    ],
    ['embeddings of one run', ['ledger', 'latest', '--embeddings'], /LEDGER_FLAGS: --embeddings is of all runs/],
    ['half an owner', ['ledger', '--embeddings', '--owner', 'ada'], /It is TENANT\/PRINCIPAL/],
    ['no day', ['ledger', '--embeddings', '--day', '2026-02-30'], /It is a day, YYYY-MM-DD/],
    ['no migration', ['doctor', '--embedding-ledger', '0003'], /It is one of none, 0001-index-receipts/],
  ])('CL-2 refuses %s', async (_what, args, message) => {
    expect((await exits(2, give(...args))).stderr).toMatch(message);
  });
});
