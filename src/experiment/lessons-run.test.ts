import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userMessage } from '../../test/support/chat-models.js';
import { BM25 } from '../../test/support/cli-priced.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import type { OpenAiServer } from '../../test/support/openai-server/index.js';
import { remoteOptions, runRemote, startRemoteServer, writeRemoteMatrix } from '../../test/support/remote-run.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { canonicalJson } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import { failure, human, imported, trial } from '../lessons/bootstrap/sample-events.js';
import { type Fingerprint, lessonOf } from '../lessons/fingerprint.js';
import { lessonBook } from '../lessons/injection/lesson-book.js';
import type { LessonEvent } from '../lessons/lesson-event.js';
import { LOG_FILE } from '../lessons/log.js';
import { planRun } from './planning/plan-run.js';
import { reproduce } from './reproducing/reproduce.js';
import { extendRun } from './resuming/extend-run.js';
import { resumeRun } from './resuming/resume-run.js';

const TAUGHT = { ...BM25, name: 'taught', context: { lessons: 'inject' } };
const HISTORY = { name: 'all', retrieval: { strategy: 'full-history' }, context: { lessons: 'inject' } };
const FEW = { ...BM25, name: 'few', context: { lessons: 'inject', lesson_tokens: 5 } };

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
let corpus: Digest;
let before: Awaited<ReturnType<typeof runRemote>>;
let first: Awaited<ReturnType<typeof runRemote>>;

const book = (of: string, isNamed = false) => lessonBook(join(of, 'lessons'), isNamed);
const told = (subjects: string[], asks: Fingerprint['scope']['asks']): Fingerprint => ({
  format: 'lesson-fingerprint@1',
  stage: 'reader',
  failure: 'misread',
  error_code: null,
  strategy: null,
  scope: { corpus, subjects, asks },
});
const failedIn = (run: string, question: string, of: Fingerprint, day: number): LessonEvent =>
  failure(day, trial(run, question, { corpus }), of);
/** Twice, in runs of their own: verified. */
const recurred = (question: string, of: Fingerprint): LessonEvent[] => [
  failedIn('night-1', question, of, 0),
  failedIn('night-2', question, of, 1),
];

async function writeLog(of: string, events: readonly LessonEvent[]): Promise<void> {
  await mkdir(join(of, 'lessons'), { recursive: true });
  const text = events.map((event) => `${canonicalJson(event)}\n`).join('');
  await writeFile(join(of, 'lessons', LOG_FILE), text);
}

/** Verified for the first question, compiled for the second, a candidate for the third, expired for the fourth. */
const log = (): LessonEvent[] => {
  const dog = told(['Bo'], 'what');
  return [
    ...recurred('small/q1', told(['Ada'], 'where')),
    ...recurred('small/q2', dog),
    human(2, 'compiled', lessonOf(dog)),
    failedIn('night-1', 'small/q3', told(['Ada'], 'who'), 0),
    imported(0, 'expired', told([], 'who')),
  ];
};

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startRemoteServer();
  await writeRemoteMatrix(folder, server, { arms: [BM25, TAUGHT] });
  before = await runRemote(folder, { lessons: book(folder) });
  corpus = before.rows[0]?.corpus as Digest;
  await writeLog(folder, log());
  first = await runRemote(folder, { lessons: book(folder) });
});
afterAll(async () => {
  await server.close();
  await remove();
});

const rowsOf = ({ rows }: typeof first, arm: string) => rows.filter((row) => row.arm === arm);
const lessonsOf = (run: typeof first, arm: string) => rowsOf(run, arm).map(({ lessons }) => lessons);

async function copied(): Promise<{ readonly folder: string; readonly run: string }> {
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true });
  const run = (await readdir(join(copy, 'runs'))).find((id) => id === first.result.run);
  return { folder: copy, run: join(copy, 'runs', run as string) };
}

