import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeRecordedRun } from '../../../../test/support/recorded-run.js';
import { sampleProjection } from '../../../../test/support/sample-projection.js';
import { sampleVerdict } from '../../../../test/support/sample-verdict.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { digestText } from '../../../core/digest.js';
import type { LessonBook } from '../../../experiment/experiment.js';
import { openRunRecord } from '../../../experiment/reading/open-run-record.js';
import { lessonBook } from '../../../lessons/injection/lesson-book.js';
import type { DetailBlock, FixtureTexts, QuestionIndex } from './page-data.js';
import { questionBlocks } from './question-blocks.js';

const BLOCK = /^<script type="application\/octet-stream;base64" id="([a-z0-9-]+)">([A-Za-z0-9+/=]+)<\/script>\n$/;

/** Every block of a run's page, by its id. */
async function blocksOf(path: string, book: Pick<LessonBook, 'restore'> | null = null): Promise<Map<string, unknown>> {
  const blocks = new Map<string, unknown>();
  for await (const text of questionBlocks(await openRunRecord(path), book)) {
    const [, id, packed] = BLOCK.exec(text) ?? [];
    blocks.set(id as string, JSON.parse(gunzipSync(Buffer.from(packed as string, 'base64')).toString('utf8')));
  }
  return blocks;
}

