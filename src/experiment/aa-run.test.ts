import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { received, simpleModels, stageOf } from '../../test/support/chat-models.js';
import {
  BM25,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  rowsOf,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../../test/support/cli-priced.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../test/support/openai-server/index.js';
import { sessionOptions } from '../../test/support/session-options.js';
import { SMALL_CALLS, SMALL_MATRIX, writeFixture as writeSmallFixture } from '../../test/support/small-matrix.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { systemClock } from '../core/clock.js';
import type { RunResult } from './experiment.js';
import { planRun } from './planning/plan-run.js';
import { extendRun } from './resuming/extend-run.js';
import { resumeRun } from './resuming/resume-run.js';
import { type RunOutcome, runMatrix } from './run.js';

/** Formation calls and questions of the priced fixture. */
const [CALLS, QUESTIONS] = [2, 4];

let folder: string;
let remove: () => Promise<void>;
let server: OpenAiServer;
let matrixPath: string;
let first: RunOutcome;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  const answer = simpleModels();
  const asked = new Map<string, number>();
  // Noise: a request that was answered before is answered otherwise.
  server = await startPricedServer({
    answer: (request, index) => {
      const body = JSON.stringify(request);
      const times = (asked.get(body) ?? 0) + 1;
      asked.set(body, times);
      if (stageOf(request) !== 'reader' || times === 1) return answer(request, index);
      return JSON.stringify({ abstains: false, answer: `something else, for time ${times}` });
    },
  });
  await writeFixture(join(folder, 'fixtures'), 'small');
  matrixPath = await write([BM25]);
  first = await runMatrix({ ...options({ aa: 'bm25' }), matrixPath });
});
afterAll(async () => {
  await server.close();
  await remove();
});

const write = (arms: readonly unknown[]) =>
  writeMatrix(folder, { url: server.url, fixtures: ['fixtures/small'], arms, concurrency: 1 });
const options = (overrides = {}) =>
  sessionOptions(folder, { environment: { [KEY_VARIABLE]: KEY }, clock: systemClock, overrides });
const continued = (matrix: string, overrides = {}) => ({
  ...options(overrides),
  run: 'latest',
  matrixPath: matrix,
  budget: null,
  retryFailed: false,
});
const named = ({ arms }: RunResult) => arms.map(({ arm, aa_of }) => [arm, aa_of]);

describe('RP-8 a run with an arm that runs twice', () => {
  it('RP-8 both read what one bank formed, are sent each for itself, and differ by the reader alone', async () => {
    const { result } = first;
    expect(first.kinds).toEqual([]);
    expect(named(result)).toEqual([
      ['bm25', null],
      ['bm25-aa', 'bm25'],
    ]);
    for (const arm of result.arms) expect(arm).toMatchObject({ parity: 'equal', replayed_calls: CALLS });
    expect(received(server, 'formation')).toHaveLength(CALLS);
    expect(received(server, 'reader')).toHaveLength(2 * QUESTIONS);
    const rows = await rowsOf(result.path);
    for (const row of rows.filter(({ arm }) => arm === 'bm25')) {
      const again = rows.find(({ arm, question }) => arm === 'bm25-aa' && question === row.question);
      expect(again).toMatchObject({ state: row.state, request: row.request, actual: { calls: 1 } });
      expect(again?.context?.digest).toBe(row.context?.digest);
      expect(again?.answer).not.toBe(row.answer);
    }
    expect(result.arms[0]?.scores['token-f1']).not.toBe(result.arms[1]?.scores['token-f1']);
  });

  it('RP-8 MX-8 it is in no contrast, and no exploratory arm', () => {
    expect(first.result.analysis).toMatchObject({ contrasts: [], exploratory: { arms: ['bm25'] } });
  });

  it('RP-8 MX-6 a plan counts it', async () => {
    const sends = async (overrides: object) => {
      const { arms, reader } = await planRun(matrixPath, overrides);
      return [arms.map(({ arm }) => arm), reader.sends];
    };
    expect(await sends({})).toEqual([['bm25'], QUESTIONS]);
    expect(await sends({ aa: 'bm25' })).toEqual([['bm25', 'bm25-aa'], 2 * QUESTIONS]);
  });

  it('RP-8 OB-5 OB-8 a resume and an extension keep it, though neither the command nor the matrix names it', async () => {
    const before = server.requests.length;
    const resumed = await resumeRun(continued(matrixPath));
    expect(named(resumed.result)).toEqual(named(first.result));
    const { result, kinds } = await extendRun(continued(await write([BM25, RECENCY])));
    expect(kinds).toEqual([]);
    expect(named(result)).toEqual([
      ['bm25', null],
      ['recency', null],
      ['bm25-aa', 'bm25'],
    ]);
    expect(server.requests.length - before).toBe(QUESTIONS);
    await expect(extendRun(continued(await write([BM25, RECENCY]), { aa: 'recency' }))).rejects.toMatchObject({
      code: 'RUN_MATRIX_CHANGED',
    });
  });
});

it('RP-8 OB-8 under a reader without noise nothing differs; a finished run is given the arm by an extension', async () => {
  const small = await temporaryFolder();
  await writeSmallFixture(join(small, 'fixtures'), 'mill');
  const path = join(small, 'm.yaml');
  await writeFile(path, SMALL_MATRIX);
  await runMatrix({ ...sessionOptions(small), matrixPath: path });
  const { result } = await extendRun({ ...continued(path), ...sessionOptions(small, { overrides: { aa: 'bm25' } }) });
  const [bm25, again] = ['bm25', 'bm25-aa'].map((name) => result.arms.find(({ arm }) => arm === name));
  expect(again).toEqual({ ...bm25, arm: 'bm25-aa', aa_of: 'bm25' });
  expect(again?.replayed_calls).toBe(SMALL_CALLS);
});
