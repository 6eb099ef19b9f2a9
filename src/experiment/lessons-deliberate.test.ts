import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userMessage } from '../../test/support/chat-models.js';
import { KEY, PRICES } from '../../test/support/cli-priced.js';
import { type DeliberateMessage, deliberateModels } from '../../test/support/deliberate-models.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import { type OpenAiServer, startOpenAiServer } from '../../test/support/openai-server/index.js';
import { runRemote, writeRemoteMatrix } from '../../test/support/remote-run.js';
import { canonicalJson } from '../core/canonical-json.js';
import type { Digest } from '../core/digest.js';
import { failure, trial } from '../lessons/bootstrap/sample-events.js';
import { type Fingerprint, lessonOf } from '../lessons/fingerprint.js';
import { lessonBook } from '../lessons/injection/lesson-book.js';
import { LOG_FILE } from '../lessons/log.js';
import type { Search } from '../memory/reader/deliberation.js';

const PLAIN = { name: 'plain', retrieval: { strategy: 'bm25', limit: 2 }, recall: 'deliberate' };
const TAUGHT = { ...PLAIN, name: 'taught', context: { lessons: 'inject' } };
const SEARCHES: readonly Search[] = [
  { query: 'bakery', subjects: ['Ada'] },
  { query: 'moved to Lisbon', subjects: ['Ada'] },
];
const script = ({ question, searches }: DeliberateMessage): Search | null =>
  question === 'Where did Ada move?' ? (SEARCHES[searches.length] ?? null) : null;

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
let told: Fingerprint;
let run: Awaited<ReturnType<typeof runRemote>>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startOpenAiServer({ api_key: KEY, models: PRICES, answer: deliberateModels(script) });
  await writeRemoteMatrix(folder, server, { arms: [PLAIN, TAUGHT] });
  const book = lessonBook(join(folder, 'lessons'), false);
  const before = await runRemote(folder, { lessons: book });
  const corpus = before.rows[0]?.corpus as Digest;
  told = {
    format: 'lesson-fingerprint@1',
    stage: 'reader',
    failure: 'misread',
    error_code: null,
    strategy: null,
    scope: { corpus, subjects: ['Ada'], asks: 'where' },
  };
  const events = ['night-1', 'night-2'].map((night, day) => failure(day, trial(night, 'small/q1', { corpus }), told));
  await mkdir(join(folder, 'lessons'));
  await writeFile(join(folder, 'lessons', LOG_FILE), events.map((event) => `${canonicalJson(event)}\n`).join(''));
  run = await runRemote(folder, { lessons: book });
});
afterAll(async () => {
  await server.close();
  await remove();
});

const rowOf = (arm: string) => run.rows.find((row) => row.arm === arm && row.question === 'small/q1') ?? expect.fail();

/** The contexts that the reader was shown for the question: before each search, and for its answer. */
async function contextsOf(arm: string): Promise<(readonly string[])[]> {
  const row = rowOf(arm);
  const requests = [...row.searches.map(({ request }) => request), row.request as string];
  return Promise.all(
    requests.map(async (request) => {
      const file = join(run.result.path, 'requests', `${request.replace(':', '-')}.json`);
      return (userMessage(JSON.parse(await readFile(file, 'utf8'))) as unknown as DeliberateMessage).context;
    }),
  );
}

describe('a deliberate reader with lessons', () => {
  it('LE-6 RT-8 is shown the lesson before its first search, and once in every request after, before the notes', async () => {
    expect(run.result.status, JSON.stringify(run.result.problems)).toBe('complete');
    const [taught, plain] = [await contextsOf('taught'), await contextsOf('plain')];
    expect(taught).toHaveLength(3);
    expect(plain[0]).toEqual([]);
    expect(plain.flat().join('\n')).not.toContain('[lesson]');
    for (const [place, context] of taught.entries()) {
      expect(context[0]).toMatch(/^\[lesson\] Earlier questions that ask where about Ada were answered wrongly: /);
      expect(context.slice(1)).toEqual(plain[place]);
    }
  });

  it('LE-6 RT-8 its row lists the lesson, and a search counts the notes that it found alone', () => {
    const [taught, plain] = [rowOf('taught'), rowOf('plain')];
    expect([taught.lessons, plain.lessons]).toEqual([[lessonOf(told)], []]);
    expect(taught.searches.map(({ new_lines }) => new_lines)).toEqual(plain.searches.map(({ new_lines }) => new_lines));
    expect(taught.context?.included).toEqual(plain.context?.included);
    expect(run.result.lessons?.in_sample).toEqual([{ fixture: 'small', questions: ['small/q1'] }]);
  });
});
