import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { requestIdentity } from '../../src/bank/request-identity.js';
import { systemClock } from '../../src/core/clock.js';
import { resumeRun } from '../../src/experiment/resuming/resume-run.js';
import { runMatrix } from '../../src/experiment/run.js';
import { loadMatrix } from '../../src/matrix/load-matrix.js';
import {
  FickleProvider,
  formSample,
  SAMPLE_IDENTITY,
  sampleRequest,
  sealSample,
  startSample,
} from '../support/bank-samples.js';
import { received, simpleModels, stageOf } from '../support/chat-models.js';
import {
  BM25,
  KEY,
  KEY_VARIABLE,
  type MatrixParts,
  RECENCY,
  rowsOf,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import type { OpenAiServer, OpenAiServerOptions } from '../support/openai-server/index.js';
import { sessionOptions } from '../support/session-options.js';
import { KNOWN_PARTS } from '../support/sound-matrix.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Faults that other projects had while running: KNOWN-FAULTS, R-01 to R-15 as far as they are not in banks.test.ts or beside what they are of.
const QUESTIONS = 4;

let server: OpenAiServer | undefined;
afterEach(() => server?.close());

/** A run of the priced fixture against a server that answers so. */
async function run(answer: NonNullable<OpenAiServerOptions['answer']>, parts: Partial<MatrixParts> = {}) {
  server = await startPricedServer({ answer });
  const folder = await temporaryFolder();
  const fixtures = [await writeFixture(folder, 'small')];
  const matrixPath = await writeMatrix(folder, { url: server.url, fixtures, arms: [BM25, RECENCY], ...parts });
  const options = sessionOptions(folder, { environment: { [KEY_VARIABLE]: KEY }, clock: systemClock });
  return { ...(await runMatrix({ ...options, matrixPath })), options, server };
}

describe('RS-5 running', () => {
  it('R-01 each of five repeats is asked anew, and keeps the answer that it got', async () => {
    const models = simpleModels();
    const done = await run(
      (request, index) =>
        stageOf(request) === 'reader'
          ? JSON.stringify({ abstains: false, answer: `answer ${index}` })
          : models(request, index),
      { arms: [BM25], load: { repeats: 5 } },
    );
    expect(received(done.server, 'reader')).toHaveLength(5 * QUESTIONS);
    const rows = await rowsOf(done.result.path);
    expect(rows).toHaveLength(5 * QUESTIONS);
    expect(new Set(rows.map(({ request }) => request)).size).toBe(QUESTIONS);
    expect(new Set(rows.map(({ answer }) => answer)).size).toBe(5 * QUESTIONS);
    for (const { actual } of rows) expect(actual.calls).toBe(1);
  });

  it('R-05 a finished run that is resumed keeps every row whole, its times too, and asks nothing', async () => {
    const done = await run(simpleModels(), { arms: [BM25] });
    const rows = await rowsOf(done.result.path);
    expect(rows.map(({ timings_ms }) => timings_ms?.reader ?? 0).every((spent) => spent > 0)).toBe(true);
    const { requests } = done.server;
    const sent = requests.length;
    const resuming = { run: 'latest', matrixPath: null, budget: null, retryFailed: false };
    expect((await resumeRun({ ...done.options, ...resuming })).result.status).toBe('complete');
    expect(await rowsOf(done.result.path)).toEqual(rows);
    expect(requests).toHaveLength(sent);
  });

  it('R-06 the limit of concurrency holds over all arms together, and is reached', async () => {
    const models = simpleModels();
    let [inFlight, most] = [0, 0];
    let reach = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    await run(
      async (request, index) => {
        if (stageOf(request) !== 'reader') return models(request, index);
        inFlight += 1;
        most = Math.max(most, inFlight);
        if (inFlight === 3) reach();
        await reached;
        // Room for a fourth, which must not come.
        await sleep(20);
        inFlight -= 1;
        return models(request, index);
      },
      { concurrency: 3 },
    );
    expect(most).toBe(3);
  });

  it('R-45 a formation that failed asks no question, and leaves no arm complete or with a mean', async () => {
    const done = await run((request, index) =>
      stageOf(request) === 'formation' ? 'no JSON' : simpleModels()(request, index),
    );
    expect(done.kinds).not.toEqual([]);
    expect(done.result.status).toBe('incomplete');
    expect(received(done.server, 'formation').length).toBeGreaterThan(0);
    expect(received(done.server, 'reader')).toEqual([]);
    for (const arm of done.result.arms) {
      expect(arm.status).not.toBe('complete');
      expect(arm.scores['token-f1'] ?? null).toBeNull();
    }
  });

  it('R-14 a question that the arm fails is 0 in the one mean, is left out of the other, and is counted', async () => {
    const models = simpleModels();
    let asked = 0;
    const done = await run(
      (request, index) => {
        if (stageOf(request) !== 'reader') return models(request, index);
        asked += 1;
        return asked === 1 ? 'no JSON' : models(request, index);
      },
      { arms: [BM25], concurrency: 1 },
    );
    const rows = await rowsOf(done.result.path);
    const sum = rows.reduce((total, { scores }) => total + (scores['token-f1'] ?? 0), 0);
    expect(sum).toBeGreaterThan(0);
    const [arm] = done.result.arms;
    expect(arm).toMatchObject({ failed: 1, answered: QUESTIONS - 1 });
    expect(arm?.score_details['token-f1']).toMatchObject({ n: QUESTIONS, failed: 1 });
    expect(arm?.score_details['token-f1']?.mean).toBeCloseTo(sum / QUESTIONS, 12);
    expect(arm?.score_details['token-f1']?.mean_without_failures).toBeCloseTo(sum / (QUESTIONS - 1), 12);
  });

  it('R-44 arms that name no limit are given equally many items, and one budget of context, whatever their strategy', async () => {
    const ranked = ['recency', 'full-text', 'bm25', 'semantic', 'hybrid'];
    const folder = await temporaryFolder();
    const arms = ranked.map((strategy) => ({ name: strategy, retrieval: { strategy } }));
    const fixtures = [await writeFixture(folder, 'small')];
    const { matrix } = await loadMatrix(
      await writeMatrix(folder, { url: 'http://127.0.0.1:9/v1', fixtures, arms }),
      KNOWN_PARTS,
    );
    expect(matrix.arms.map(({ name, retrieval }) => [name, retrieval.limit])).toEqual(ranked.map((name) => [name, 10]));
    expect(matrix.context.tokens).toBe(1500);
    for (const arm of matrix.arms) expect(Object.keys(arm)).not.toContain('context');
  });

  it('R-10 neither the time of a request nor who pays for it enters its identity', () => {
    const request = sampleRequest('session_1', 'text');
    const later = { ...request.model, resolved_at: '2031-05-06T07:08:09.000Z', credential_ref: 'OTHER_KEY' };
    expect(requestIdentity({ ...request, model: later })).toEqual(requestIdentity(request));
    expect(requestIdentity(sampleRequest('session_1', 'other'))).not.toEqual(requestIdentity(request));
  });

  it('R-11 a bank of one model, endpoint, temperature, limit or seed is found for no other', async () => {
    const folder = await temporaryFolder();
    const recording = await startSample(folder, new FickleProvider());
    await sealSample(recording, await formSample(recording));
    const banks = openBankFolder(folder);
    expect(await banks.find('harbour', SAMPLE_IDENTITY, null)).toMatchObject({ kind: 'found' });
    const { profile } = SAMPLE_IDENTITY;
    const { parameters } = profile;
    const others = [
      { ...profile, model: 'former-2' },
      { ...profile, endpoint: 'https://other.example/v1' },
      { ...profile, parameters: { ...parameters, temperature: 0.1 } },
      { ...profile, parameters: { ...parameters, max_output_tokens: 513 } },
      { ...profile, parameters: { ...parameters, seed: 8 } },
    ];
    for (const other of others)
      expect(await banks.find('harbour', { ...SAMPLE_IDENTITY, profile: other }, null)).toMatchObject({ kind: 'none' });
  });
});
