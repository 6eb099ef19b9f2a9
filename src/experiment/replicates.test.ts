import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simpleModels, stageOf } from '../../test/support/chat-models.js';
import {
  BM25,
  journalOf,
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
import { editFile } from '../../test/support/small-matrix.js';
import { systemClock } from '../core/clock.js';
import { showRun } from '../report/tables/run-table.js';
import type { Observation } from './asking/observation.js';
import type { RunResult } from './experiment.js';
import { continueBank } from './formation/continue-bank.js';
import { recordMatrix } from './formation/record.js';
import { planRun } from './planning/plan-run.js';
import { type RunOutcome, runMatrix } from './run.js';

/** Formation calls of the small fixture: one a session. */
const CALLS = 2;
const REPLICATES = 3;
const TOLD = [(text: string) => text, (text: string) => `${text} So it was told.`, () => 'Nothing that anybody kept.'];

let folder: string;
let remove: () => Promise<void>;
let server: OpenAiServer;
let matrix: string;
let first: RunOutcome;
let rows: readonly Observation[];
let formations = 0;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  // What a bank remembers depends on when it was asked for: no two replicates hold one state.
  const answer = simpleModels(
    (statement) => (TOLD[Math.floor((formations - 1) / CALLS)] ?? TOLD[0])?.(statement) ?? '',
  );
  server = await startPricedServer({
    answer: (request, index) => {
      if (stageOf(request) === 'formation') formations += 1;
      return answer(request, index);
    },
  });
  await writeFixture(join(folder, 'fixtures'), 'small');
  matrix = await writeMatrix(folder, {
    url: server.url,
    fixtures: ['fixtures/small'],
    arms: [BM25, RECENCY],
    formation: { replicates: REPLICATES },
  });
  first = await run();
  rows = await rowsOf(first.result.path);
});
afterAll(async () => {
  await server.close();
  await remove();
});

const options = () => ({
  ...sessionOptions(folder, { environment: { [KEY_VARIABLE]: KEY }, clock: systemClock }),
  matrixPath: matrix,
});
const run = (): Promise<RunOutcome> => runMatrix(options());
const bm25 = (result: RunResult) => result.arms.find(({ arm }) => arm === 'bm25') as RunResult['arms'][number];