describe('an arm with lessons and one without', () => {
  it('LE-6 without a log nothing is injected, and both arms are shown the same', () => {
    expect(before.result.status, JSON.stringify(before.result.problems)).toBe('complete');
    expect(before.result.lessons).toMatchObject({ lessons: 0, in_sample: [] });
    expect(rowsOf(before, 'taught').map(({ context, lessons }) => [context, lessons])).toEqual(
      rowsOf(before, 'bm25').map(({ context }) => [context, []]),
    );
  });

  it('LE-4 LE-6 a verified lesson stands before the notes of its question; compiled, candidate and expired ones nowhere', async () => {
    const lesson = lessonOf(told(['Ada'], 'where'));
    expect(lessonsOf(first, 'taught')).toEqual([[lesson], [], [], []]);
    expect(lessonsOf(first, 'bm25')).toEqual([[], [], [], []]);
    const [taught, plain] = [rowsOf(first, 'taught'), rowsOf(first, 'bm25')];
    expect(taught[0]?.context?.digest).not.toBe(plain[0]?.context?.digest);
    expect(taught.slice(1).map(({ context }) => context)).toEqual(plain.slice(1).map(({ context }) => context));
    expect(taught[0]?.retrieved).toEqual(plain[0]?.retrieved);
    const kept = join(first.result.path, 'requests', `${taught[0]?.request?.replace(':', '-')}.json`);
    const { context } = userMessage(JSON.parse(await readFile(kept, 'utf8'))) as { context: string[] };
    expect(context[0]).toMatch(/^\[lesson\] Earlier questions that ask where about Ada were answered wrongly: /);
    expect(context.filter((line) => line.startsWith('[lesson]'))).toHaveLength(1);
    const lines = server.requests.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('[lesson]'));
    expect(lines).toHaveLength(1);
  });

  it('LE-6 OB-4 the questions that a lesson was learnt from are labelled, and their scores stand apart in every arm', () => {
    const { lessons, arms } = first.result;
    expect(lessons).toMatchObject({
      lessons: 1,
      of_unknown_origin: 0,
      calibrated: false,
      in_sample: [{ fixture: 'small', questions: ['small/q1'] }],
    });
    expect(
      arms.map(({ arm, lessons: by }) => [
        arm,
        by?.injected_rows,
        by?.in_sample['token-f1']?.n,
        by?.out_of_sample['token-f1']?.n,
      ]),
    ).toEqual([
      ['bm25', 0, 1, 3],
      ['taught', 1, 1, 3],
    ]);
  });

  it('LE-6 OB-3 run.json binds the projection, the folder keeps it, and the plan counts its tokens', async () => {
    const manifest = JSON.parse(await readFile(join(first.result.path, 'run.json'), 'utf8'));
    expect(manifest.lesson_projection).toBe(first.result.lessons?.projection);
    const kept = await readFile(join(first.result.path, 'lessons.json'), 'utf8');
    expect(book(folder).restore(kept, 'lessons.json').digest).toBe(manifest.lesson_projection);
    const arms = [{ name: 'none', retrieval: { strategy: 'none' } }];
    const planned = async (more: object) => {
      const copy = await temporaryFolder();
      await writeRemoteMatrix(copy, server, { arms: [{ ...arms[0], ...more }] });
      return (await planRun(join(copy, 'priced.yaml'), {})).reader.worst_nano_usd as number;
    };
    expect(await planned({ context: { lessons: 'inject' } })).toBeGreaterThan(await planned({}));
  });
});

describe('a run with lessons that is continued', () => {
  const more = () => [...log(), failedIn('night-2', 'small/q3', told(['Ada'], 'who'), 1)];
  const options = (of: string, run: string, isNamed = false) => ({
    ...remoteOptions(of),
    lessons: book(of, isNamed),
    run,
    matrixPath: null,
    budget: null,
    retryFailed: true,
  });

  it('LE-6 OB-5 goes on with the lessons that it began with, and refuses others', async () => {
    const { folder: copy } = await copied();
    const lost = await runRemote(copy, {
      lessons: book(copy),
      progress: (event) => {
        if (event.kind === 'stage' && event.stage.endsWith('asking') && event.done === 2)
          for (let row = 0; row < 4; row += 1) server.failNext({ kind: 'status', status: 500 });
      },
    });
    expect(lost.result.status).toBe('incomplete');
    const { path } = lost.result;
    await writeLog(copy, more());
    await expect(resumeRun(options(copy, path, true))).rejects.toMatchObject({ code: 'RUN_LESSONS_CHANGED' });
    const { result } = await resumeRun(options(copy, path));
    expect(result.status, JSON.stringify(result.problems)).toBe('complete');
    expect(result.lessons).toEqual({ ...lost.result.lessons, pairs: expect.anything() });
    expect(result.arms[1]?.lessons?.injected_rows).toBe(1);

    await writeFile(join(path, 'lessons.json'), `${canonicalJson({})}\n`);
    const manifest = await readFile(join(path, 'run.json'), 'utf8');
    await writeFile(join(path, 'run.json'), manifest.replace('"status": "complete"', '"status": "incomplete"'));
    await expect(resumeRun(options(copy, path))).rejects.toMatchObject({ code: 'RUN_LESSONS_CHANGED' });
  });

  it('LE-6 OB-8 that began without any takes them from the log when an arm is added that injects', async () => {
    const copy = await temporaryFolder();
    await writeRemoteMatrix(copy, server, { arms: [BM25] });
    const begun = await runRemote(copy, { lessons: book(copy) });
    expect(begun.result.lessons).toBeNull();
    await writeLog(copy, log());
    await writeRemoteMatrix(copy, server, { arms: [BM25, TAUGHT, HISTORY, FEW] });
    const { result } = await extendRun({
      ...options(copy, begun.result.path),
      matrixPath: join(copy, 'priced.yaml'),
    });
    expect(result.status, JSON.stringify(result.problems)).toBe('complete');
    // What does not fit is not told as if it had been shown.
    expect(result.arms.map(({ lessons }) => lessons?.injected_rows)).toEqual([0, 1, 1, 0]);
    expect(result.lessons?.in_sample).toEqual([{ fixture: 'small', questions: ['small/q1'] }]);
  });

  it('RP-1 LE-6 is reproduced with what its folder keeps, whatever the log says since; without a run it is refused', async () => {
    const { folder: copy, run } = await copied();
    await writeLog(copy, more());
    const reproduced = (against: string | null) =>
      reproduce({
        ...remoteOptions(copy, { environment: {} }),
        lessons: book(copy),
        matrixPath: join(copy, 'priced.yaml'),
        digest: `${first.result.formation[0]?.bank}`.slice('sha256:'.length, 20),
        arm: 'taught',
        against,
      });
    const { result, kinds } = await reproduced(run);
    expect({ kinds, differences: result.differences, context: result.context }).toEqual({
      kinds: [],
      differences: [],
      context: { compared: 4, equal: 4 },
    });
    await expect(reproduced(null)).rejects.toMatchObject({ code: 'REPRODUCE_NEEDS_RUN' });
  });
});