describe('RP-5 the data of every question', () => {
  it('RP-5 each question of each fixture under each arm, in load order, with what failed and why', async () => {
    const path = await writeRecordedRun({
      fixtures: [
        { id: 'c1', questions: 2 },
        { id: 'c2', questions: [{ category: 'temporal' }, { answerable: false }] },
      ],
      arms: ['full-history', 'bm25', 'none'],
      row: ({ arm, index }) => {
        if (arm === 'none') return index === 0 ? 'failed' : 'lost';
        return arm === 'bm25' && index === 0
          ? { scores: { 'token-f1': 0.2 }, answer: 'x', miss: { cause: 'misread', turns: [] } }
          : 1;
      },
    });
    const blocks = await blocksOf(path);
    const index = blocks.get('questions-index') as QuestionIndex;
    expect([...blocks.keys()]).toEqual(['details-0', 'texts-0', 'details-1', 'texts-1', 'questions-index']);
    expect(index.questions.id).toEqual(['c1/q1', 'c1/q2', 'c2/q1', 'c2/q2']);
    expect(index.questions.expected).toEqual(['answer 1', 'answer 2', 'answer 1', '']);
    expect(index.arms.map(({ reference }) => reference)).toEqual([false, false, true]);
    expect(index.scorer).toBe('token-f1');
    expect(index.rows.state.slice(0, 6)).toEqual([0, 2, 0, 0, 3, 0]);
    expect(index.rows.score.slice(0, 6)).toEqual([0.2, 0, 1, 1, null, 1]);
    expect(index.questions.in_sample).toBeNull();
    expect(index.rows.cause.slice(0, 3)).toEqual([0, -1, -1]);
    const { questions } = blocks.get('details-0') as DetailBlock;
    expect(questions[0]?.answers[1]?.problem).toMatch(/the arm's own: it counts as 0/);
    expect(questions[1]?.answers[1]?.problem).toMatch(/not its own: it is in no mean/);
  });

  it('RP-5 rows of an arm that the result does not name are laid to no other arm', async () => {
    const path = await writeRecordedRun({ fixtures: [{ id: 'c1', questions: 1 }], arms: ['none', 'bm25'] });
    const file = join(path, 'run.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...manifest, arms: manifest.arms.slice(0, 1) }));
    await expect(blocksOf(path)).rejects.toMatchObject({ code: 'RUN_MANIFEST_BROKEN', exitCode: 2 });
  });

  it('RP-5 FB-18 a question that was asked several times has every answer, an arm’s together, bank by bank', async () => {
    const path = await writeRecordedRun({ repeats: 2, replicates: 2, fixtures: [{ id: 'c1', questions: 2 }] });
    const blocks = await blocksOf(path);
    const detail = (blocks.get('details-0') as DetailBlock).questions[1];
    expect(detail?.answers.map(({ arm, replicate, repeat }) => `${arm} ${replicate} ${repeat}`)).toEqual([
      ...['0 1 1', '0 1 2', '0 2 1', '0 2 2'],
      ...['1 1 1', '1 1 2', '1 2 1', '1 2 2'],
    ]);
    const index = blocks.get('questions-index') as QuestionIndex;
    expect(index.questions.id).toEqual(['c1/q1', 'c1/q2']);
    expect(index.rows.arm).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(index.rows.replicate).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2]);
  });

  it('RP-5 what was retrieved has its text, its sources and whether it was in the context; the request is exact', async () => {
    const path = await writeRecordedRun({
      requests: true,
      row: ({ arm }) =>
        arm === 'bm25'
          ? {
              retrieved: [
                { id: 'b1.1', rank: 1, score: 2, sources: ['t:1'], tokens: 10 },
                { id: 'b1.2', rank: 2, score: 1, sources: ['t:2'], tokens: 9 },
                { id: 'gone', rank: 3, score: null, sources: ['t:99'], tokens: null },
              ],
              context: {
                tokens: 10,
                digest: `sha256:${'0'.repeat(64)}`,
                included: ['b1.1'],
                left_out: ['b1.2', 'gone'],
              },
            }
          : 1,
    });
    const blocks = await blocksOf(path);
    const detail = (blocks.get('details-0') as DetailBlock).questions[0];
    const texts = blocks.get('texts-0') as FixtureTexts;
    const answer = detail?.answers[0];
    const shown = answer?.retrieved.map(([place, rank, score, , isIn]) => [texts.items[place], rank, score, isIn]);
    expect(shown).toMatchObject([
      [
        { id: 'b1.1', kind: 'belief', text: 'The answer of c1 to number 1 is answer 1.', subjects: ['Ilse'] },
        1,
        2,
        true,
      ],
      [{ id: 'b1.2', kind: 'belief' }, 2, 1, false],
      [{ id: 'gone', kind: 'unknown', text: null }, 3, null, false],
    ]);
    const sources = answer?.retrieved.map(([place]) => texts.items[place]?.sources.map((turn) => texts.turns[turn]));
    expect(sources?.[0]).toMatchObject([
      { id: 't:1', speaker: 'Ilse', text: 'The answer of c1 to number 1 is answer 1.' },
    ]);
    expect(sources?.[2]).toMatchObject([{ id: 't:99', text: null, erased: false }]);
    const user = answer?.request?.messages[1];
    expect(JSON.parse(user?.pieces.map((piece) => texts.pieces[piece]).join('') ?? '')).toMatchObject({
      question: 'What is number 1 of c1?',
      present: '2024-03-01T09:00:00',
    });
  });

  it('RP-5 where the fixture is not at hand, it says so and shows what the run folder holds', async () => {
    const root = await temporaryFolder();
    const path = await writeRecordedRun({ folder: root, requests: true });
    await rename(join(root, 'fixtures'), join(root, 'elsewhere'));
    const blocks = await blocksOf(path);
    const index = blocks.get('questions-index') as QuestionIndex;
    expect(index.missing[0]).toMatch(/\S/);
    expect(index.questions.text[0]).toBe('What is number 1 of c1?');
    expect(index.questions.expected[0]).toBeNull();
    const detail = (blocks.get('details-0') as DetailBlock).questions[0];
    expect(detail).toMatchObject({ asked_at: '2024-03-01T09:00:00', expected: null, evidence: null });
    const texts = blocks.get('texts-0') as FixtureTexts;
    expect(texts.turns[0]).toMatchObject({ id: 't:1', text: 'The answer of c1 to number 1 is answer 1.' });
  });

  it('OB-7 a judged answer has each judge’s counts, and its words on each verdict; one that was not judged says why', async () => {
    const judged = {
      by: 'judge' as const,
      request: digestText('item'),
      correct: 1,
      verdicts: 2,
      nano_usd: null,
      cause: null,
    };
    const none = {
      by: null,
      request: null,
      correct: 0,
      verdicts: 0,
      nano_usd: null,
      cause: { code: 'JUDGE_SILENT', message: 'it said nothing' },
    };
    const said = [true, false].map((correct, place) => ({
      repeat: place + 1,
      correct,
      reason: `because ${place}</script>`,
    }));
    const path = await writeRecordedRun({
      verdicts: said.map(({ repeat, ...one }) => sampleVerdict('item', repeat, one)),
      row: ({ arm }) => ({
        judgements:
          arm === 'bm25' ? { careful: judged, gone: { ...judged, request: digestText('?') } } : { careful: none },
      }),
    });
    const detail = ((await blocksOf(path)).get('details-0') as DetailBlock).questions[0];
    expect(detail?.answers.map(({ judgements }) => judgements)).toEqual([
      [
        { judge: 'careful', by: 'judge', correct: 1, verdicts: 2, problem: null, said },
        { judge: 'gone', by: 'judge', correct: 1, verdicts: 2, problem: null, said: [] },
      ],
      [{ judge: 'careful', by: null, correct: 0, verdicts: 0, problem: 'it said nothing', said: [] }],
    ]);
  });

  it('LE-6 lessons that stood in a context have their text once a fixture, and questions that they were learnt from are known', async () => {
    const lessons = sampleProjection(['c1/q2'], ['Ilse']);
    const lesson = lessons.lessons[0]?.lesson as string;
    const result = {
      lessons: {
        projection: `sha256:${'0'.repeat(64)}` as const,
        lessons: 1,
        of_unknown_origin: 0,
        calibrated: false as const,
        in_sample: [{ fixture: 'c1', questions: ['c1/q2'] }],
        pairs: [],
      },
    };
    const path = await writeRecordedRun({
      lessons,
      result,
      fixtures: [
        { id: 'c0', questions: 2 },
        { id: 'c1', questions: 2 },
      ],
      row: ({ arm }) => (arm === 'bm25' ? { lessons: [lesson, 'sha256:unknown'] } : 1),
    });
    const blocks = await blocksOf(path, lessonBook('', false));
    expect((blocks.get('texts-1') as FixtureTexts).lessons).toEqual([
      { id: lesson, text: expect.stringMatching(/^\[lesson\] Earlier questions that ask when about Ilse were/) },
      { id: 'sha256:unknown', text: null },
    ]);
    const { questions } = blocks.get('details-0') as DetailBlock;
    expect(questions[0]?.answers.map((answer) => answer.lessons)).toEqual([[0, 1], []]);
    expect((blocks.get('questions-index') as QuestionIndex).questions.in_sample).toEqual([0, 0, 0, 1]);
    expect(((await blocksOf(path)).get('texts-1') as FixtureTexts).lessons[0]).toEqual({ id: lesson, text: null });
  });

  it('RT-8 a deliberate reader’s searches: the query, what it found as it stands, how many lines it added', async () => {
    const search = {
      subjects: ['Ilse'],
      effective_strategy: 'bm25' as const,
      lookup_miss: null,
      request: digestText('x'),
    };
    const path = await writeRecordedRun({
      row: ({ arm }) =>
        arm === 'bm25'
          ? {
              searches: [
                { ...search, query: 'number 1', retrieved: ['b1.1', 'gone'], new_lines: 1 },
                { ...search, query: 'again', retrieved: ['b1.1'], new_lines: 0 },
              ],
            }
          : 1,
    });
    const blocks = await blocksOf(path);
    const { items, turns } = blocks.get('texts-0') as FixtureTexts;
    const [first, second] = (blocks.get('details-0') as DetailBlock).questions[0]?.answers[0]?.searches ?? [];
    expect(first).toMatchObject({ query: 'number 1', subjects: ['Ilse'], strategy: 'bm25', new_lines: 1 });
    expect(first?.found.map((place) => items[place])).toMatchObject([
      { id: 'b1.1', kind: 'belief', text: 'The answer of c1 to number 1 is answer 1.' },
      { id: 'gone', kind: 'unknown' },
    ]);
    expect(items[first?.found[0] ?? -1]?.sources.map((place) => turns[place]?.id)).toEqual(['t:1']);
    expect(second).toMatchObject({ query: 'again', found: [first?.found[0]], new_lines: 0 });
  });

  it('RS-4 nothing in the data ends its element, and nothing of it is lost: markup, NULs, a megabyte', async () => {
    const hostile = '</script><!--<script>alert(1)</script>\u0000\u202e"\'&';
    const long = `${hostile}${'x'.repeat(1_000_000)}`;
    const path = await writeRecordedRun({ row: ({ arm }) => ({ answer: arm === 'bm25' ? hostile : long }) });
    const blocks = await blocksOf(path);
    expect(blocks.has('undefined')).toBe(false);
    const answers = (blocks.get('details-0') as DetailBlock).questions[0]?.answers;
    expect(answers?.map(({ answer }) => answer)).toEqual([hostile, long]);
    const index = blocks.get('questions-index') as QuestionIndex;
    expect(index.rows.answer[1]?.length).toBeLessThan(300);
  });

  it('RP-5 details are packed in blocks of a few questions, the texts of a fixture once', async () => {
    const blocks = await blocksOf(await writeRecordedRun({ fixtures: [{ id: 'c1', questions: 45 }] }));
    const index = blocks.get('questions-index') as QuestionIndex;
    expect([...blocks.keys()]).toEqual(['details-0', 'details-1', 'details-2', 'texts-0', 'questions-index']);
    expect([0, 19, 20, 44].map((question) => index.questions.block[question])).toEqual([0, 0, 1, 2]);
    expect((blocks.get('details-2') as DetailBlock).questions[44]).toBeDefined();
  });

  it('PF-5 a fixture is written before the one after the next is read: what is held does not grow with the run', async () => {
    const ids = ['c1', 'c2', 'c3', 'c4'];
    const record = await openRunRecord(
      await writeRecordedRun({ fixtures: ids.map((id) => ({ id, questions: 1 })), arms: ['bm25', 'none'] }),
    );
    let read = 0;
    async function* counted() {
      for await (const cell of record.cells()) {
        read += 1;
        yield cell;
      }
    }
    const readWhenWritten: number[] = [];
    for await (const text of questionBlocks({ ...record, cells: counted })) {
      if (text.includes('id="texts-')) readWhenWritten.push(read);
    }
    expect(readWhenWritten).toEqual([3, 5, 7, 8]);
  });
});
