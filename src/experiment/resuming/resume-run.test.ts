import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allFiles } from '../../../test/support/cli-priced.js';
import { keptFolder } from '../../../test/support/kept-folder.js';
import { comparableFiles } from '../../../test/support/run-files.js';
import { sessionOptions } from '../../../test/support/session-options.js';
import { editFile, SMALL_MATRIX, writeFixture } from '../../../test/support/small-matrix.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { manualClock } from '../../core/clock.js';
import { digestText } from '../../core/digest.js';
import type { ResolvedMatrix } from '../../matrix/matrix.js';
import { matrixDigest } from '../../matrix/resolve-matrix.js';
import { abandonRecording } from '../inspect-banks.js';
import { type RunOutcome, runMatrix } from '../run.js';
import { lockRun } from '../run-lock.js';
import type { ContinueOptions } from './continued-run.js';
import { resumeRun } from './resume-run.js';

const TASKS = 6;

/** A folder with the small matrix, its bank recorded. */
let base: string;
let remove: () => Promise<void>;
/** The files of a run that nothing stopped, and those of one that was, in a copy of the folder each. */
let whole: Readonly<Record<string, unknown>>;
let stopped: RunOutcome;
/** How many questions it told to have asked. */
const toldAsked: number[] = [];

beforeAll(async () => {
  ({ path: base, remove } = await keptFolder());
  await writeFixture(join(base, 'fixtures'), 'mill');
  await writeFile(join(base, 'm.yaml'), `${SMALL_MATRIX}concurrency: 1\n`);
  whole = await comparableFiles((await run(base, sessionOptions(base))).result.path);
  for (const made of ['runs', 'banks']) await rm(join(base, made), { recursive: true });
  stopped = await run(base, stoppingAfter(base, 2));
});
afterAll(() => remove());

function run(folder: string, options: ReturnType<typeof sessionOptions>): Promise<RunOutcome> {
  return runMatrix({ ...options, matrixPath: join(folder, 'm.yaml') });
}

/** Interrupts once so many questions are answered. */
function stoppingAfter(folder: string, questions: number): ReturnType<typeof sessionOptions> {
  const stop = new AbortController();
  return sessionOptions(folder, {
    signal: stop.signal,
    progress: (event) => {
      if (event.kind !== 'stage' || !event.stage.endsWith('asking')) return;
      toldAsked.push(event.done);
      if (event.done === questions) stop.abort();
    },
  });
}

/** A copy of the base with its stopped run, at the same place for what the run remembers of it. */
async function copy(): Promise<{ readonly folder: string; readonly run: string }> {
  const folder = await temporaryFolder();
  await cp(base, folder, { recursive: true });
  const [id] = await readdir(join(folder, 'runs'));
  const path = join(folder, 'runs', id as string);
  await editFile(join(path, 'run.json'), `"path": "${join(base, 'm.yaml')}"`, `"path": "${join(folder, 'm.yaml')}"`);
  return { folder, run: path };
}

function resume(folder: string, changes: Partial<ContinueOptions> = {}): Promise<RunOutcome> {
  return resumeRun({
    ...sessionOptions(folder),
    run: 'latest',
    matrixPath: null,
    budget: null,
    retryFailed: false,
    ...changes,
  });
}

const rowsIn = async (path: string): Promise<string[]> =>
  (
    await Promise.all(
      (await allFiles(join(path, 'arms'))).map(async (file) => (await readFile(file, 'utf8')).split('\n')),
    )
  )
    .flat()
    .filter((line) => line !== '');

