import { cp, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.js';
import { CRASH_VARIABLE } from '../../src/core/crash-points.js';
import type { BankListDocument, RecordResult, RunPlan } from '../../src/experiment/experiment.js';
import { recordMatrix } from '../../src/experiment/formation/record.js';
import { PREPARATION_TIMES } from '../../src/memory/query-preparation/admission.js';
import { command, documentOf, exits, startCli } from '../support/cli.js';
import { journalOf, KEY, KEY_VARIABLE, writeFixture } from '../support/cli-priced.js';
import { keptFolder } from '../support/kept-folder.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import {
  embeddingRequests,
  remoteOptions,
  STEADY,
  startRemoteServer,
  writeRemoteMatrix,
} from '../support/remote-run.js';
import { editFile } from '../support/small-matrix.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Six sessions of fifty turns: requests of 128, 128 and 44 texts. */
const SESSIONS = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((name) =>
  Array.from({ length: 50 }, (_, index) => [name, `This is the remark of number ${index}.`] as const),
);
/** More than one preparation takes. */
const QUESTIONS = [1, 2, 3, 4, 5, 6].map((number) => ({
  question: `Who remarked number ${number}?`,
  expected: ['Ada'],
  evidence: ['S1:1'],
}));
const TURNS = [128, 128, 44];
const ARMS = [{ name: 'turns', retrieval: { strategy: 'semantic', unit: 'turns', limit: 3 } }];

let server: OpenAiServer;
/** A matrix whose only sends are those of its embedder, and the vector bank of a recording that nothing interrupted. */
let base: string;
let remove: () => Promise<void>;
let whole: Buffer;

beforeAll(async () => {
  ({ path: base, remove } = await keptFolder());
  server = await startRemoteServer();
  await writeFixture(base, 'small', SESSIONS, QUESTIONS);
  await writeRemoteMatrix(base, server, {
    fixtures: ['./small'],
    arms: ARMS,
    formation: 'none',
    embedding: { provider: 'remote', model: STEADY, dimensions: 8 },
  });
  const folder = await copy();
  await record(folder);
  whole = await readFile(join(folder, 'banks', await theBank(folder)));
});
afterAll(async () => {
  await server.close();
  await remove();
});

async function copy(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(base, folder, { recursive: true });
  return folder;
}

const record = (folder: string, clock: Clock = systemClock) =>
  recordMatrix({ ...remoteOptions(folder, { clock }), matrixPath: join(folder, 'priced.yaml') });

/** Of a process that begins when what a killed one had reserved for a question has lapsed (SQ-8): nothing is waited for. */
const AFTER_ITS_LEASE: Clock = {
  ...systemClock,
  now: () => new Date(Date.parse(systemClock.now()) + PREPARATION_TIMES.lease_ms).toISOString(),
};

/** A question's canonical text is a JSON array (SQ-7). */
const isOfQuestions = ([text]: readonly string[]): boolean => text?.startsWith('["Who ') === true;

async function theBank(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'banks'));
  expect(names).toEqual([expect.stringMatching(/^small-turns-[0-9a-f]{12}\.vectors\.bin$/)]);
  return names[0] as string;
}

/** Of all recordings under a folder, what their ledgers say was spent and is held. */
async function spentAndHeld(folder: string): Promise<bigint> {
  let sum = 0n;
  for (const name of await readdir(join(folder, 'runs'))) {
    const last = (await journalOf(join(folder, 'runs', name))).at(-1);
    sum += BigInt((last?.spent_nano_usd ?? 0) + (last?.held_nano_usd ?? 0));
  }
  return sum;
}

