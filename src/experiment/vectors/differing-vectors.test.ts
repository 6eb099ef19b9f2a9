import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf, writeFixture } from '../../../test/support/cli-priced.js';
import { keptFolder } from '../../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../../test/support/openai-server/index.js';
import {
  queryRequests,
  remoteOptions,
  runRemote,
  startRemoteServer,
  writeRemoteMatrix,
} from '../../../test/support/remote-run.js';
import { editFile } from '../../../test/support/small-matrix.js';
import type { Observation } from '../asking/observation.js';
import { reproduce } from '../reproducing/reproduce.js';
import { extendRun } from '../resuming/extend-run.js';
import { resumeRun } from '../resuming/resume-run.js';

/*
 * A provider that gives another vector for the same text in every request: what is retrieved is chance, unless the vectors are kept. Twenty
 * items of which three are retrieved leave no room for equal chance over so many questions.
 */

const NAMES = ['Ada', 'Bo', 'Cy', 'Di'];
const SESSIONS = NAMES.map((name) =>
  ['Lisbon', 'Porto', 'Faro', 'Braga', 'Evora'].map((place) => [name, `I once lived in ${place}.`] as const),
);
const QUESTIONS = NAMES.flatMap((name) => [
  { question: `Where did ${name} live?`, expected: ['Lisbon'], evidence: ['S1:1'] },
  { question: `Which place does ${name} know?`, expected: ['Porto'], evidence: ['S1:2'] },
]);
const IDS = QUESTIONS.map((_, index) => `small/q${index + 1}`);
/** What the banks pin: the rest is prepared by the run that asks it. */
const PINNED = IDS.slice(0, 2);
/** What the run asks at first; by the rest it is extended. */
const FIRST = IDS.slice(0, 6);
const semantic = (name: string, unit: 'beliefs' | 'turns') => ({
  name,
  retrieval: { strategy: 'semantic', unit, limit: 3 },
});
const ARMS = [
  semantic('beliefs-1', 'beliefs'),
  semantic('turns-1', 'turns'),
  semantic('beliefs-2', 'beliefs'),
  semantic('turns-2', 'turns'),
];

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
/** A run that was interrupted and resumed in between, and then extended to every question. */
let whole: {
  readonly path: string;
  readonly bank: string;
  readonly rows: readonly Observation[];
  readonly before: readonly Observation[];
  readonly extended: readonly (readonly string[])[];
};

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startRemoteServer();
  await writeFixture(folder, 'small', SESSIONS, QUESTIONS);
  const parts = { fixtures: ['./small'], arms: ARMS };
  await writeRemoteMatrix(folder, server, { ...parts, load: { questions: PINNED } });
  await runRemote(folder);
  await rm(join(folder, 'runs'), { recursive: true });
  await writeRemoteMatrix(folder, server, { ...parts, load: { questions: FIRST } });
  const stop = new AbortController();
  const stopped = await runRemote(folder, {
    signal: stop.signal,
    progress: (event) => {
      // In the midst of the questions that no bank pins.
      if (event.kind === 'stage' && event.stage.endsWith('asking') && event.done === 4 * ARMS.length) stop.abort();
    },
  });
  expect(stopped.result.status).toBe('incomplete');
  const latest = { ...remoteOptions(folder), run: 'latest', matrixPath: null, budget: null, retryFailed: false };
  const resumed = await resumeRun(latest);
  expect(resumed.result.status, JSON.stringify(resumed.result.problems)).toBe('complete');
  const before = await rowsOf(resumed.result.path);
  await writeRemoteMatrix(folder, server, parts);
  const requests = server.requests.length;
  const { result } = await extendRun({ ...latest, matrixPath: join(folder, 'priced.yaml') });
  expect(result.status, JSON.stringify(result.problems)).toBe('complete');
  const extended = queryRequests(server, requests);
  whole = {
    path: result.path,
    bank: result.formation[0]?.bank as string,
    rows: await rowsOf(result.path),
    before,
    extended,
  };
});
afterAll(async () => {
  await server.close();
  await remove();
});

/** What each question of an arm retrieved, in order. */
function retrievedBy(rows: readonly Observation[], arm: string, pinned: boolean | null = null): unknown[] {
  return rows
    .filter((row) => row.arm === arm && (pinned === null || PINNED.includes(row.question) === pinned))
    .sort((a, b) => a.position - b.position)
    .map(({ question, retrieved }) => ({ question, retrieved }));
}

describe('a provider that answers differently every time', () => {
  it('VB-1 VB-3 R-47 with its vectors kept, two arms retrieve equally, also across a resumption; each question was sent once', () => {
    for (const unit of ['beliefs', 'turns']) {
      expect(retrievedBy(whole.rows, `${unit}-1`)).toHaveLength(QUESTIONS.length);
      expect(retrievedBy(whole.rows, `${unit}-2`)).toEqual(retrievedBy(whole.rows, `${unit}-1`));
    }
    expect(whole.rows.every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
    const asked = queryRequests(server).flat();
    expect(asked.toSorted()).toEqual(QUESTIONS.map(({ question }) => question).toSorted());
  });

  it('VB-3 OB-8 extended by questions, their vectors alone are prepared and pinned beside the others; what the rows that stood retrieved is as it was', () => {
    expect(whole.extended).toEqual([QUESTIONS.slice(FIRST.length).map(({ question }) => question)]);
    expect(whole.before).toHaveLength(FIRST.length * ARMS.length);
    // Shares of what was formed and embedded are smaller, among more questions; what was found is what was found.
    const found = ({ arm, question, retrieved, context, answer, vector_bank }: Observation) => {
      return { arm, question, retrieved, context, answer, vector_bank };
    };
    expect(whole.rows.map(found)).toEqual(expect.arrayContaining(whole.before.map(found)));
  });

  it('VB-3 RP-1 MX-4 a run is reproduced exactly, also the questions that it pinned itself; no key is needed, and nothing is sent', async () => {
    const before = server.requests.length;
    for (const arm of ['beliefs-1', 'turns-2']) {
      const told = { digest: whole.bank, arm, matrixPath: join(folder, 'priced.yaml'), against: whole.path };
      const { result, kinds } = await reproduce({ ...remoteOptions(folder, { environment: {} }), ...told });
      expect(kinds, JSON.stringify([result.problems, result.differences])).toEqual([]);
      expect(result).toMatchObject({ questions: QUESTIONS.length, differences_in_all: 0, ledger: { sends: 0 } });
    }
    expect(server.requests).toHaveLength(before);
  });

  it('VB-1 VB-3 control: without the run’s pins its questions retrieve otherwise, without vector banks all do', async () => {
    const again = await runRemote(folder);
    for (const { name } of ARMS) {
      expect(retrievedBy(again.rows, name, true)).toEqual(retrievedBy(whole.rows, name, true));
      expect(retrievedBy(again.rows, name, false)).not.toEqual(retrievedBy(whole.rows, name, false));
    }
    await editFile(join(folder, 'priced.yaml'), 'arms:', 'vector_banks:\n  bank: off\narms:');
    const unkept = await runRemote(folder);
    expect(unkept.rows.every(({ lookup_miss }) => lookup_miss === null)).toBe(true);
    for (const { name } of ARMS)
      expect(retrievedBy(unkept.rows, name, true)).not.toEqual(retrievedBy(whole.rows, name, true));
    expect((await readdir(join(folder, 'banks'))).filter((name) => name.endsWith('.vectors.bin'))).toHaveLength(2);
  });
});