describe('a run that was interrupted', () => {
  it('CL-3 is incomplete, keeps what was answered, and names the command that resumes', async () => {
    expect(stopped.kinds).toEqual(['interrupted']);
    expect(stopped.result).toMatchObject({
      status: 'incomplete',
      resume: `recall-matrix run --resume ${stopped.result.path}`,
    });
    const answered = (await rowsIn(stopped.result.path)).filter((row) => JSON.parse(row).outcome.kind === 'answered');
    expect(answered).toHaveLength(2);
    // What was skipped was not asked.
    expect(toldAsked).toEqual([1, 2]);
  });

  it('OB-5 resumed, it asks what is left, keeps the rows that are there, and equals a run that was not', async () => {
    const { folder, run: path } = await copy();
    const before = (await rowsIn(path)).filter((row) => JSON.parse(row).outcome.kind === 'answered');
    const asked: number[] = [];
    const { result, kinds } = await resume(folder, {
      progress: (event) => {
        if (event.kind === 'stage' && event.stage.endsWith('asking')) asked.push(event.total);
      },
    });
    expect({ status: result.status, resume: result.resume, kinds }).toEqual({
      status: 'complete',
      resume: null,
      kinds: [],
    });
    expect(asked).toHaveLength(TASKS - 2);
    const timings = (row: string): unknown => JSON.parse(row).timings_ms;
    const after = await rowsIn(path);
    for (const row of before) expect(after.map(timings)).toContainEqual(timings(row));
    const found = { ...(await comparableFiles(path)) };
    const manifest = found['run.json'] as { matrix: { path: string } };
    manifest.matrix.path = join(base, 'm.yaml');
    expect(found).toEqual(whole);
    const sessions = JSON.parse(await readFile(join(path, 'run.json'), 'utf8')).sessions;
    expect(sessions.map(({ kind }: { kind: string }) => kind)).toEqual(['run', 'resume']);
  });

  it('OB-5 resumed again, it says that it is complete, and asks nothing', async () => {
    const { folder, run: path } = await copy();
    const first = await resume(folder);
    const notes: string[] = [];
    const again = await resume(folder, {
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      budget: '9.00',
      progress: (event) => notes.push(event.kind === 'note' ? event.text : event.stage),
    });
    expect(notes).toEqual([
      expect.stringMatching(/is complete: nothing is asked, nothing is sent; its limit stays as it was$/),
    ]);
    expect(again).toEqual({ result: JSON.parse(JSON.stringify(first.result)), kinds: [] });
    expect(again.result.path).toBe(path);
  });

  it('OB-5 R-02 its journal of commits may be torn: what was promised to nobody is asked', async () => {
    const { folder, run: path } = await copy();
    const arm = join(path, 'arms', 'bm25');
    const rows = (await readFile(join(arm, 'mill.observations.jsonl'), 'utf8')).split('\n');
    const kept = rows.find((row) => row.includes('"kind":"answered"')) as string;
    await rename(join(arm, 'mill.observations.jsonl'), join(arm, 'mill.rows.jsonl'));
    await writeFile(join(arm, 'mill.rows.jsonl'), `${kept}\n${kept.slice(0, 200)}`);
    expect((await resume(folder)).result).toMatchObject({ status: 'complete', arms: [{}, { answered: 3 }] });
    expect(await rowsIn(path)).toHaveLength(TASKS);
  });
});

