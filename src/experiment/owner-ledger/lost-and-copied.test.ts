import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { E2E_TENANT, rowsOf } from '../../../test/support/cli-priced.js';
import type { FailureRule, OpenAiServer } from '../../../test/support/openai-server/index.js';
import { chargeOf, embeddingSends, receiptsOf, spendDay } from '../../../test/support/owner-receipts.js';
import { startTestServer } from '../../../test/support/postgres-global-setup.js';
import {
  remoteOptions,
  remoteStageOf,
  startRemoteServer,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { type Clock, systemClock } from '../../core/clock.js';
import type { Owner } from '../../fixture/history.js';
import { readLedger } from '../../ledger/read-ledger.js';
import { CONTROL_DATABASE } from '../../postgres/control-database.js';
import type { SessionOptions } from '../open-session.js';
import { resumeRun } from '../resuming/resume-run.js';
import { runMatrix } from '../run.js';

const ARMS = [{ name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } }];
const READER = { provider: 'local', model: 'extractive-reader-1' };

/** A server of this file's own: its control database is lost in a test. */
let postgres: Awaited<ReturnType<typeof startTestServer>>;
const servers: OpenAiServer[] = [];
let folder: string;
beforeAll(async () => {
  postgres = await startTestServer();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await postgres.stop();
});
beforeEach(async () => {
  folder = await temporaryFolder();
});

const ownerOf = (principal: string): Owner => ({ tenant: E2E_TENANT, principal });
const receipts = (principal: string) => receiptsOf(postgres.url, ownerOf(principal));
const options = (changes: Partial<SessionOptions> = {}): SessionOptions =>
  remoteOptions(folder, { databaseUrl: postgres.url, ...changes });

/** A matrix of an owner of its own, and the server that it embeds with. */
async function sceneOf(principal: string, failures: readonly FailureRule[] = []): Promise<OpenAiServer> {
  const server = await startRemoteServer(failures);
  servers.push(server);
  await writeRemoteMatrix(folder, server, { formation: 'none', arms: ARMS, reader: READER });
  await editFile(
    join(folder, 'priced.yaml'),
    'query_preparation:\n',
    'vector_banks: { bank: off }\nquery_preparation:\n',
  );
  await editFile(join(folder, 'small', 'fixture.yaml'), 'principal: small', `principal: ${principal}`);
  return server;
}

const run = (changes: Partial<SessionOptions> = {}) =>
  runMatrix({ ...options(changes), matrixPath: join(folder, 'priced.yaml') });

const resume = (path: string, changes: Partial<SessionOptions> = {}) =>
  resumeRun({ ...options(changes), run: path, matrixPath: null, budget: null, retryFailed: true });

const isQuestion = (body: unknown): boolean => remoteStageOf(body) === 'query';

it('SQ-13 SQ-10 of two copies of a run that are both continued the second is refused: it sends nothing under the receipts of the first', async () => {
  const server = await sceneOf('copied');
  const at = (now: string): Clock => ({ ...systemClock, now: () => now });
  const full = at('2026-03-01T12:00:00.000Z');
  await spendDay(postgres.url, ownerOf('copied'), full);
  const { result } = await run({ clock: full });
  expect(result.status).toBe('incomplete');
  const copy = join(await temporaryFolder(), result.run);
  await cp(result.path, copy, { recursive: true });

  const next = at('2026-03-02T12:00:00.000Z');
  const first = await resume(result.path, { clock: next });
  expect(first.result.status, JSON.stringify(first.result.problems)).toBe('complete');
  const told = await receipts('copied');
  const sent = server.requests.length;
  const second = await resume(copy, { clock: next });
  expect(second.result.status).toBe('incomplete');
  expect(second.result.problems).toMatchObject([
    { code: 'RUN_CONTINUED_ELSEWHERE', remedy: expect.stringMatching(/./) },
  ]);
  expect(second.kinds).toEqual(['invalid-input']);
  expect(server.requests).toHaveLength(sent);
  expect(await receipts('copied')).toEqual(told);
});

it('SQ-10 SQ-13 RS-3 a control database that is lost while a question is prepared stops the run; both ledgers hold what may be billed, and it is resumed', async () => {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  const allow = (yes: boolean): Promise<unknown> =>
    admin.query(`alter database ${CONTROL_DATABASE} allow_connections ${yes}`);
  let lost: Promise<unknown> | null = null;
  const lose = (body: unknown): boolean => {
    if (lost !== null || !isQuestion(body)) return false;
    lost = allow(false).then(() =>
      admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
        CONTROL_DATABASE,
      ]),
    );
    return true;
  };
  const server = await sceneOf('lost', [{ when: lose, failure: { kind: 'slow', ms: 700 } }]);
  try {
    let path = '';
    const onFolder = (made: string): void => {
      path = made;
    };
    await expect(run({ onFolder })).rejects.toMatchObject({ kind: 'database', code: 'LEDGER_UNRESOLVED', exitCode: 8 });
    expect(lost).not.toBeNull();
    await lost;
    await allow(true);
    const billed = Number(server.bill().nano_usd);
    expect(billed).toBeGreaterThan(0);
    const { totals } = await readLedger(join(path, 'ledger.jsonl'));
    expect(billed).toBeLessThanOrEqual(Number(totals.spent_nano_usd + totals.held_nano_usd));
    expect(billed).toBeLessThanOrEqual(chargeOf(await receipts('lost')));

    const resumed = await resume(path);
    expect(resumed.result.status, JSON.stringify(resumed.result.problems)).toBe('complete');
    expect((await rowsOf(path)).every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
    const sends = await embeddingSends(path);
    expect(await receipts('lost')).toEqual(sends);
    expect(sends.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'index settled',
      'query unknown',
      // Nothing keeps the vectors of items here: a session embeds them anew.
      'index settled',
      'query settled',
    ]);
    expect(Number(server.bill().nano_usd)).toBeLessThanOrEqual(chargeOf(sends));
  } finally {
    await allow(true);
    await admin.end();
  }
});

it('LG-9 SQ-10 a provider that bills items above what was reserved is charged in full in both ledgers, and nothing is sent after it', async () => {
  const usage = { prompt_tokens: 400_000, total_tokens: 400_000 };
  const server = await sceneOf('dear', [{ when: 0, failure: { kind: 'usage', usage } }]);
  const { result, kinds } = await run();
  expect({ status: result.status, kinds: [...new Set(kinds)] }).toEqual({ status: 'incomplete', kinds: ['budget'] });
  const cost = usage.total_tokens * 20;
  expect(result.ledger).toMatchObject({ spent_nano_usd: cost, breached: true });
  const told = await receipts('dear');
  expect(told).toEqual(await embeddingSends(result.path));
  expect(told).toMatchObject([{ kind: 'index', status: 'settled', charge: cost }]);
  expect(server.requests).toHaveLength(1);
});
