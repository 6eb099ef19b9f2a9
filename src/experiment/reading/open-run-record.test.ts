import { appendFile, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeRecordedRun } from '../../../test/support/recorded-run.js';
import { sampleProjection } from '../../../test/support/sample-projection.js';
import { sampleVerdict } from '../../../test/support/sample-verdict.js';
import { strictRunResultSchema } from '../../../test/support/strict-run-result.js';
import { digestText } from '../../core/digest.js';
import { RecallMatrixError } from '../../core/errors.js';
import type { RunLessons } from '../run-lessons.js';
import { openRunRecord } from './open-run-record.js';

const FIXTURES = [
  { id: 'c1', questions: 2 },
  { id: 'c2', questions: 1 },
];

async function cellsOf(path: string): Promise<string[]> {
  const cells: string[] = [];
  for await (const { arm, fixture, replicate, is_finished, rows } of (await openRunRecord(path)).cells())
    cells.push(`${fixture}@${replicate} ${arm} ${is_finished} ${rows.map(({ question }) => question).join()}`);
  return cells;
}

/** The code of what is thrown; it is one of ours, with a remedy. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RecallMatrixError)) throw error ?? new Error('nothing was thrown');
  expect(error.kind).toBe('invalid-input');
  expect(error.remedy ?? '').not.toBe('');
  return error.code;
}

const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'utf8')));

describe('a run folder is read', () => {
  it('OB-3 with its manifest, result and matrix, and its cells by fixture, replicate and arm', async () => {
    const path = await writeRecordedRun({ fixtures: FIXTURES, replicates: 2 });
    const record = await openRunRecord(path);
    expect(record).toMatchObject({ run: 'run-1', path, result: { status: 'complete', path } });
    expect(record.matrix.arms.map(({ name }) => name)).toEqual(['bm25', 'semantic']);
    expect(record.manifest.fixtures.map(({ dataset }) => dataset)).toEqual(['made-up', 'made-up']);
    strictRunResultSchema.parse(record.result);
    expect(await cellsOf(path)).toEqual([
      'c1@1 bm25 true c1/q1,c1/q2',
      'c1@1 semantic true c1/q1,c1/q2',
      'c1@2 bm25 true c1/q1,c1/q2',
      'c1@2 semantic true c1/q1,c1/q2',
      'c2@1 bm25 true c2/q1',
      'c2@1 semantic true c2/q1',
      'c2@2 bm25 true c2/q1',
      'c2@2 semantic true c2/q1',
    ]);
  });

  it('OB-5 an unfinished cell has no rows, also where its finalised file is beside its journal', async () => {
    const path = await writeRecordedRun({ unfinished: ({ arm }) => arm === 'semantic' });
    expect(await cellsOf(path)).toEqual(['c1@1 bm25 true c1/q1,c1/q2,c1/q3,c1/q4', 'c1@1 semantic false ']);
    await writeFile(join(path, 'arms', 'bm25', 'c1.rows.jsonl'), '');
    expect((await cellsOf(path))[0]).toBe('c1@1 bm25 false ');
  });

  it('OB-4 rows that were never asked are rows: every denominator is there', async () => {
    const skipped = { kind: 'skipped', cause: null } as const;
    const path = await writeRecordedRun({ row: ({ index }) => (index === 1 ? { outcome: skipped, answer: null } : 1) });
    for await (const { rows } of (await openRunRecord(path)).cells()) expect(rows).toHaveLength(4);
  });

  it('OB-7 PF-5 a judge’s verdicts on a request come by repeat, whatever stands between them, and are looked up where they lie', async () => {
    const long = `über ${'x'.repeat(200_000)}\n\u0000`;
    const verdicts = [
      sampleVerdict('one', 2, { correct: false, reason: long }),
      sampleVerdict('two', 1, { correct: true, reason: 'two' }),
      sampleVerdict('one', 1, { correct: true, reason: 'ja, naïve' }),
      sampleVerdict('one', 1, { correct: false, reason: 'of another judge', judge: 'other' }),
    ];
    const path = await writeRecordedRun({ verdicts });
    await appendFile(join(path, 'judgements.jsonl'), '{"format":"judgement@1","jud');
    const record = await openRunRecord(path);
    expect(await record.verdicts('careful', digestText('one'))).toEqual([
      { repeat: 1, correct: true, reason: 'ja, naïve' },
      { repeat: 2, correct: false, reason: long },
    ]);
    expect(await record.verdicts('other', digestText('two'))).toEqual([]);
    expect(await (await openRunRecord(await writeRecordedRun())).verdicts('careful', digestText('one'))).toEqual([]);
    await appendFile(join(path, 'judgements.jsonl'), '\n');
    expect(await codeOf((await openRunRecord(path)).verdicts('careful', digestText('one')))).toBe(
      'RUN_JUDGEMENTS_BROKEN',
    );
    await writeFile(join(path, 'judgements.jsonl'), '{"format":"judgement@1"}\n');
    expect(await codeOf((await openRunRecord(path)).verdicts('careful', digestText('one')))).toBe(
      'RUN_JUDGEMENTS_BROKEN',
    );
  });

  it('LE-6 the lessons that a run was begun with, or none where its folder does not hold them; others are refused', async () => {
    const restored: string[] = [];
    const book = {
      restore: (text: string): RunLessons => {
        restored.push(text);
        return { digest: digestText(text), text, count: 1, of_unknown_origin: 0 } as RunLessons;
      },
    };
    expect(await (await openRunRecord(await writeRecordedRun())).lessons(book)).toBeNull();
    const path = await writeRecordedRun({ lessons: sampleProjection(['c1/q1'], ['Ilse']) });
    const record = await openRunRecord(path);
    expect((await record.lessons(book))?.digest).toBe(record.manifest.lesson_projection);
    await edit(join(path, 'lessons.json'), (text) => text.replace('Ilse', 'Marta'));
    expect(await codeOf(record.lessons(book))).toBe('RUN_LESSONS_BROKEN');
    await rm(join(path, 'lessons.json'));
    expect(await record.lessons(book)).toBeNull();
    expect(restored).toHaveLength(1);
  });

  it('RP-5 requests, states and fixtures come as they are, or not at all', async () => {
    const path = await writeRecordedRun({ requests: true });
    const record = await openRunRecord(path);
    const cell = { fixture: 'c1', arm: 'bm25', replicate: 1 };
    const { value } = await record.cells().next();
    const digest = value?.rows[0]?.request as `sha256:${string}`;
    expect(await record.request(digest)).toMatchObject({ model: 'extractive-reader-1', messages: [{}, {}] });
    expect((await record.state(cell))?.tables.belief).toHaveLength(4);
    expect(await record.fixture('c1')).toMatchObject({ manifest: { id: 'c1' } });
    expect(await record.fixture('c9')).toEqual({ missing: 'run-1 has no fixture c9' });

    const fixture = join(path, '..', '..', 'fixtures', 'c1');
    const questions = join(fixture, 'questions.jsonl');
    const before = await readFile(questions, 'utf8');
    await edit(questions, (text) => text.replace('answer 1', 'answer one'));
    expect(await record.fixture('c1')).toMatchObject({ missing: expect.stringContaining('other expected answers') });
    await edit(questions, (text) => text.replace('What is number 1', 'Which is number 1'));
    expect(await record.fixture('c1')).toMatchObject({ missing: expect.stringContaining('other questions') });
    await writeFile(questions, before.split('\n').slice(1).join('\n'));
    expect(await record.fixture('c1')).toMatchObject({ missing: expect.stringContaining('fewer questions') });
    await edit(join(fixture, 'history.jsonl'), (text) => text.replace('number 1', 'number one'));
    expect(await record.fixture('c1')).toMatchObject({ missing: expect.stringContaining('another history') });
    await rename(fixture, `${fixture}-moved`);
    expect(await record.fixture('c1')).toMatchObject({ missing: expect.stringContaining('cannot be read') });

    await edit(join(path, 'requests', `${digest.replace(':', '-')}.json`), (text) => text.replace('alone', 'ALONE'));
    expect(await codeOf(record.request(digest))).toBe('RUN_REQUEST_BROKEN');
    await rm(join(path, 'requests'), { recursive: true });
    expect(await record.request(digest)).toBeNull();
    expect(await record.request('sha256:../../run' as `sha256:${string}`)).toBeNull();

    const again = await openRunRecord(path);
    await edit(join(path, 'state', 'c1.json'), (text) => text.replace('number 1', 'number one'));
    expect(await codeOf(again.state(cell))).toBe('RUN_STATE_BROKEN');
    await unlink(join(path, 'state', 'c1.json'));
    expect(await again.state(cell)).toBeNull();
  });
});

describe('what is no finished run is refused by name', () => {
  it('OB-5 a run that is under way, with the command that continues it', async () => {
    const path = await writeRecordedRun({ manifest: { status: 'running' } });
    await expect(openRunRecord(path)).rejects.toMatchObject({
      code: 'RUN_NOT_FINISHED',
      remedy: expect.stringContaining(`recall-matrix run --resume ${path}`),
    });
  });

  it('RS-2 a broken manifest, matrix or row; RS-4 a name that leaves the folder', async () => {
    const broken = async (file: string, change: (text: string) => string): Promise<string> => {
      const path = await writeRecordedRun();
      await edit(join(path, file), change);
      return codeOf(cellsOf(path));
    };
    expect(await broken('run.json', () => '{')).toBe('RUN_MANIFEST_BROKEN');
    expect(await broken('run.json', (text) => text.replace('"id": "c1"', '"id": "../c1"'))).toBe('RUN_MANIFEST_BROKEN');
    expect(await broken('run.json', (text) => text.replace('"answered": 4', '"answered": "4"'))).toBe(
      'RUN_MANIFEST_BROKEN',
    );
    expect(await broken('matrix.resolved.yaml', (text) => text.replace('bm25', 'bm26'))).toBe('RUN_MATRIX_BROKEN');
    expect(await broken('matrix.resolved.yaml', (text) => text.replace('0.02', '.nan'))).toBe('RUN_MATRIX_BROKEN');
    const rows = join('arms', 'bm25', 'c1.observations.jsonl');
    expect(await broken(rows, (text) => text.replace('c1/q2', 'c1/q1'))).toBe('RUN_ROWS_BROKEN');
    expect(await broken(rows, (text) => text.replace('"arm":"bm25"', '"arm":"semantic"'))).toBe('RUN_ROWS_BROKEN');
    expect(await broken(rows, (text) => text.slice(0, -20))).toBe('RUN_ROWS_BROKEN');
    const arms = [{ name: '../bm25' }];
    expect(await codeOf(openRunRecord(await writeRecordedRun({ arms, unfinished: () => true })))).toBe(
      'RUN_MANIFEST_BROKEN',
    );
  });

  it('RS-2 whatever a byte or a value of a run folder becomes, the error is one of ours', async () => {
    const path = await writeRecordedRun({ fixtures: [{ id: 'c1', questions: 1 }] });
    const files = ['run.json', 'matrix.resolved.yaml', join('arms', 'bm25', 'c1.observations.jsonl')];
    const texts = new Map<string, string>();
    for (const file of files) texts.set(file, await readFile(join(path, file), 'utf8'));
    let [sound, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        fc.constantFrom('', '"', '{', 'null', '-1', '1e999', '[', '\u0000', '../', '\ud800'),
        async (file, place, put) => {
          const text = texts.get(file) as string;
          const at = Math.floor(place * text.length);
          await writeFile(join(path, file), text.slice(0, at) + put + text.slice(at + 1));
          try {
            await cellsOf(path);
            sound += 1;
          } catch (error) {
            if (!(error instanceof RecallMatrixError) || error.kind !== 'invalid-input') throw error;
            refused += 1;
          } finally {
            await writeFile(join(path, file), text);
          }
        },
      ),
      { numRuns: 150, seed: 6 },
    );
    expect(refused).toBeGreaterThan(50);
    expect(await readdir(path)).toContain('run.json');
    expect(sound + refused).toBe(150);
  });
});
