import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRASH_POINTS, CRASH_VARIABLE } from '../../src/core/crash-points.js';
import { seededRandom } from '../../src/core/random.js';
import type { RunResult } from '../../src/experiment/experiment.js';
import { readCommittedRows } from '../../src/experiment/resuming/committed-rows.js';
import { RunFolder } from '../../src/experiment/run-folder.js';
import { readManifest } from '../../src/experiment/run-manifest.js';
import { simpleModels, userMessage } from '../support/chat-models.js';
import { command, exits, startCli } from '../support/cli.js';
import {
  journalOf,
  KEY,
  KEY_VARIABLE,
  type SmallQuestion,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import { keptFolder } from '../support/kept-folder.js';
import type { ChatRequest, OpenAiServer } from '../support/openai-server/index.js';
import { comparableFiles } from '../support/run-files.js';

const NAMES = [
  'Lisbon',
  'Pepper',
  'bakery',
  'bicycle',
  'Milo',
  'January',
  'Rua Nova',
  'red',
  'dog',
  'Ada',
  'Bo',
  'sold',
];
const QUESTIONS: SmallQuestion[] = NAMES.map((name) => ({
  question: `What was said of ${name}?`,
  expected: [name],
  evidence: ['S1:1'],
}));
const ARMS = [
  { name: 'full-text', retrieval: { strategy: 'full-text', limit: 3 } },
  { name: 'bm25', retrieval: { strategy: 'bm25', limit: 2 } },
];
const TASKS = QUESTIONS.length * ARMS.length;
/** A multiple of the runs; the extended tests kill more often. */
const KILLS = Number(process.env.RECALL_MATRIX_TEST_KILLS ?? 12);
/** Printed in the test's title; given in the environment, the same moments come again. */
const SEED = process.env.RECALL_MATRIX_TEST_SEED ?? String(Date.now());
const ENV = { [KEY_VARIABLE]: KEY };

/** A provider, and a matrix that asks it. */
interface Scene {
  readonly server: OpenAiServer;
  readonly folder: string;
  readonly matrix: string;
}

/** Each scene has a server of its own, so that what one run sends is not counted as another's. */
async function openScene(folder: string, reads: 'beliefs' | 'turns', repeats: number): Promise<Scene> {
  const server = await startPricedServer({ answer: simpleModels(), latency_ms: 15 });
  await mkdir(folder, { recursive: true });
  const fixtures = [await writeFixture(folder, 'small', undefined, QUESTIONS)];
  const arms = ARMS.map(({ name, retrieval }) => ({ name, retrieval: { ...retrieval, unit: reads } }));
  const parts = { url: server.url, fixtures, arms, load: { repeats } };
  if (reads === 'turns') return { server, folder, matrix: await writeMatrix(folder, { ...parts, formation: 'none' }) };
  const matrix = await writeMatrix(folder, parts);
  await exits(0, command(['record', matrix, '--out', join(folder, 'recordings')], { env: ENV }));
  return { server, folder, matrix };
}

const scenes: Scene[] = [];
let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
});
afterAll(async () => {
  await Promise.all(scenes.map(({ server }) => server.close()));
  await remove();
});

async function scene(name: string, reads: 'beliefs' | 'turns', repeats = 1): Promise<Scene> {
  const opened = await openScene(join(folder, name), reads, repeats);
  scenes.push(opened);
  return opened;
}

/** What a run leaves that nothing interrupts. */
async function uninterrupted({ matrix, folder: place }: Scene): Promise<Readonly<Record<string, unknown>>> {
  const whole = await exits(0, command(['run', matrix, '--json', '--out', join(place, 'whole')], { env: ENV }));
  return comparableFiles(resultOf(whole).path);
}

const resultOf = ({ stdout }: { stdout: string }): RunResult => JSON.parse(stdout) as RunResult;

/** The one run folder under an output folder. */
async function runIn(out: string): Promise<string> {
  const [name, ...others] = await readdir(out);
  expect(others).toEqual([]);
  return join(out, name as string);
}

