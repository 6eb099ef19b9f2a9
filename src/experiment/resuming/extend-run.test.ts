import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../test/support/cli-priced.js';
import { keptFolder } from '../../../test/support/kept-folder.js';
import { sessionOptions } from '../../../test/support/session-options.js';
import { editFile, SMALL_MATRIX, writeFixture } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { Observation } from '../asking/observation.js';
import { type RunOutcome, runMatrix } from '../run.js';
import type { ContinueOptions } from './continued-run.js';
import { extendRun } from './extend-run.js';
import { resumeRun } from './resume-run.js';

/** The first two questions, read by both arms. */
const MATRIX = `${SMALL_MATRIX}load: { questions: [mill/q1, mill/q2] }\n`;
const QUESTIONS = 'questions: [mill/q1, mill/q2]';
const RECENCY = '  - { name: recency, retrieval: { strategy: recency, limit: 5 } }\nbaseline:';

let base: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ path: base, remove } = await keptFolder());
  await writeFixture(join(base, 'fixtures'), 'mill');
  await writeFile(join(base, 'm.yaml'), MATRIX);
  const { result } = await runMatrix({ ...sessionOptions(base), matrixPath: join(base, 'm.yaml') });
  expect(result.status).toBe('complete');
});
afterAll(() => remove());

interface Copy {
  readonly folder: string;
  readonly run: string;
  readonly matrix: string;
  readonly before: readonly Observation[];
}

async function copy(): Promise<Copy> {
  const folder = await temporaryFolder();
  await cp(base, folder, { recursive: true });
  const [id] = await readdir(join(folder, 'runs'));
  const run = join(folder, 'runs', id as string);
  return { folder, run, matrix: join(folder, 'm.yaml'), before: await rowsOf(run) };
}

/** Extends by the changed matrix; says how many questions were asked. */
async function extend(
  { folder, matrix }: Copy,
  changes: Partial<ContinueOptions> = {},
): Promise<RunOutcome & { readonly asked: number }> {
  let asked = 0;
  const outcome = await extendRun({
    ...sessionOptions(folder),
    run: 'latest',
    matrixPath: matrix,
    budget: null,
    retryFailed: false,
    progress: (event) => {
      if (event.kind === 'stage' && event.stage.endsWith('asking')) asked = event.total;
    },
    ...changes,
  });
  return { ...outcome, asked };
}

const named = ({ arm, question, repeat }: Observation): string => `${arm} ${question} ${repeat}`;
/** What an extension never changes of a row that was there. */
const result = ({ answer, request, scores, timings_ms, retrieved, matrix }: Observation): unknown => ({
  answer,
  request,
  scores,
  timings_ms,
  retrieved,
  matrix,
});

