import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../test/support/cli-priced.js';
import type { FailureRule, OpenAiServer } from '../../../test/support/openai-server/index.js';
import {
  queryRequests,
  remoteOptions,
  remoteStageOf,
  runRemote,
  STEADY,
  startRemoteServer,
  sumOfActual,
  VECTOR_ARMS,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { Observation } from '../asking/observation.js';
import type { RunResult } from '../experiment.js';
import { planRun } from '../planning/plan-run.js';
import { resumeRun } from '../resuming/resume-run.js';

const TEXTS = ['Lisbon', 'Pepper', 'bakery', 'bicycle', 'Ada', 'Bo', 'boat', 'garden', 'tea', 'clinic'].map(
  (name) => `What was said of ${name}?`,
);
const QUESTIONS = TEXTS.map((question) => ({ question, expected: ['Lisbon'], evidence: ['S1:1'] }));
const GROUPS = [TEXTS.slice(0, 4), TEXTS.slice(4, 8), TEXTS.slice(8)];
const STEADY_EMBEDDING = { provider: 'remote', model: STEADY, dimensions: 8 };
const OFF_BANKS = 'vector_banks: { bank: off }\narms:';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startRemoteServer();
});
afterAll(() => server.close());

/** A matrix of ten questions; with `banked: false` no vector bank pins them, and they are prepared when they are asked. */
async function writeTen(to: OpenAiServer, { banked = true, concurrency = 1 } = {}): Promise<string> {
  const folder = await temporaryFolder();
  await writeRemoteMatrix(folder, to, { embedding: STEADY_EMBEDDING, concurrency }, QUESTIONS);
  if (!banked) await editFile(join(folder, 'priced.yaml'), 'arms:', OFF_BANKS);
  return folder;
}

/** Fails the nth request for question vectors, from 1. */
function failingGroup(wanted: number): FailureRule {
  let seen = 0;
  return {
    when: (body) => remoteStageOf(body) === 'query' && ++seen === wanted,
    failure: { kind: 'status', status: 500 },
  };
}

const missesOf = (rows: readonly Observation[], arm: string) =>
  rows.filter((row) => row.arm === arm).map(({ lookup_miss }) => lookup_miss);
const decided = (rows: readonly Observation[]) =>
  rows.map(({ arm, question, retrieved, effective_strategy, lookup_miss, answer, scores, attributed }) => ({
    arm,
    question,
    retrieved,
    effective_strategy,
    lookup_miss,
    answer,
    scores,
    attributed,
  }));
const GROUP_2_MISSED = [...Array(4).fill(null), ...Array(4).fill('unprepared'), null, null];

