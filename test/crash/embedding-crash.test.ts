import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { CRASH_VARIABLE, EMBEDDING_CRASH_POINTS } from '../../src/core/crash-points.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import { cli, command, exits, startCli } from '../support/cli.js';
import { E2E_TENANT, journalOf, KEY, KEY_VARIABLE, rowsOf } from '../support/cli-priced.js';
import { keptFolder } from '../support/kept-folder.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { chargeOf, embeddingSends, receiptsOf, spendDay } from '../support/owner-receipts.js';
import { testServerUrl } from '../support/postgres.js';
import { embeddingRequests, startRemoteServer, writeRemoteMatrix } from '../support/remote-run.js';
import { editFile } from '../support/small-matrix.js';

const ENV = { [KEY_VARIABLE]: KEY };
const ARMS = [{ name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } }];

let folder: string;
let remove: () => Promise<void>;
const servers: OpenAiServer[] = [];
beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await remove();
});

interface Scene {
  readonly server: OpenAiServer;
  readonly matrix: string;
  readonly out: string;
  readonly owner: { readonly tenant: string; readonly principal: string };
}

/** A matrix whose items and questions are embedded in every session, by a server of its own, for an owner of its own. */
async function sceneOf(name: string, ...failures: Parameters<typeof startRemoteServer>): Promise<Scene> {
  const server = await startRemoteServer(...failures);
  servers.push(server);
  const place = join(folder, name);
  await mkdir(place);
  const reader = { provider: 'local', model: 'extractive-reader-1' };
  const matrix = await writeRemoteMatrix(place, server, { formation: 'none', arms: ARMS, reader });
  await editFile(matrix, 'query_preparation:\n', 'vector_banks: { bank: off }\nquery_preparation:\n');
  await editFile(join(place, 'small', 'fixture.yaml'), 'principal: small', `principal: ${name}`);
  return { server, matrix, out: join(place, 'runs'), owner: { tenant: E2E_TENANT, principal: name } };
}

/** Runs or resumes to a death at a boundary; gives the run's folder. */
async function die(
  { out }: Scene,
  args: readonly string[],
  [point, occurrence]: readonly [string, number],
): Promise<string> {
  const killed = await startCli(args, { env: { ...ENV, [CRASH_VARIABLE]: `${point}:${occurrence}` } }).ended;
  expect(killed, killed.stderr).toMatchObject({ signal: 'SIGKILL' });
  expect(killed.stderr).toContain(`REACHED ${point}`);
  const [name, ...others] = await readdir(out);
  expect(others).toEqual([]);
  return join(out, name as string);
}

const resultOf = ({ stdout }: { stdout: string }): RunResult => JSON.parse(stdout) as RunResult;

describe('a run that is killed between the commits of its two ledgers', () => {
  it('SQ-13 SQ-10 RS-1 what is open in either is uncertain in both, at its whole charge, and the run goes on', async () => {
    const scene = await sceneOf('two-ledgers');
    const { server, matrix, out, owner } = scene;
    let args = ['run', matrix, '--out', out];
    let run = '';
    for (const point of [
      // Items: reserved in the run's ledger alone; then settled in the owner's alone.
      ['matrix-reservation-committed', 1],
      ['owner-resolution-committed', 1],
      // Questions, after the items: sent, and settled in the owner's alone.
      ['send-started', 2],
      ['owner-resolution-committed', 2],
    ] as const) {
      run = await die(scene, args, point);
      args = ['run', '--resume', run, '--json'];
    }
    const result = resultOf(await exits(0, command(args, { env: ENV })));
    expect(result.status).toBe('complete');
    const sends = await embeddingSends(run);
    const told = await receiptsOf(testServerUrl(), owner);
    const byReceipt = (all: typeof told): unknown => [...all].sort((a, b) => (a.receipt < b.receipt ? -1 : 1));
    expect(byReceipt(told)).toEqual(byReceipt(sends));
    const of = (kind: string, status: string): number =>
      told.filter((one) => one.kind === kind && one.status === status).length;
    expect({ index: of('index', 'unknown'), query: of('query', 'unknown') }).toEqual({ index: 2, query: 2 });
    expect({ index: of('index', 'settled'), query: of('query', 'settled') }).toEqual({ index: 3, query: 1 });
    const billed = Number(server.bill().nano_usd);
    const { spent_nano_usd, held_nano_usd, uncertain_nano_usd } = result.ledger;
    expect(uncertain_nano_usd).toBe(held_nano_usd);
    expect(billed).toBeLessThanOrEqual(spent_nano_usd + held_nano_usd);
    expect(billed).toBeLessThanOrEqual(chargeOf(told));
    // The positive control: what was uncertain had been sent, so the settled costs alone are less than the bill.
    expect(billed).toBeGreaterThan(spent_nano_usd);
    expect((await rowsOf(run)).every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
  });

  it('SQ-13 SQ-9 what the owner’s ledger had refused is uncertain in the run’s alone: nothing was reserved, and nothing sent', async () => {
    const scene = await sceneOf('refused');
    const { server, matrix, out, owner } = scene;
    await spendDay(testServerUrl(), owner, systemClock);
    const run = await die(scene, ['run', matrix, '--out', out], ['owner-refused', 1]);
    const stopped = await exits(4, command(['run', '--resume', run, '--json'], { env: ENV }));
    expect(resultOf(stopped).problems.map(({ code }) => code)).toContain('EMBEDDING_NOT_ADMITTED');
    expect((await embeddingSends(run)).map(({ status }) => status)).toEqual(['unknown', 'released']);
    expect((await receiptsOf(testServerUrl(), owner)).map(({ receipt }) => receipt)).toEqual(['another/r1']);
    expect(server.requests).toEqual([]);
  });

  it('names every such boundary', async () => {
    const text = await readFile(new URL(import.meta.url), 'utf8');
    for (const point of EMBEDDING_CRASH_POINTS) expect(text).toContain(`['${point}', `);
  });
});

describe('two processes that prepare for one owner', () => {
  it('SQ-9 SQ-8 take turns: no two of its questions are sent at once, and both runs are complete', async () => {
    const inFlight: number[] = [];
    const isQuestion = (body: unknown): boolean =>
      [(body as { input: string | string[] }).input].flat().every((text) => text.startsWith('["'));
    const look = (body: unknown): boolean => {
      if (!isQuestion(body)) return false;
      const open = scene.server.requests.filter(({ status, body: other }) => status === null && isQuestion(other));
      inFlight.push(open.length);
      return true;
    };
    const scene = await sceneOf('one-owner', [{ when: look, failure: { kind: 'slow', ms: 700 } }]);
    const { matrix, out, owner } = scene;
    const runs = await Promise.all(
      ['a', 'b'].map((name) => exits(0, cli(['run', matrix, '--json', '--out', join(out, name)], { env: ENV }))),
    );
    for (const done of runs) {
      const { status, path } = resultOf(done);
      expect(status).toBe('complete');
      const misses = new Set((await rowsOf(path)).map(({ lookup_miss }) => lookup_miss));
      expect([...misses]).toEqual([null]);
      expect((await journalOf(path)).some(({ stage }) => stage === 'query')).toBe(true);
    }
    expect(inFlight).toEqual([1, 1]);
    expect(embeddingRequests(scene.server)).toHaveLength(4);
    const told = await receiptsOf(testServerUrl(), owner);
    expect(told.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
      'index settled',
      'index settled',
      'query settled',
      'query settled',
    ]);
  });
});
