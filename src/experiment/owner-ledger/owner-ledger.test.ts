import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  E2E_TENANT,
  journalOf,
  type MatrixParts,
  rowsOf,
  type SmallQuestion,
} from '../../../test/support/cli-priced.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import { chargeOf, embeddingSends, inQuanta, receiptsOf, spendDay } from '../../../test/support/owner-receipts.js';
import { startTestServer } from '../../../test/support/postgres-global-setup.js';
import {
  embeddingRequests,
  MOODY,
  remoteOptions,
  remoteStageOf,
  startRemoteServer,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { watchStatements } from '../../../test/support/statement-watch.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { type Clock, systemClock } from '../../core/clock.js';
import { databaseUnavailable } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import { CONTROL_DATABASE } from '../../postgres/control-database.js';
import type { PostgresServer } from '../../postgres/postgres.js';
import { recordMatrix } from '../formation/record.js';
import type { SessionOptions } from '../open-session.js';
import { prepareRun } from '../prepare-run.js';
import { resumeRun } from '../resuming/resume-run.js';
import { runMatrix } from '../run.js';
import { openOwnerLedger } from './open-owner-ledger.js';

const ARMS = [
  { name: 'bm25', retrieval: { strategy: 'bm25', unit: 'turns', limit: 3 } },
  { name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } },
];
const PARTS = { formation: 'none', arms: ARMS, reader: { provider: 'local', model: 'extractive-reader-1' } } as const;

/** A server of this file's own: what others embed at the same time would be counted here, and wait here. */
let postgres: Awaited<ReturnType<typeof startTestServer>>;
let server: OpenAiServer;
let folder: string;
beforeAll(async () => {
  postgres = await startTestServer();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  folder = await temporaryFolder();
});

const servers: OpenAiServer[] = [];
afterAll(() => Promise.all(servers.map((one) => one.close())));

async function withServer(...failures: Parameters<typeof startRemoteServer>): Promise<void> {
  server = await startRemoteServer(...failures);
  servers.push(server);
}

async function matrix(
  principal: string,
  parts: Partial<MatrixParts> = {},
  questions?: readonly SmallQuestion[],
): Promise<void> {
  await writeRemoteMatrix(folder, server, { ...PARTS, ...parts }, questions);
  await editFile(join(folder, 'small', 'fixture.yaml'), 'principal: small', `principal: ${principal}`);
}

/** Gives a matrix ceilings, in nano-dollars. */
async function limit(name: string, request: number, day: number): Promise<void> {
  const usd = (nano: number): string => `"${(nano / 1e9).toFixed(9)}"`;
  const ceilings = `query_preparation:\n  ceilings: { request_usd: ${usd(request)}, day_usd: ${usd(day)} }\n`;
  await editFile(join(folder, `${name}.yaml`), 'query_preparation:\n', ceilings);
}

async function run(changes: Partial<SessionOptions> = {}, name = 'priced') {
  const options = remoteOptions(folder, { databaseUrl: postgres.url, ...changes });
  const outcome = await runMatrix({ ...options, matrixPath: join(folder, `${name}.yaml`) });
  return { ...outcome, rows: await rowsOf(outcome.result.path) };
}

/** Of one length each, so that every group of four reserves the same. */
const EQUAL: readonly SmallQuestion[] = Array.from({ length: 12 }, (_, place) => ({
  question: `What was said of item ${String(place + 1).padStart(2, '0')}?`,
  expected: ['Lisbon'],
  evidence: ['S1:1'],
}));

const ownerOf = (principal: string): Owner => ({ tenant: E2E_TENANT, principal });
const receipts = (principal: string) => receiptsOf(postgres.url, ownerOf(principal));