function expectGroup2Missed(result: RunResult, rows: readonly Observation[]): void {
  expect(result.status).toBe('complete');
  for (const arm of ['semantic', 'hybrid', 'turns']) expect(missesOf(rows, arm)).toEqual(GROUP_2_MISSED);
  expect(result.arms.map(({ arm, degraded, lookup_misses }) => [arm, degraded, lookup_misses])).toEqual([
    ['bm25', false, {}],
    ...['semantic', 'hybrid', 'turns'].map((arm) => [arm, true, { unprepared: 4 }]),
  ]);
  const of = (arm: string) => rows.filter((row) => row.arm === arm);
  const missed = of('semantic').slice(4, 8);
  expect(missed.map(({ effective_strategy }) => effective_strategy)).toEqual(Array(4).fill('bm25'));
  // What it cost is not known, and is not said to be nothing.
  expect(missed.every(({ attributed }) => attributed.query.nano_usd === null)).toBe(true);
  const { spent_nano_usd, uncertain_nano_usd } = result.ledger;
  expect(sumOfActual(result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
  expect(uncertain_nano_usd).toBeGreaterThan(0);
}

describe('SQ-2 a run that prepares its questions in groups', () => {
  it.each([true, false])(
    'SQ-2 MX-6 VB-3 ten questions are three requests for all arms, as planned (bank: %s)',
    async (banked) => {
      const folder = await writeTen(server, { banked });
      const { query, embedding } = await planRun(join(folder, 'priced.yaml'), {});
      expect({ query, embedding }).toMatchObject({
        query: { calls: 3, sends: 3 },
        embedding: { sends: 3, questions: 10 },
      });
      const before = server.requests.length;
      const { result, rows } = await runRemote(folder);
      expect(queryRequests(server, before)).toEqual(GROUPS);
      const paid = result.formation[0]?.embedding.query;
      expect(paid).toMatchObject({ sends: 3, uncertain_nano_usd: 0 });
      expect(paid?.actual_nano_usd).toBeLessThanOrEqual(query.worst_nano_usd ?? 0);
      expect(rows.filter(({ arm }) => arm !== 'bm25').every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
      expect(result.query_preparation).toEqual({
        queries: 10,
        prepared: 10,
        pinned: 0,
        withheld: {},
        ineligible: {},
        refused: {},
        unprepared: {},
        cache: {},
      });
      // Each arm's questions have their shares of the three requests, whose tokens they add up to: the server bills 20 nano-dollars a token.
      for (const arm of ['semantic', 'hybrid', 'turns']) {
        const costs = rows.filter((row) => row.arm === arm).map(({ attributed }) => attributed.query);
        expect(costs.reduce((sum, { usage }) => sum + (usage?.input_uncached ?? 0) * 20, 0)).toBe(
          paid?.actual_nano_usd,
        );
        expect(costs.reduce((sum, { nano_usd }) => sum + (nano_usd ?? 0), 0)).toBe(paid?.actual_nano_usd);
      }
    },
  );

  it('SQ-9 no result depends on scheduling: with one call at a time and with eight, the rows are the same', async () => {
    const runs = [];
    for (const concurrency of [1, 8]) {
      const folder = await writeTen(server, { banked: false, concurrency });
      const before = server.requests.length;
      runs.push(decided((await runRemote(folder)).rows));
      expect(queryRequests(server, before)).toEqual(GROUPS);
    }
    expect(runs[1]).toEqual(runs[0]);
  });
});

describe('SQ-1 SQ-8 a group whose request fails', () => {
  it('SQ-1 SQ-8 is a miss of its four questions in every arm that scores vectors, asked once; the others are prepared, and a resume asks nothing', async () => {
    const failing = await startRemoteServer([failingGroup(2)]);
    const folder = await writeTen(failing, { banked: false });
    const notes: string[] = [];
    const progress = (event: { kind: string; text?: string }) => void (event.text && notes.push(event.text));
    const { result, rows } = await runRemote(folder, { progress });
    expect(queryRequests(failing)).toEqual(GROUPS);
    expectGroup2Missed(result, rows);
    // What the provider said is told as it happens, and no question with it.
    const told = notes.filter((note) => note.includes('no vector'));
    expect(told).toEqual([expect.stringMatching(/^small: .*500/)]);
    expect(told.join()).not.toContain('said of');
    const tally = { queries: 10, prepared: 6, pinned: 0, unprepared: { 'provider-failure': 4 } };
    expect(result.query_preparation).toMatchObject(tally);
    const before = failing.requests.length;
    const again = await resumeRun({
      ...remoteOptions(folder),
      run: 'latest',
      matrixPath: null,
      budget: null,
      retryFailed: false,
    });
    expect(failing.requests).toHaveLength(before);
    expect(decided(await rowsOf(again.result.path))).toEqual(decided(rows));
    expect(again.result.query_preparation).toMatchObject(tally);
    const kept = await readFile(join(result.path, 'vectors', 'small.misses.jsonl'), 'utf8');
    expect(kept.trim().split('\n')).toHaveLength(4);
    expect(kept).not.toContain('said of');
    await failing.close();
  });

  it('SQ-1 VB-3 while its vector bank is recorded it is no pin, and is not asked again when its questions are; the next run prepares them', async () => {
    const failing = await startRemoteServer([failingGroup(2)]);
    const folder = await writeTen(failing);
    const { result, rows } = await runRemote(folder);
    expect(queryRequests(failing)).toEqual(GROUPS);
    expectGroup2Missed(result, rows);
    expect(result.formation[0]?.vectors.map(({ queries }) => queries)).toEqual([6, 6]);
    const before = failing.requests.length;
    const next = await runRemote(folder);
    expect(queryRequests(failing, before)).toEqual([GROUPS[1]]);
    expect(next.result.query_preparation).toMatchObject({ queries: 10, prepared: 4, pinned: 6, unprepared: {} });
    expect(next.result.arms.map(({ degraded }) => degraded)).toEqual(Array(VECTOR_ARMS.length).fill(false));
    await failing.close();
  });
});

describe('OB-5 a run of groups that is resumed', () => {
  it('OB-5 VB-3 SQ-9 uses what was prepared, and prepares the rest in the same groups: nothing is sent twice, and the rows are those of an uninterrupted run', async () => {
    const whole = decided((await runRemote(await writeTen(server, { banked: false }))).rows);
    const folder = await writeTen(server, { banked: false });
    const stop = new AbortController();
    const before = server.requests.length;
    const first = await runRemote(folder, {
      signal: stop.signal,
      progress: (event) => {
        // Within the second group.
        if (event.kind === 'stage' && event.stage.endsWith('asking') && event.done === 5 * VECTOR_ARMS.length + 1)
          stop.abort();
      },
    });
    expect(first.result.status).toBe('incomplete');
    expect(queryRequests(server, before)).toEqual(GROUPS.slice(0, 2));
    const { result } = await resumeRun({
      ...remoteOptions(folder),
      run: 'latest',
      matrixPath: null,
      budget: null,
      retryFailed: false,
    });
    expect(result.status).toBe('complete');
    expect(queryRequests(server, before)).toEqual(GROUPS);
    expect(decided(await rowsOf(result.path))).toEqual(whole);
    expect(result.query_preparation).toMatchObject({ queries: 10, prepared: 10, pinned: 0, unprepared: {} });
  });
});
