import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CEILINGS, requestOf } from '../../../../test/support/admission-bench.js';
import { useBundledChild } from '../../../../test/support/bundled-child.js';
import { startTestServer } from '../../../../test/support/postgres-global-setup.js';
import { manualClock, systemClock } from '../../../core/clock.js';
import { openPostgres } from '../../../postgres/open.js';
import { openPostgresAdmission } from './postgres-admission.js';

/** A server of this file's own: a control database is one a server. */
let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const program = useBundledChild('admission-child');
const open = () => openPostgres({ databaseUrl: server.url, clock: systemClock, signal: new AbortController().signal });

function startChild() {
  const child = spawn(process.execPath, [program(), server.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    ended: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    next: async (): Promise<string> => String((await lines.next()).value),
    tell: () => child.stdin.write('\n'),
  };
}

async function runtimeRoles(): Promise<number> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ roles: number }>(
    `select count(*)::int as roles from pg_roles where starts_with(rolname::text, 'recall_matrix_')`,
  );
  await client.end();
  return rows[0]!.roles;
}

it('SQ-9 SQ-10 PG-5 of two processes one is admitted and one refused, both survive; what a killed one held is unknown, and its login goes', async () => {
  const children = [startChild(), startChild()] as const;
  for (const { next } of children) expect(await next()).toBe('ready');
  for (const { tell } of children) tell();
  const said = await Promise.all(children.map(({ next }) => next()));
  const winner = said[0]?.startsWith('admitted') ? 0 : 1;
  const deadline = said[winner]?.replace('admitted ', '') ?? '';
  expect(said[1 - winner]).toBe('refused slot');
  const [killed, survivor] = [children[winner], children[1 - winner] as (typeof children)[0]];
  survivor.tell();
  expect(await survivor.next()).toBe('closed');
  expect(await survivor.ended).toEqual([0, null]);
  killed.child.kill('SIGKILL');
  expect(await killed.ended).toEqual([null, 'SIGKILL']);

  // The server notices the end of a connection a moment later.
  await expect
    .poll(async () => {
      await (await open()).close();
      return runtimeRoles();
    })
    .toBe(0);
  const next = await open();
  try {
    const clock = manualClock(new Date(Date.parse(deadline) - 1).toISOString());
    const pools = { admin: await next.openControl(), runtime: await next.openControlRuntime() };
    const ledger = await openPostgresAdmission({ ...pools, clock, ceilings: CEILINGS });
    expect(await ledger.reserve(requestOf(1_000n, { kind: 'query' }))).toMatchObject({ ceiling: 'slot' });
    clock.advance(1);
    expect(await ledger.reserve(requestOf(1_000n, { kind: 'query' }))).toMatchObject({ kind: 'admitted' });
    const { rows } = await pools.admin.query(
      'select status, charge_micro_usd::int as charge from recall_matrix_embedding.spend order by position',
    );
    expect(rows).toEqual([
      { status: 'unknown', charge: 100 },
      { status: 'pending', charge: 1 },
    ]);
    await ledger.close();
  } finally {
    await next.close();
  }
});