describe('a recording of vectors that is killed', () => {
  it.each([
    ['while the second request is answered', 'response-received:2', [...TURNS.slice(0, 2), ...TURNS.slice(1)]],
    [
      'when the second is paid, and its vectors are not kept yet',
      'settlement-committed:2',
      [...TURNS.slice(0, 2), ...TURNS.slice(1)],
    ],
    ['when the second is kept', 'reservation-committed:3', TURNS],
    ['while questions are prepared', 'reservation-committed:5', TURNS],
  ])('VB-2 SQ-9 RS-1 %s goes on at its cursor, and becomes the same file', async (_when, point, requests) => {
    const folder = await copy();
    const before = server.requests.length;
    const bill = server.bill().nano_usd;
    const args = ['record', join(folder, 'priced.yaml'), '--out', join(folder, 'runs')];
    const killed = await startCli(args, { env: { [KEY_VARIABLE]: KEY, [CRASH_VARIABLE]: point } }).ended;
    expect(killed, killed.stderr).toMatchObject({ signal: 'SIGKILL' });
    expect(killed.stderr).toContain(`REACHED ${point.split(':')[0]}`);
    const { result } = await record(folder, AFTER_ITS_LEASE);
    expect(result.status, JSON.stringify(result.problems)).toBe('complete');
    expect(result.formation[0]?.vectors).toMatchObject([{ source: 'recorded', items: 300, queries: QUESTIONS.length }]);
    const sent = embeddingRequests(server, before);
    expect(sent.filter((texts) => !isOfQuestions(texts)).map(({ length }) => length)).toEqual(requests);
    const questions = sent.filter(isOfQuestions).flat();
    expect(questions).toHaveLength(QUESTIONS.length);
    expect(new Set(questions).size).toBe(questions.length);
    expect(await readFile(join(folder, 'banks', await theBank(folder)))).toEqual(whole);
    expect(server.bill().nano_usd - bill).toBeLessThanOrEqual(await spentAndHeld(folder));
  });
});

describe('a recording of vectors whose budget ends', () => {
  it('VB-2 FB-15 LG-1 MX-6 keeps what was paid; plan counts the rest, list and abandon know it, and a larger budget goes on', async () => {
    const folder = await copy();
    const before = server.requests.length;
    const matrix = join(folder, 'priced.yaml');
    const args = ['record', matrix, '--out', join(folder, 'runs'), '--json'];
    const environment = { env: { [KEY_VARIABLE]: KEY } };
    const planned = async () => documentOf(await exits(0, command(['plan', matrix, '--json']))) as RunPlan;
    const all = await planned();
    expect(all.index.sends).toBe(3);
    // Enough for the first request at its worst, and not for another beside it.
    await editFile(matrix, 'budget_usd: "20"', 'budget_usd: "0.00012"');
    const stopped = documentOf(await exits(4, command(args, environment))) as RecordResult;
    expect(stopped.formation[0]?.vectors).toMatchObject([{ source: 'failed' }]);
    expect(stopped.problems).toMatchObject([{ code: 'BUDGET_EXHAUSTED' }]);
    const banks = join(folder, 'banks');
    const listed = documentOf(await exits(0, command(['bank', 'list', banks, '--json']))) as BankListDocument;
    expect(listed.pending_vectors).toMatchObject([{ status: 'interrupted', items: 128, of: 300, queries: 0 }]);
    const [{ path } = expect.fail()] = listed.pending_vectors;
    const shown = await exits(0, command(['bank', 'list', banks]));
    expect(shown.stdout).toContain(`interrupted: ${path} (vectors of 128 of 300 turns, and of 0 questions, are kept)`);
    const rest = await planned();
    expect(rest.index.sends).toBe(2);
    expect(rest.blocks[0]?.vectors).toMatchObject([{ action: 'record', kept: 128 }]);
    expect((await exits(0, command(['plan', matrix]))).stdout).toContain('turns to be recorded (128 kept)');
    // Another copy of it is given up, and begins anew.
    const other = await temporaryFolder();
    await cp(folder, other, { recursive: true });
    const pending = join(other, 'banks', basename(path));
    const abandoned = await exits(0, command(['bank', 'abandon', pending, '--reason', 'another model']));
    expect(abandoned.stdout).toContain('moved to ');
    const left = await exits(0, command(['bank', 'list', join(other, 'banks')]));
    expect(left.stdout).toMatch(/^abandoned: .*failed\/small-turns-\S+ .*: another model$/m);
    await editFile(matrix, 'budget_usd: "0.00012"', 'budget_usd: "20"');
    const done = await exits(0, command(args, environment));
    expect(done.stderr).toContain(
      'small: going on with an interrupted recording of its turns: 128 of their vectors are kept',
    );
    expect(
      embeddingRequests(server, before)
        .filter((texts) => !isOfQuestions(texts))
        .map(({ length }) => length),
    ).toEqual(TURNS);
    expect(await readFile(join(banks, await theBank(folder)))).toEqual(whole);
    await editFile(join(other, 'priced.yaml'), 'budget_usd: "0.00012"', 'budget_usd: "20"');
    const anew = server.requests.length;
    const again = ['record', join(other, 'priced.yaml'), '--out', join(other, 'runs')];
    await exits(0, command(again, environment));
    expect(
      embeddingRequests(server, anew)
        .filter((texts) => !isOfQuestions(texts))
        .map(({ length }) => length),
    ).toEqual(TURNS);
  });
});
