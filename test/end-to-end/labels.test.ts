import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { SLOW_TEST_MS } from '../support/cli.js';
import {
  BM25,
  type FinishedRun,
  RECENCY,
  run,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import { deliberateModels } from '../support/deliberate-models.js';
import type { OpenAiServer } from '../support/openai-server/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS });

/* FX-3: what a label can reach. Every label is moved to another question; the server compares what it was sent, byte for byte. */

const LABEL_FIELDS = ['expected', 'category', 'evidence', 'answerable'] as const;
const EVIDENCE = { name: 'evidence', retrieval: { strategy: 'evidence', unit: 'turns' } };
const ALL = [
  BM25,
  RECENCY,
  { name: 'none', retrieval: { strategy: 'none' } },
  { name: 'full-history', retrieval: { strategy: 'full-history', unit: 'turns' } },
  { name: 'full-text', retrieval: { strategy: 'full-text', limit: 5 } },
  { name: 'semantic', retrieval: { strategy: 'semantic', limit: 5 } },
  { name: 'hybrid', retrieval: { strategy: 'hybrid', unit: 'turns', limit: 5 } },
  { name: 'deliberate', retrieval: { strategy: 'bm25', limit: 5 }, recall: 'deliberate' },
];
/** A reader that searches once, for the question itself. */
const models = deliberateModels(({ question, searches }) =>
  searches.length === 0 ? { query: question, subjects: [] } : null,
);
const QUESTIONS = [
  { question: 'Where did Ada move?', expected: ['Lisbon'], evidence: ['S1:1'], category: 'single-hop' },
  { question: 'What is the dog of Bo called?', expected: ['Pepper'], evidence: ['S1:2'], category: 'multi-hop' },
  { question: 'What colour is the boat?', expected: [], evidence: [], category: 'unanswerable' },
  {
    question: 'Who bought the red bicycle?',
    expected: ['I sold the red bicycle to Milo.'],
    evidence: ['S2:2'],
    category: 'temporal',
  },
];

const servers: OpenAiServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Line = Record<string, unknown>;

/** Rewrites the questions of a fixture. */
async function editQuestions(fixture: string, edit: (lines: readonly Line[]) => readonly Line[]): Promise<void> {
  const path = join(fixture, 'questions.jsonl');
  const lines = (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  await writeFile(
    path,
    edit(lines)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
}

/** Each question gets the labels of the next. */
function moved(lines: readonly Line[], fields: readonly string[] = LABEL_FIELDS): Line[] {
  return lines.map((line, index) => {
    const giver = lines[(index + 1) % lines.length] as Line;
    return { ...line, ...Object.fromEntries(fields.map((field) => [field, giver[field]])) };
  });
}

/** A run of its own: its own server, banks and folder; everything that the server was sent, in order. */
async function runFresh(arms: readonly unknown[], edit: (lines: readonly Line[]) => readonly Line[]) {
  const folder = await temporaryFolder();
  const server = await startPricedServer({ answer: models });
  servers.push(server);
  const fixture = await writeFixture(folder, 'small', undefined, QUESTIONS);
  await editQuestions(fixture, edit);
  const matrix = await writeMatrix(folder, { url: server.url, fixtures: [fixture], arms, concurrency: 1 });
  const done = await run(folder, matrix);
  expect(done.code, done.stderr).toBe(0);
  return { done, sent: server.requests.map(({ raw }) => raw.toString('utf8')) };
}

/** Scores by question and arm. */
function scores({ rows }: FinishedRun): string[] {
  return rows.map((row) => `${row.arm} ${row.question} ${JSON.stringify(row.scores)}`);
}

it('FX-3 every label of every question moved: the same bytes are sent, in the same order, and only the scores change', async () => {
  const [plain, shuffled] = await Promise.all([
    runFresh(ALL, (lines) => lines),
    runFresh(ALL, (lines) => moved(lines)),
  ]);
  expect(plain.sent).toHaveLength(2 + (ALL.length + 1) * QUESTIONS.length);
  expect(shuffled.sent).toEqual(plain.sent);
  // No label text stands in a request that does not come from the history.
  expect(plain.sent.filter((body) => /unanswerable|multi-hop|evidence|expected/.test(body))).toEqual([]);
  // The labels do reach the scorers.
  expect(scores(shuffled.done)).not.toEqual(scores(plain.done));
  expect(shuffled.done.rows.map(({ category }) => category)).not.toEqual(
    plain.done.rows.map(({ category }) => category),
  );
  expect(shuffled.done.rows[0]?.labels).not.toBe(plain.done.rows[0]?.labels);
  // What labels cannot change: state, retrieval, context, answer.
  for (const row of plain.done.rows) expect(row.oracle).toBe(false);
  const blind = ({ done }: typeof plain) =>
    done.rows.map(({ arm, question, state, retrieved, context, answer, request, load, bank }) => ({
      arm,
      question,
      state,
      retrieved,
      context,
      answer,
      request,
      load,
      isBanked: bank !== null,
    }));
  expect(blind(shuffled)).toEqual(blind(plain));
});

it('FX-3 the evidence arm is an oracle: evidence ids alone change its bytes, and its rows say so', async () => {
  const [plain, others, evidence] = await Promise.all([
    runFresh([EVIDENCE], (lines) => lines),
    runFresh([EVIDENCE], (lines) => moved(lines, ['expected', 'category', 'answerable'])),
    runFresh([EVIDENCE], (lines) => moved(lines, ['evidence'])),
  ]);
  expect(others.sent).toEqual(plain.sent);
  expect(scores(others.done)).not.toEqual(scores(plain.done));
  // Formation alone is the same; each question's context is the next one's.
  expect(evidence.sent.slice(0, 2)).toEqual(plain.sent.slice(0, 2));
  expect(evidence.sent.slice(2)).not.toEqual(plain.sent.slice(2));
  const turns = ({ done }: typeof plain) =>
    done.rows.map(({ retrieved }) => retrieved.flatMap(({ sources }) => sources));
  expect(turns(plain)).toEqual([['S1:1'], ['S1:2'], [], ['S2:2']]);
  expect(turns(evidence)).toEqual([['S1:2'], [], ['S2:2'], ['S1:1']]);
  for (const { done } of [plain, others, evidence]) {
    for (const row of done.rows) expect(row.oracle).toBe(true);
    expect(done.result.arms[0]).toMatchObject({ oracle: true, reference: true });
  }
});