describe('a resume that is refused', () => {
  it.each([
    ['another model parameter', 'm.yaml', 'limit: 5', 'limit: 6', 'arms.bm25.retrieval.limit'],
    ['another arm', 'm.yaml', 'name: none', 'name: nothing', 'arms.none, arms.nothing'],
    ['a higher limit', 'm.yaml', '"0.50"', '"0.60"', 'budget_nano_usd'],
    [
      'another prompt',
      'm.yaml',
      'extractive-reader-1 }',
      'extractive-reader-1, prompt: p.txt }',
      'reader.prompt.digest',
    ],
  ])('LG-10 OB-5 under %s, by name; control: the same matrix is taken', async (_name, file, from, to, what) => {
    const { folder } = await copy();
    const matrixPath = join(folder, file);
    await writeFile(join(folder, 'p.txt'), 'Answer the question.');
    await editFile(matrixPath, from, to);
    const refused = resume(folder, { matrixPath });
    await expect(refused).rejects.toMatchObject({ code: 'RUN_MATRIX_CHANGED', exitCode: 2 });
    await expect(refused).rejects.toThrow(what);
    await editFile(matrixPath, to, from);
    expect((await resume(folder, { matrixPath })).result.status).toBe('complete');
  });

  it.each([
    ['history', 'history.jsonl', 'green canoe', 'grey canoe', 'corpus'],
    ['question', 'questions.jsonl', 'live now', 'live today', 'load'],
    ['label', 'questions.jsonl', 'Antwerp', 'Ghent', 'labels'],
    ['owner', 'fixture.yaml', 'principal: mill', 'principal: miller', 'owner'],
  ])('OB-5 FX-1 under another %s (exit 2), by name', async (_name, file, from, to, what) => {
    const { folder } = await copy();
    await editFile(join(folder, 'fixtures', 'mill', file), from, to);
    const refused = resume(folder);
    await expect(refused).rejects.toMatchObject({ errors: [{ code: 'RUN_FIXTURE_CHANGED' }], exitCode: 2 });
    await expect(refused).rejects.toThrow(what);
  });

  it('OB-5 without its bank (exit 5), before one is recorded in its place', async () => {
    const { folder } = await copy();
    await rename(join(folder, 'banks'), join(folder, 'elsewhere'));
    await expect(resume(folder)).rejects.toMatchObject({ code: 'RUN_BANK_CHANGED', exitCode: 5 });
    expect(await readdir(folder)).not.toContain('banks');
  });

  it.each(['program', 'implementation'])('OB-5 R-09 by another program (%s), naming what changed', async (field) => {
    const { folder, run: path } = await copy();
    await editFile(join(path, 'run.json'), new RegExp(`"${field}": "sha256:[0-9a-f]{4}`), `"${field}": "sha256:0000`);
    await expect(resume(folder)).rejects.toMatchObject({ code: 'RUN_PROGRAM_CHANGED', exitCode: 2 });
  });

  it('OB-5 R-09 under another version of a package that rows rest on, naming both versions', async () => {
    const { folder, run: path } = await copy();
    await editFile(join(path, 'run.json'), '"stemmer": "2.0.1"', '"stemmer": "1.9.0"');
    const refused = resume(folder);
    await expect(refused).rejects.toMatchObject({ code: 'RUN_PROGRAM_CHANGED', exitCode: 2 });
    await expect(refused).rejects.toThrow('the package stemmer (1.9.0 then, 2.0.1 now)');
  });

  it('OB-5 RT-6 RT-7 under another file of the user’s own, before a row is made by it', async () => {
    const { folder, run: path } = await copy();
    const named = join(path, 'matrix.resolved.yaml');
    await writeFile(join(folder, 'rankings.jsonl'), '{"question":"mill/q1","failed":"none"}\n');
    await editFile(
      named,
      'strategy: bm25',
      `strategy: file\n      path: rankings.jsonl\n      digest: ${digestText('other')}`,
    );
    const matrix = parse(await readFile(named, 'utf8')) as ResolvedMatrix;
    const { digest } = JSON.parse(await readFile(join(path, 'run.json'), 'utf8')).matrix;
    await editFile(join(path, 'run.json'), new RegExp(digest, 'g'), matrixDigest(matrix));
    await expect(resume(folder)).rejects.toMatchObject({ exitCode: 2 });
    await expect(resume(folder)).rejects.toThrow('it changed since the matrix was loaded');
  });

  it('OB-5 while another process has the run, naming it; a dead one is replaced', async () => {
    const { folder, run: path } = await copy();
    const held = await lockRun(path, manualClock('2026-05-06T07:08:09.000Z'));
    const refused = resume(folder);
    await expect(refused).rejects.toMatchObject({ code: 'RUN_IN_USE', exitCode: 2 });
    await expect(refused).rejects.toThrow(`process ${process.pid} on`);
    await expect(refused).rejects.toThrow('since 2026-05-06T07:08:09.000Z');
    const mark = JSON.parse(await readFile(join(path, 'run.lock'), 'utf8'));
    await held.release();
    await writeFile(join(path, 'run.lock'), JSON.stringify({ ...mark, started: 'long ago' }));
    expect((await resume(folder)).result.status).toBe('complete');
    expect(await readdir(path)).not.toContain('run.lock');
  });

  it('OB-5 R-13 where a row is none of the run’s, or a question has two results', async () => {
    const { folder, run: path } = await copy();
    const [, file] = (await allFiles(join(path, 'arms'))) as [string, string];
    const text = await readFile(file, 'utf8');
    const broken = { code: 'RUN_ROWS_BROKEN', exitCode: 2 };
    for (const changed of [text.replace('"run":"small', '"run":"other'), `${text}${text}`, `${text}{}\n`, `${text}{`]) {
      await writeFile(file, changed);
      const { result } = await resume(folder).catch((error) => ({ result: { problems: [error] } }));
      expect(result.problems).toMatchObject([{ code: broken.code }]);
    }
  });

  it('OB-5 where a row is of a question, or of a repeat of it, that the run never asks', async () => {
    const { folder, run: path } = await copy();
    const [, file] = (await allFiles(join(path, 'arms'))) as [string, string];
    const text = await readFile(file, 'utf8');
    const [first] = text.split('\n');
    for (const [from, to] of [
      ['"question":"mill/q', '"question":"mill/z'],
      ['"repeat":1', '"repeat":2'],
    ] as const) {
      await writeFile(file, `${text}${first?.replace(from, to)}\n`);
      const refused = resume(folder, { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
      await expect(refused).rejects.toMatchObject({ code: 'RUN_ROWS_BROKEN', exitCode: 2 });
      await expect(refused).rejects.toThrow('that the run never asks for');
    }
  });

  it('OB-5 where its own matrix or manifest was changed', async () => {
    const { folder, run: path } = await copy();
    await editFile(join(path, 'matrix.resolved.yaml'), 'limit: 5', 'limit: 50');
    await expect(resume(folder)).rejects.toMatchObject({ code: 'RUN_MATRIX_BROKEN', exitCode: 2 });
    await writeFile(join(path, 'run.json'), '{"format":"run@1","started_at":"2026-01-01T00:00:00.000Z"}');
    await expect(resume(folder)).rejects.toMatchObject({ code: 'RUN_MANIFEST_BROKEN', exitCode: 2 });
  });
});

describe('a run that was stopped while it recorded', () => {
  it('FB-9 OB-5 is refused (exit 5) with the commands, and goes on once the recording is settled', async () => {
    const folder = await temporaryFolder();
    await writeFixture(join(folder, 'fixtures'), 'mill');
    await writeFile(join(folder, 'm.yaml'), SMALL_MATRIX);
    const stop = new AbortController();
    const { result } = await run(
      folder,
      sessionOptions(folder, {
        signal: stop.signal,
        progress: (event) => {
          if (event.kind === 'stage' && event.stage.startsWith('recording') && event.done === 1) stop.abort();
        },
      }),
    );
    expect(result).toMatchObject({ status: 'incomplete', formation: [{ source: 'failed' }] });
    const refused = resume(folder);
    await expect(refused).rejects.toMatchObject({ code: 'BANK_RECORDING_INTERRUPTED', exitCode: 5 });
    const remedy = ((await refused.catch((error) => error)) as { remedy: string }).remedy;
    const [, journal] = /bank abandon (\S+pending\.jsonl)/.exec(remedy) as RegExpExecArray;
    expect(remedy).toContain(`bank continue ${journal}`);
    await abandonRecording(journal as string, 'a test', manualClock());
    const resumed = await resume(folder);
    expect(resumed.result).toMatchObject({ status: 'complete', formation: [{ source: 'recorded' }] });
  });
});

describe('finding the run', () => {
  it('CL-1 `latest` passes over recordings', async () => {
    const { folder } = await copy();
    const recording = join(folder, 'runs', 'record-later');
    await mkdir(recording);
    await writeFile(join(recording, 'run.json'), '{"format":"record@1","started_at":"2030-01-01T00:00:00.000Z"}');
    expect((await resume(folder)).result.status).toBe('complete');
    await expect(resume(folder, { run: 'record-later' })).rejects.toMatchObject({ code: 'RUN_MANIFEST_BROKEN' });
  });
});

describe('a higher limit', () => {
  it('LG-10 is journalled as an amendment, holds from then on, and is never lowered', async () => {
    const { folder, run: path } = await copy();
    await expect(resume(folder, { budget: 'NaN' })).rejects.toMatchObject({ code: 'USD_INVALID', exitCode: 2 });
    await expect(resume(folder, { budget: '0.10' })).rejects.toMatchObject({ code: 'BUDGET_LOWERED', exitCode: 2 });
    expect((await resume(folder, { budget: '0.75' })).result.ledger.limit_nano_usd).toBe(750_000_000);
    expect(await readFile(join(path, 'ledger.jsonl'), 'utf8')).toContain('"kind":"amendment"');
    expect(dirname(path)).toBe(join(folder, 'runs'));
  });
});