describe('a run that sends texts to be embedded', () => {
  it('SQ-13 SQ-9 each send has one receipt in both ledgers, settled to its cost in whole quanta; a run that replays what was recorded has none', async () => {
    await withServer();
    await matrix('twice-told');
    const options = remoteOptions(folder, { databaseUrl: postgres.url });
    const { result } = await recordMatrix({ ...options, matrixPath: join(folder, 'priced.yaml') });
    expect(result.status, JSON.stringify(result.problems)).toBe('complete');
    const told = await receipts('twice-told');
    expect(told).toEqual(await embeddingSends(result.path));
    expect(new Set(told.map(({ kind, status }) => `${kind} ${status}`))).toEqual(
      new Set(['index settled', 'query settled']),
    );
    expect(chargeOf(told)).toBeGreaterThanOrEqual(Number(server.bill().nano_usd));

    const watch = watchStatements();
    const sent = server.requests.length;
    const replayed = await run();
    expect(replayed.result.status).toBe('complete');
    expect(server.requests).toHaveLength(sent);
    expect(watch.statements.length).toBeGreaterThan(0);
    expect(watch.statements.filter(({ database }) => database === CONTROL_DATABASE)).toEqual([]);
  });

  it('SQ-8 SQ-10 no transaction is open while the provider is called, and each reservation was committed before', async () => {
    const watch = watchStatements();
    const seen: { stage: string; open: string[]; before: string | undefined }[] = [];
    const look = (body: unknown): boolean => {
      const told = watch.statements.filter(({ database }) => database === CONTROL_DATABASE);
      seen.push({ stage: remoteStageOf(body), open: watch.open(), before: told.at(-1)?.text });
      return false;
    };
    await withServer([
      { when: look, failure: { kind: 'silence' } },
      { when: () => true, failure: { kind: 'slow', ms: 150 } },
    ]);
    // One arm, whose questions are prepared when they are asked: nothing else is done then.
    await matrix('looked-at', { arms: ARMS.slice(1) });
    await editFile(join(folder, 'priced.yaml'), 'arms:', 'vector_banks: { bank: off }\narms:');
    const activity = new pg.Client({ connectionString: postgres.url });
    await activity.connect();
    const whileCalled: unknown[] = [];
    const polled = server.received(1).then(async () => {
      const { rows } = await activity.query(
        `select pid, state, query from pg_stat_activity where datname = $1 and (xact_start is not null or state <> 'idle')`,
        [CONTROL_DATABASE],
      );
      whileCalled.push(...rows);
    });
    const { result } = await run();
    await polled;
    await activity.end();
    expect(result.status).toBe('complete');
    expect(seen).toHaveLength(embeddingRequests(server).length);
    // While items are embedded the databases of the run may still be made and filled.
    for (const { stage, open, before } of seen) {
      const held = open.filter((database) => stage === 'query' || database === CONTROL_DATABASE);
      expect({ stage, held, before }).toEqual({ stage, held: [], before: 'commit' });
    }
    expect(new Set(seen.map(({ stage }) => stage))).toEqual(new Set(['index', 'query']));
    expect(whileCalled).toEqual([]);
    // Of every database of the run, not of the control database alone; and the watch sees a transaction where there is one.
    expect(new Set(watch.statements.map(({ database }) => database)).size).toBeGreaterThan(1);
    const control = new pg.Client({ connectionString: postgres.url });
    await control.connect();
    await control.query('begin');
    expect(watch.open()).toEqual([control.database]);
    await control.query('rollback');
    expect(watch.open()).toEqual([]);
    await control.end();
  });

  it('SQ-10 SQ-1 an answer of too few vectors, of another length or of zeros keeps its whole charge in both ledgers; the arm goes on with sparse recall, degraded', async () => {
    const answers = [Array(3).fill(Array(8).fill(1)), Array(4).fill([1, 2]), Array(4).fill(Array(8).fill(0))];
    const failures = answers.map((vectors: number[][], group) => {
      const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
      const body = JSON.stringify({ object: 'list', model: MOODY, data, usage: { prompt_tokens: 1, total_tokens: 1 } });
      const first = JSON.stringify([EQUAL[4 * group]?.question]);
      const when = (sent: unknown): boolean => (sent as { input?: string[] }).input?.[0] === first;
      return { when, failure: { kind: 'body' as const, body } };
    });
    await withServer(failures);
    await matrix('malformed', {}, EQUAL);
    const { result, rows, kinds } = await run();
    expect({ status: result.status, kinds }).toEqual({ status: 'complete', kinds: [] });
    const turns = rows.filter(({ arm }) => arm === 'turns');
    expect(turns.map(({ lookup_miss, effective_strategy }) => `${lookup_miss} ${effective_strategy}`)).toEqual(
      Array(EQUAL.length).fill('unprepared bm25'),
    );
    expect(result.query_preparation).toMatchObject({ prepared: 0, unprepared: { malformed: EQUAL.length } });
    expect(result.arms.map(({ degraded }) => degraded)).toEqual([false, true]);
    const sends = await embeddingSends(result.path);
    expect(sends.filter(({ kind }) => kind === 'query').map(({ status }) => status)).toEqual(Array(3).fill('unknown'));
    expect(await receipts('malformed')).toEqual(sends);
    expect(chargeOf(sends)).toBeGreaterThanOrEqual(Number(server.bill().nano_usd));
  });

  it('SQ-9 SQ-10 a day that is used up makes the rest misses that say so: the run is complete, degraded, and nothing is overspent', async () => {
    await withServer();
    await matrix(
      'short-day',
      { load: { questions: EQUAL.slice(0, 4).map((_, place) => `small/q${place + 1}`) } },
      EQUAL,
    );
    const first = await run();
    const spent = chargeOf(await receipts('short-day'));
    const group = (await journalOf(first.result.path)).find(
      ({ kind, stage }) => kind === 'reserve' && stage === 'query',
    );
    const worst = inQuanta(group?.amount_nano_usd ?? 0);

    // Another matrix of the same owner, with room for one group more: what the first spent counts against it.
    await matrix('short-day', { name: 'other' }, EQUAL);
    await limit('other', worst, spent + worst);
    const outcome = await run({}, 'other');
    expect({ status: outcome.result.status, kinds: outcome.kinds }).toEqual({ status: 'complete', kinds: [] });
    const misses = outcome.rows.filter(({ arm }) => arm === 'turns').map(({ lookup_miss }) => lookup_miss);
    expect(misses).toEqual([...Array(8).fill(null), ...Array(4).fill('refused:day')]);
    expect(outcome.result.arms.map(({ arm, degraded }) => [arm, degraded])).toEqual([
      ['bm25', false],
      ['turns', true],
    ]);
    const all = await receipts('short-day');
    expect(chargeOf(all)).toBeLessThanOrEqual(spent + worst);
    const sends = await embeddingSends(outcome.result.path);
    expect(sends.map(({ status }) => status)).toEqual(['settled', 'released']);
    expect(all.filter(({ receipt }) => receipt.startsWith(`${outcome.result.run}/`))).toEqual(sends.slice(0, 1));
    expect(chargeOf(all)).toBeGreaterThanOrEqual(Number(server.bill().nano_usd));
  });

  it('SQ-9 items that the day has no room for stop their arm alone; the run says why, and goes on another day', async () => {
    await withServer();
    await matrix('no-items');
    const at = (now: string): Clock => ({ ...systemClock, now: () => now });
    const full = at('2026-03-01T23:59:59.999Z');
    await spendDay(postgres.url, ownerOf('no-items'), full);
    const { result, kinds } = await run({ clock: full });
    expect(result.status).toBe('incomplete');
    expect(kinds).toEqual(['budget']);
    expect(result.problems).toMatchObject([
      { code: 'EMBEDDING_NOT_ADMITTED', remedy: expect.stringContaining('UTC day') },
    ]);
    expect(result.arms.map(({ arm, status }) => [arm, status])).toEqual([
      ['bm25', 'complete'],
      ['turns', 'incomplete'],
    ]);
    expect(server.requests).toHaveLength(0);

    const options = remoteOptions(folder, { databaseUrl: postgres.url, clock: at('2026-03-02T00:00:00.000Z') });
    const { run: id } = result;
    const resumed = await resumeRun({ ...options, run: id, matrixPath: null, budget: null, retryFailed: false });
    expect(resumed.result.status, JSON.stringify(resumed.result.problems)).toBe('complete');
    expect(resumed.result.arms.map(({ degraded }) => degraded)).toEqual([false, false]);
  });

  it('SQ-9 PG-5 a server that goes with the run cannot keep what outlasts it: refused, with what to do, before anything is sent', async () => {
    await withServer();
    await matrix('homeless');
    const prepared = await prepareRun(join(folder, 'priced.yaml'), {});
    const lost = databaseUnavailable('POSTGRES_NO_CONTROL_DATABASE', 'it goes with the run', { remedy: '-' });
    const disposable = { openControl: () => Promise.reject(lost) } as unknown as PostgresServer;
    const common = { prepared, postgres: disposable, clock: systemClock, note: () => {} };
    const refused = openOwnerLedger({ ...common, use: { reads: true } });
    await expect(refused).rejects.toMatchObject({ code: 'EMBEDDING_LEDGER_HOMELESS', exitCode: 8 });
    // What reproduces sends nothing, and opens nothing.
    expect(await openOwnerLedger({ ...common, use: { reads: true, sends: false } })).toBeNull();
  });
});