describe('a finished run that is extended', () => {
  it('OB-8 by an arm: it alone is asked; the rows that were there stay as they are', async () => {
    const run = await copy();
    await editFile(run.matrix, 'baseline:', RECENCY);
    const { result: extended, asked, kinds } = await extend(run);
    expect({ status: extended.status, asked, kinds }).toEqual({ status: 'complete', asked: 2, kinds: [] });
    expect(extended.arms.map(({ arm, answered }) => [arm, answered])).toEqual([
      ['none', 2],
      ['bm25', 2],
      ['recency', 2],
    ]);
    const after = await rowsOf(run.run);
    expect(after.filter(({ arm }) => arm !== 'recency')).toEqual(run.before);
    // Both matrices are kept, each under its digest; a row names the one that it was asked under.
    const { matrices, matrix } = JSON.parse(await readFile(join(run.run, 'run.json'), 'utf8'));
    expect(matrices).toHaveLength(2);
    expect(matrices[1].digest).toBe(matrix.digest);
    expect(new Set(after.map((row) => row.matrix))).toEqual(
      new Set(matrices.map(({ digest }: { digest: string }) => digest)),
    );
    for (const { file } of matrices) expect(await readdir(run.run)).toContain(file);
  });

  it('OB-8 OB-2 by questions and repeats: only the new ones are asked, places and shares are laid anew', async () => {
    const run = await copy();
    await editFile(run.matrix, QUESTIONS, 'questions: all, repeats: 2');
    const { result: extended, asked } = await extend(run);
    expect({ status: extended.status, asked }).toEqual({ status: 'complete', asked: 8 });
    const after = await rowsOf(run.run);
    expect(after).toHaveLength(12);
    for (const row of run.before) {
      const same = after.find((other) => named(other) === named(row)) as Observation;
      expect(result(same)).toEqual(result(row));
    }
    const bm25 = after.filter(({ arm }) => arm === 'bm25');
    expect(bm25.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(bm25.map(named)).toEqual([1, 2].flatMap((n) => [1, 2, 3].map((q) => `bm25 mill/q${q} ${n}`)));
    expect(new Set(after.map(({ load }) => load)).size).toBe(1);
    const tokens = (rows: readonly Observation[]): number =>
      rows.reduce((sum, row) => sum + (row.attributed.formation.usage?.output ?? 0), 0);
    expect(tokens(bm25)).toBe(tokens(run.before.filter(({ arm }) => arm === 'bm25')));
    expect(tokens(bm25)).toBeGreaterThan(0);
  });

  it('OB-8 interrupted, it is resumed under the matrix that it was extended by', async () => {
    const run = await copy();
    await editFile(run.matrix, QUESTIONS, 'questions: all');
    const stop = new AbortController();
    const { result: stopped } = await extend(run, {
      signal: stop.signal,
      progress: ({ kind }) => {
        if (kind === 'stage') stop.abort();
      },
    });
    expect(stopped.status).toBe('incomplete');
    const options = {
      ...sessionOptions(run.folder),
      run: 'latest',
      matrixPath: null,
      budget: null,
      retryFailed: false,
    };
    const { result: resumed } = await resumeRun(options);
    expect(resumed).toMatchObject({ status: 'complete', arms: [{ answered: 3 }, { answered: 3 }] });
    expect(resumed.matrix).toBe(stopped.matrix);
    await expect(extend(run)).rejects.toMatchObject({ code: 'NOTHING_TO_EXTEND', exitCode: 2 });
  });

  it.each([
    ['an arm’s settings', 'limit: 5', 'limit: 6', 'arms.bm25.retrieval.limit'],
    ['the arms it had', 'name: none', 'name: nothing', 'arms.none'],
    ['its reader', 'extractive-reader-1 }', 'extractive-reader-1, temperature: 1 }', 'reader.parameters.temperature'],
    ['its scorers', '[token-f1, exact-match]', '[token-f1]', 'scoring'],
    ['its budget', '"0.50"', '"0.60"', 'budget_nano_usd'],
    ['its questions', '[mill/q1, mill/q2]', '[mill/q2, mill/q3]', 'mill/q1'],
  ])('OB-8 is refused where %s changed, by name', async (_name, from, to, what) => {
    const run = await copy();
    await editFile(run.matrix, 'baseline:', RECENCY);
    await editFile(run.matrix, from, to);
    const refused = extend(run);
    await expect(refused).rejects.toMatchObject({ exitCode: 2 });
    await expect(refused).rejects.toThrow(what);
    expect(await rowsOf(run.run)).toEqual(run.before);
  });

  it('OB-8 FX-1 is refused where a label or the history changed, and takes a higher limit by its flag', async () => {
    const run = await copy();
    await editFile(run.matrix, 'baseline:', RECENCY);
    const questions = join(run.folder, 'fixtures', 'mill', 'questions.jsonl');
    await editFile(questions, 'Antwerp', 'Ghent');
    await expect(extend(run)).rejects.toMatchObject({ errors: [{ code: 'RUN_FIXTURE_CHANGED' }] });
    await editFile(questions, 'Ghent', 'Antwerp');
    const { result: extended } = await extend(run, { budget: '0.90' });
    expect(extended).toMatchObject({ status: 'complete', ledger: { limit_nano_usd: 900_000_000 } });
  });

  it('OB-8 a run that is not finished is resumed first', async () => {
    const run = await copy();
    await editFile(run.matrix, 'baseline:', RECENCY);
    await editFile(join(run.run, 'run.json'), '"status": "complete"', '"status": "running"');
    await expect(extend(run)).rejects.toMatchObject({ code: 'RUN_NOT_FINISHED', exitCode: 2 });
  });
});