/** How many durable rows each question has. */
async function durableRows(run: string): Promise<Map<string, number>> {
  const of = RunFolder.of((await readManifest(run)).run, run, null);
  const counts = new Map<string, number>();
  for (const { name } of ARMS) {
    const { rows } = await readCommittedRows(of, name, { fixture: 'small', replicate: 1 });
    for (const { question } of rows.values()) {
      const index = Number(question.replace('small/q', '')) - 1;
      const text = (QUESTIONS[index] as SmallQuestion).question;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return counts;
}

/** How often each question was sent since a request. */
function sentSince({ server }: Scene, index: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of server.requests.slice(index)) {
    const { question } = userMessage(body as ChatRequest) as { question: string };
    counts.set(question, (counts.get(question) ?? 0) + 1);
  }
  return counts;
}

/** What the provider would charge since a line of its bill. */
const billSince = ({ server }: Scene, lines: number): bigint =>
  server
    .bill()
    .lines.slice(lines)
    .reduce((sum, line) => sum + line.nano_usd, 0n);

async function spentAndHeld(run: string): Promise<bigint> {
  const last = (await journalOf(run)).at(-1);
  return BigInt((last?.spent_nano_usd ?? 0) + (last?.held_nano_usd ?? 0));
}

/** Runs or resumes to a death by SIGKILL, and says what was durable then and what had been sent. */
async function die(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  kill?: (child: ChildProcess) => void,
) {
  const running = startCli(args, { env: { ...ENV, ...env } });
  kill?.(running.child);
  const killed = await running.ended;
  expect(killed, killed.stderr).toMatchObject({ signal: 'SIGKILL' });
  return killed;
}

/** Checks the money, and that since the last death only questions without a durable row were asked: then what is durable now. */
async function checkDeath(at: Scene, run: string, before: Death): Promise<Death> {
  const sent = sentSince(at, before.requests);
  for (const [question, count] of sent) {
    const due = ARMS.length * before.repeats - (before.durable.get(question) ?? 0);
    expect(count, question).toBeLessThanOrEqual(due);
  }
  expect(billSince(at, before.bill)).toBeLessThanOrEqual(await spentAndHeld(run));
  return { ...before, requests: at.server.requests.length, durable: await durableRows(run) };
}

interface Death {
  readonly bill: number;
  readonly requests: number;
  readonly durable: ReadonlyMap<string, number>;
  readonly repeats: number;
}

const birth = ({ server }: Scene, repeats = 1): Death => ({
  bill: server.bill().lines.length,
  requests: server.requests.length,
  durable: new Map(),
  repeats,
});

describe('a run that is killed while it reads', () => {
  it('RS-1 OB-5 LG-6 R-07 at every commit boundary, one after another: it equals a run that was not', async () => {
    const at = await scene('points', 'beliefs');
    const whole = await uninterrupted(at);
    const out = join(at.folder, 'runs');
    let args = ['run', at.matrix, '--out', out];
    let last = birth(at);
    for (const [point, occurrence] of [
      ['manifest-written', 1],
      ['reservation-committed', 3],
      ['send-started', 2],
      ['response-received', 3],
      ['settlement-committed', 2],
      ['row-committed', 4],
      ['cell-finalised', 1],
      ['manifest-written', 2],
    ] as const) {
      const killed = await die(args, { [CRASH_VARIABLE]: `${point}:${occurrence}` });
      expect(killed.stderr).toContain(`REACHED ${point}`);
      const run = await runIn(out);
      last = await checkDeath(at, run, last);
      args = ['run', '--resume', run];
    }
    expect([...last.durable.values()]).toEqual(QUESTIONS.map(() => ARMS.length));
    const run = await runIn(out);
    const done = await exits(0, command(['run', '--resume', run, '--json'], { env: ENV }));
    expect(done.stderr).toContain('is complete: nothing is asked, nothing is sent');
    expect(resultOf(done)).toMatchObject({ status: 'complete', resume: null, path: run });
    expect(at.server.requests.length).toBe(last.requests);
    expect(await comparableFiles(run)).toEqual(whole);
  });

  it('names every commit boundary', async () => {
    const text = await readFile(new URL(import.meta.url), 'utf8');
    for (const point of CRASH_POINTS) expect(text).toContain(`['${point}', `);
  });
});

/** Runs that are killed side by side. They read turns: that a bank is replayed again is shown at every commit boundary above. */
const RUNS = 3;

describe('a run that is killed at random moments of reading', () => {
  it(`OB-5 RS-1 LG-6 ${KILLS} times in ${RUNS} runs, then resumed, it equals one that was not (seed ${SEED})`, async () => {
    const repeats = 5;
    await Promise.all(
      Array.from({ length: RUNS }, async (_, index) => {
        const random = seededRandom(`${SEED}\0${index}`);
        const at = await scene(`random-${index}`, 'turns', repeats);
        const whole = await uninterrupted(at);
        const out = join(at.folder, 'runs');
        let args = ['run', at.matrix, '--out', out];
        let last = birth(at, repeats);
        for (let kill = 0; kill < KILLS / RUNS; kill += 1) {
          const until = at.server.requests.length + random.integer(1, 5);
          const delay = random.integer(0, 20);
          await die(args, {}, (child) => {
            void at.server.received(until).then(() => setTimeout(() => child.kill('SIGKILL'), delay));
          });
          const run = await runIn(out);
          last = await checkDeath(at, run, last);
          args = ['run', '--resume', run];
        }
        const run = await runIn(out);
        const before = [...last.durable.values()].reduce((sum, count) => sum + count, 0);
        expect(resultOf(await exits(0, command([...args, '--json'], { env: ENV })))).toMatchObject({
          status: 'complete',
        });
        expect(before + at.server.requests.length - last.requests).toBe(TASKS * repeats);
        await checkDeath(at, run, last);
        expect(await comparableFiles(run)).toEqual(whole);
      }),
    );
  });
});
