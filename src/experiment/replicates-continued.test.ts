import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../test/support/cli-priced.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import { comparableFiles } from '../../test/support/run-files.js';
import { sessionOptions } from '../../test/support/session-options.js';
import { editFile, SMALL_MATRIX, writeFixture } from '../../test/support/small-matrix.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { showRun } from '../report/tables/run-table.js';
import { reproduce } from './reproducing/reproduce.js';
import { extendRun } from './resuming/extend-run.js';
import { resumeRun } from './resuming/resume-run.js';
import { type RunOutcome, runMatrix } from './run.js';

const TASKS = 6;

/** Two replicates of the small matrix: a run that nothing stopped, and one that was, in the second replicate. */
let base: string;
let remove: () => Promise<void>;
let whole: RunOutcome;
let files: Readonly<Record<string, unknown>>;

const matrixIn = (folder: string): string => join(folder, 'm.yaml');
const run = (folder: string, changes: Parameters<typeof sessionOptions>[1] = {}): Promise<RunOutcome> =>
  runMatrix({ ...sessionOptions(folder, changes), matrixPath: matrixIn(folder) });
const past = (folder: string) => ({
  ...sessionOptions(folder),
  run: 'latest',
  matrixPath: null,
  budget: null,
  retryFailed: false,
});

beforeAll(async () => {
  ({ path: base, remove } = await keptFolder());
  await writeFixture(join(base, 'fixtures'), 'mill');
  await writeFile(
    matrixIn(base),
    `${SMALL_MATRIX.replace('formation:\n', 'formation:\n  replicates: 2\n')}concurrency: 1\n`,
  );
  whole = await run(base);
  files = await comparableFiles(whole.result.path);
});
afterAll(() => remove());

async function copy(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(base, folder, { recursive: true });
  return folder;
}

describe('two replicates of a formation that answers alike each time', () => {
  it('FB-18 have banks of their own and one state, and the table says so', () => {
    const { result } = whole;
    expect(result.status).toBe('complete');
    const [first, second] = result.formation;
    expect(first?.bank).not.toBe(second?.bank);
    expect(first?.state).toBe(second?.state);
    expect(result.arms.map(({ between_banks }) => between_banks?.component)).toEqual([0, 0]);
    const shown = showRun(result, { details: true });
    expect(shown.replaceAll('\n  ', ' ')).toContain(
      'mill: its 2 banks hold one state: formation answered alike each time.',
    );
    expect(shown).toMatch(/^mill +1 +recorded now/m);
    expect(shown).toMatch(/^mill +2 +recorded now/m);
  });

  it('OB-5 FB-18 stopped in the second replicate, the run is resumed there, and equals one that was not', async () => {
    const folder = await copy();
    for (const made of ['runs', 'banks']) await rm(join(folder, made), { recursive: true });
    const stop = new AbortController();
    const stopped = await run(folder, {
      signal: stop.signal,
      progress: (event) => {
        if (event.kind === 'stage' && event.stage === 'mill, replicate 2: asking' && event.done === 2) stop.abort();
      },
    });
    expect(stopped.kinds).toEqual(['interrupted']);
    const asked: string[] = [];
    const resumed = await resumeRun({
      ...past(folder),
      progress: (event) => {
        if (event.kind === 'stage' && event.stage.endsWith('asking')) asked.push(event.stage);
      },
    });
    expect(resumed.result.status).toBe('complete');
    expect(asked).toEqual(new Array(TASKS - 2).fill('mill, replicate 2: asking'));
    expect(resumed.result.formation.map(({ source }) => source)).toEqual(['recorded', 'recorded']);
    const rows = await rowsOf(resumed.result.path);
    expect(rows).toHaveLength(2 * TASKS);
    const keys = rows.map(({ arm, replicate, question }) => `${arm} ${replicate} ${question}`);
    expect(new Set(keys).size).toBe(rows.length);
    expect(Object.keys(await comparableFiles(resumed.result.path))).toEqual(Object.keys(files));
  });

  it('OB-8 FB-18 an extension adds no replicates: it is refused by name', async () => {
    const folder = await copy();
    await editFile(matrixIn(folder), 'replicates: 2', 'replicates: 3');
    await expect(extendRun({ ...past(folder), matrixPath: matrixIn(folder) })).rejects.toMatchObject({
      code: 'RUN_MATRIX_CHANGED',
      message: expect.stringContaining('formation.replicates'),
    });
  });

  it('OB-5 FB-18 a run whose second bank is gone is not resumed from another: the replicate is named', async () => {
    const folder = await copy();
    const second = whole.result.formation[1]?.bank?.slice(7, 19);
    const [id] = await readdir(join(folder, 'runs'));
    const manifest = join(folder, 'runs', id as string, 'run.json');
    await editFile(manifest, '"status": "complete"', '"status": "incomplete"');
    await editFile(manifest, `"path": "${matrixIn(base)}"`, `"path": "${matrixIn(folder)}"`);
    for (const kind of ['bank', 'state']) await rm(join(folder, 'banks', `mill-${second}.${kind}.json`));
    await expect(resumeRun(past(folder))).rejects.toMatchObject({
      code: 'RUN_BANK_CHANGED',
      message: expect.stringContaining('mill, replicate 2 was formed from the bank'),
    });
  });

  it('RP-1 FB-18 the second replicate’s bank is reproduced against its own rows', async () => {
    const { result, kinds } = await reproduce({
      ...sessionOptions(base),
      matrixPath: matrixIn(base),
      digest: whole.result.formation[1]?.bank as string,
      arm: 'bm25',
      against: whole.result.run,
    });
    expect({
      kinds,
      state: result.state.status,
      questions: result.questions,
      not_compared: result.not_compared,
    }).toEqual({
      kinds: [],
      state: 'equal',
      questions: 3,
      not_compared: [],
    });
    expect(result.answers).toMatchObject({ equal: 3 });
  });
});