describe('three replicates under a model that never answers twice alike', () => {
  it('FB-18 MX-5 three banks are recorded, each once, and every arm forms each of them', () => {
    const { result } = first;
    expect({ status: result.status, kinds: first.kinds, replicates: result.replicates }).toEqual({
      status: 'complete',
      kinds: [],
      replicates: REPLICATES,
    });
    expect(formations).toBe(CALLS * REPLICATES);
    expect(
      result.formation.map(({ fixture, replicate, source, calls }) => [fixture, replicate, source, calls]),
    ).toEqual([1, 2, 3].map((replicate) => ['small', replicate, 'recorded', CALLS]));
    for (const key of ['bank', 'state'] as const)
      expect(new Set(result.formation.map((formed) => formed[key])).size).toBe(REPLICATES);
    expect(
      result.arms.map(({ parity, questions, answered, replayed_calls }) => [
        parity,
        questions,
        answered,
        replayed_calls,
      ]),
    ).toEqual([
      ['equal', 12, 12, CALLS * REPLICATES],
      ['equal', 12, 12, CALLS * REPLICATES],
    ]);
  });

  it('FB-18 OB-1 a row names its replicate, and rests on its bank and state; files are told apart', async () => {
    for (const { replicate, bank, state } of first.result.formation) {
      const own = rows.filter((row) => row.replicate === replicate);
      expect(own).toHaveLength(8);
      for (const row of own) expect([row.bank, row.state]).toEqual([bank, state]);
    }
    const names = ['small.observations.jsonl', 'small@2.observations.jsonl', 'small@3.observations.jsonl'];
    expect((await readdir(join(first.result.path, 'arms', 'bm25'))).sort()).toEqual(names);
    expect((await readdir(join(first.result.path, 'state'))).sort()).toEqual([
      'small.json',
      'small@2.json',
      'small@3.json',
    ]);
  });

  it('OB-2 LG-6 a row’s share of formation is of its own bank, and each recording is paid once', async () => {
    const { result } = first;
    const journal = await journalOf(result.path);
    for (const { replicate, attributed_nano_usd: attributed, actual_nano_usd: actual } of result.formation) {
      const own = rows.filter((row) => row.replicate === replicate && row.arm === 'bm25');
      expect(own.reduce((sum, row) => sum + (row.attributed.formation.nano_usd ?? Number.NaN), 0)).toBe(attributed);
      expect(actual).toBe(attributed);
      const name = replicate === 1 ? 'small' : `small@${replicate}`;
      expect(
        journal.filter((line) => line.kind === 'reserve' && line.stage === 'formation' && line.fixture === name),
      ).toHaveLength(CALLS);
    }
    const banks = result.formation.map((formed) => formed.attributed_nano_usd as number);
    expect(new Set(banks).size).toBeGreaterThan(1);
    expect(bm25(result).costs.fixed_nano_usd).toBe(Math.ceil(banks.reduce((sum, cost) => sum + cost, 0) / REPLICATES));
  });

  it('FB-18 the component between banks is above 0, as the rows have it', () => {
    const found = bm25(first.result).between_banks;
    const questions = [...new Set(rows.map(({ question }) => question))];
    const score = (question: string, replicate: number): number =>
      rows.find((row) => row.arm === 'bm25' && row.question === question && row.replicate === replicate)?.scores[
        'token-f1'
      ] as number;
    const means = [1, 2, 3].map(
      (replicate) => questions.reduce((sum, question) => sum + score(question, replicate), 0) / questions.length,
    );
    const grand = means.reduce((sum, mean) => sum + mean, 0) / REPLICATES;
    const varianceOfMeans = means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0) / (REPLICATES - 1);
    const residual =
      questions
        .flatMap((question) => {
          const own = [1, 2, 3].map((replicate) => score(question, replicate));
          const mean = own.reduce((sum, one) => sum + one, 0) / REPLICATES;
          return own.map((one, bank) => (one - mean - (means[bank] as number) + grand) ** 2);
        })
        .reduce((sum, square) => sum + square, 0) /
      ((questions.length - 1) * (REPLICATES - 1));
    expect(found).toMatchObject({ scorer: 'token-f1', replicates: REPLICATES, questions: 4 });
    expect(found?.component).toBeGreaterThan(0);
    expect(found?.component).toBeCloseTo(varianceOfMeans - residual / questions.length, 12);
    expect(bm25(first.result).scores['token-f1']).toBeCloseTo(grand, 12);
    expect(showRun(first.result)).toMatch(/^token-f1 between banks +bank 1 +bank 2 +bank 3 +component/m);
    expect(showRun(first.result)).not.toContain('given this bank');
  });

  it('FB-18 FB-4 the next run replays all three, with no formation call sent; a plan says so', async () => {
    const plan = await planRun(matrix, {});
    expect(plan.blocks.map(({ fixture, replicate, bank, nearest }) => [fixture, replicate, bank, nearest])).toEqual(
      [1, 2, 3].map((replicate) => ['small', replicate, 'replay', []]),
    );
    expect([plan.formation.calls, plan.reader.calls]).toEqual([0, 24]);
    const before = formations;
    const { result } = await run();
    expect(formations).toBe(before);
    expect(result.status).toBe('complete');
    expect(result.formation.map(({ source, bank }) => [source, bank])).toEqual(
      first.result.formation.map(({ bank }) => ['replayed', bank]),
    );
    expect(bm25(result).between_banks).toEqual(bm25(first.result).between_banks);
  });

  it('FB-12 FB-18 a list pins the banks of the replicates in their order; a bank of another replicate is refused', async () => {
    const banks = first.result.formation.map(({ bank }) => bank as string);
    await editFile(matrix, 'replicates: 3', `replicates: 3\n  pinned: { small: [${banks.join(', ')}] }`);
    expect((await planRun(matrix, {})).blocks.map(({ digest }) => digest)).toEqual(banks);
    await editFile(matrix, banks.join(', '), [...banks].reverse().join(', '));
    await expect(planRun(matrix, {})).rejects.toMatchObject({
      code: 'BANK_PINNED_DIFFERS',
      message: expect.stringContaining('it differs in replicate'),
    });
    await editFile(matrix, `[${[...banks].reverse().join(', ')}]`, banks[0] as string);
    expect((await planRun(matrix, {})).blocks.map(({ digest }) => digest)).toEqual(banks);
    await editFile(matrix, /\n {2}pinned: .*/, '');
  });

  it('FB-18 one more replicate is recorded alone, and fewer use the first ones', async () => {
    await editFile(matrix, 'replicates: 3', 'replicates: 4');
    const [, , , fourth] = (await planRun(matrix, {})).blocks;
    expect(fourth).toMatchObject({ bank: 'record', nearest: [] });
    const before = formations;
    const { result } = await recordMatrix(options());
    expect(result.formation.map(({ replicate, source }) => [replicate, source])).toEqual([
      [1, 'replayed'],
      [2, 'replayed'],
      [3, 'replayed'],
      [4, 'recorded'],
    ]);
    expect(formations - before).toBe(CALLS);
    await editFile(matrix, 'replicates: 4', 'replicates: 1');
    expect((await planRun(matrix, {})).blocks.map(({ digest }) => digest)).toEqual([first.result.formation[0]?.bank]);
    await editFile(matrix, 'replicates: 1', 'replicates: 3');
    expect((await readdir(join(folder, 'banks'))).filter((name) => name.endsWith('.bank.json'))).toHaveLength(4);
    expect(basename(result.path)).toMatch(/^record-/);
    expect(JSON.parse(await readFile(join(first.result.path, 'run.json'), 'utf8')).banks).toMatchObject(
      [1, 2, 3].map((replicate) => ({ fixture: 'small', replicate, action: 'record' })),
    );
  });

  it('FB-9 FB-18 the interrupted recording of a replicate is continued as that replicate', async () => {
    await editFile(matrix, 'replicates: 3', 'replicates: 5');
    const before = formations;
    const stop = new AbortController();
    const stopped = await recordMatrix({
      ...options(),
      signal: stop.signal,
      progress: (event) => {
        if (event.kind === 'stage' && event.stage === 'recording small, replicate 5' && event.done === 1) stop.abort();
      },
    });
    expect(stopped.kinds).toContain('interrupted');
    const banks = join(folder, 'banks');
    const [journal] = (await readdir(banks)).filter((name) => name.endsWith('.pending.jsonl'));
    const { result } = await continueBank(join(banks, journal as string), options());
    expect(result.formation.map(({ replicate, source }) => [replicate, source])).toEqual([[5, 'recorded']]);
    expect(formations - before).toBe(CALLS);
    expect((await planRun(matrix, {})).blocks.map(({ bank }) => bank)).toEqual(new Array(5).fill('replay'));
  });
});
