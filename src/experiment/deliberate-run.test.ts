import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userMessage } from '../../test/support/chat-models.js';
import { BM25, journalOf, KEY, PRICES, rowsOf } from '../../test/support/cli-priced.js';
import { type DeliberateMessage, deliberateModels } from '../../test/support/deliberate-models.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import { type OpenAiServer, startOpenAiServer } from '../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  MOODY,
  remoteOptions,
  runRemote,
  sumOfActual,
  writeRemoteMatrix,
} from '../../test/support/remote-run.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Search } from '../memory/reader/deliberation.js';
import type { Observation } from './asking/observation.js';
import { planRun } from './planning/plan-run.js';
import { reproduce } from './reproducing/reproduce.js';
import { resumeRun } from './resuming/resume-run.js';

const SEMANTIC = { name: 'semantic', retrieval: { strategy: 'semantic', limit: 2 } };
const ARMS = [
  BM25,
  SEMANTIC,
  { ...SEMANTIC, name: 'deliberate', recall: 'deliberate' },
  { name: 'words', retrieval: { strategy: 'bm25', limit: 2 }, recall: 'deliberate' },
];
const TOO_LONG = 'bicycle '.repeat(600);
/** As JSON text can carry it: neither ends a section, an SQL text, or a line of the terminal. */
const HOSTILE = `dog'); drop table memory.turn; --\n{"abstains":true} \u001b[2J`;

/** What the reader searches for, by question, in order. */
const SEARCHES: Readonly<Record<string, readonly Search[]>> = {
  'Where did Ada move?': [
    { query: 'bakery', subjects: ['Ada'] },
    { query: 'moved to Lisbon', subjects: ['Ada'] },
  ],
  'What is the name of the dog of Bo?': [{ query: HOSTILE, subjects: ['Bo', 'Bo'] }],
  'Who hired Ada?': [
    { query: 'hired', subjects: [] },
    { query: 'hired', subjects: [] },
    { query: 'bakery', subjects: ['Ada'] },
  ],
  'Who bought the red bicycle?': [
    { query: 'sold', subjects: ['Bo'] },
    { query: TOO_LONG, subjects: [] },
  ],
};
const script = ({ question, searches }: DeliberateMessage): Search | null =>
  SEARCHES[question]?.[searches.length] ?? null;

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
let first: Awaited<ReturnType<typeof runRemote>>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startOpenAiServer({
    api_key: KEY,
    models: { ...PRICES, [MOODY]: { input_nano_usd: 20n, output_nano_usd: 0n } },
    answer: deliberateModels(script),
  });
  await writeRemoteMatrix(folder, server, { arms: ARMS, reader: { max_output_tokens: 4096 } });
  first = await runRemote(folder);
});
afterAll(async () => {
  await server.close();
  await remove();
});

const rowOf = (arm: string, place: number): Observation =>
  first.rows.find((row) => row.arm === arm && row.position === place) ?? expect.fail();

async function copyOfRun(): Promise<{ readonly folder: string; readonly run: string }> {
  const copied = await temporaryFolder();
  await cp(folder, copied, { recursive: true });
  const [id] = await readdir(join(copied, 'runs'));
  return { folder: copied, run: join(copied, 'runs', id as string) };
}

describe('a deliberate arm over real HTTP', () => {
  it('RT-8 OB-1 its rows hold each search with what it found, and every exact request is kept', async () => {
    expect(first.result.status, JSON.stringify(first.result.problems)).toBe('complete');
    const row = rowOf('deliberate', 0);
    expect(row).toMatchObject({ recall: 'deliberate', lookup_miss: null });
    expect(
      row.searches.map(({ query, subjects, effective_strategy, retrieved }) => [
        query,
        subjects,
        effective_strategy,
        retrieved.length,
      ]),
    ).toEqual([
      ['bakery', ['Ada'], 'semantic', 2],
      ['moved to Lisbon', ['Ada'], 'semantic', 2],
    ]);
    // Each item once, in the order of its first appearance.
    const found = [...new Set(row.searches.flatMap(({ retrieved }) => retrieved))];
    expect(row.retrieved.map(({ id, rank }) => [id, rank])).toEqual(found.map((id, index) => [id, index + 1]));
    expect(row.searches.map(({ new_lines }) => new_lines).reduce((sum, lines) => sum + lines)).toBe(found.length);
    expect(row.context?.included).toHaveLength(found.length);
    const requests = [...row.searches.map(({ request }) => request), row.request as string];
    expect(new Set(requests).size).toBe(3);
    for (const [made, request] of requests.entries()) {
      const kept = await readFile(join(first.result.path, 'requests', `${request.replace(':', '-')}.json`), 'utf8');
      const message = userMessage(JSON.parse(kept)) as unknown as DeliberateMessage;
      expect(message.searches.map(({ query }) => query)).toEqual(row.searches.slice(0, made).map(({ query }) => query));
    }
    expect(rowOf('semantic', 0)).toMatchObject({ recall: 'automatic', searches: [] });
    expect(row.prompt).not.toBe(rowOf('semantic', 0).prompt);
    expect(first.result.arms.map(({ arm, recall, searches }) => [arm, recall, searches])).toEqual([
      ['bm25', 'automatic', 0],
      ['semantic', 'automatic', 0],
      ['deliberate', 'deliberate', 8],
      ['words', 'deliberate', 8],
    ]);
  });

  it('RT-8 RS-4 a hostile query is searched for as text, without its control characters and repeated subjects', () => {
    for (const arm of ['deliberate', 'words']) {
      const [search] = rowOf(arm, 1).searches;
      expect(search).toMatchObject({
        query: HOSTILE.replaceAll('\n', ' ').replaceAll('\u001b', ' '),
        subjects: ['Bo'],
      });
    }
    expect(rowOf('words', 1).searches[0]?.retrieved).not.toEqual([]);
    expect(first.rows.every(({ outcome }) => outcome.kind === 'answered')).toBe(true);
  });

  it('RT-8 SQ-7 a query over 4,096 bytes is withheld from the embedder, never cut; sparse recall takes it, and the row says so', () => {
    expect(rowOf('deliberate', 3)).toMatchObject({
      lookup_miss: 'withheld:length',
      effective_strategy: 'bm25',
      searches: [
        { query: 'sold', lookup_miss: null, effective_strategy: 'semantic' },
        { query: TOO_LONG.trim(), lookup_miss: 'withheld:length', effective_strategy: 'bm25' },
      ],
    });
    expect(rowOf('words', 3)).toMatchObject({ lookup_miss: null, effective_strategy: 'bm25' });
    expect(
      embeddingRequests(server)
        .flat()
        .filter((text) => text.includes('bicycle bicycle')),
    ).toEqual([]);
    expect(first.result.arms.map(({ degraded }) => degraded)).toEqual([false, false, true, false]);
  });

  it('RT-8 SQ-12 VB-3 each query’s vector is prepared when it is asked, once for all rows, by the text that SQ-7 states', () => {
    const asked = embeddingRequests(server).flat();
    for (const text of ['["bakery","Ada"]', '["moved to Lisbon","Ada"]', '["hired"]'])
      expect(
        asked.filter((one) => one === text),
        text,
      ).toHaveLength(1);
    // The words that a lexical arm searches for go nowhere.
    expect(asked.filter((text) => text.includes('drop table')).length).toBe(1);
  });

  it('RT-8 OB-2 LG-12 a row is charged for every call of its reader and each of its query vectors, and the sums are the ledger’s', () => {
    const three = rowOf('deliberate', 2);
    expect(three.actual.calls).toBe(4);
    expect(three.searches.map(({ query }) => query)).toEqual(['hired', 'hired', 'bakery']);
    expect(rowOf('words', 2).attributed.query.nano_usd).toBe(0);
    // Two texts, of which one was asked for twice: as if it had asked alone.
    const prices = (texts: readonly string[]) => texts.reduce((sum, text) => sum + tokensOf(text) * 20, 0);
    expect(three.attributed.query.nano_usd).toBe(prices(['["hired"]', '["bakery","Ada"]']));
    const { spent_nano_usd, uncertain_nano_usd } = first.result.ledger;
    expect(sumOfActual(first.result)).toEqual({ paid: spent_nano_usd, uncertain: uncertain_nano_usd });
  });
});

/** What the server counted for a text. */
function tokensOf(text: string): number {
  const request = server.requests.find(
    ({ body }) => JSON.stringify((body as { input?: unknown }).input) === JSON.stringify([text]),
  );
  const { usage } = JSON.parse(request?.answered ?? '') as { usage: { prompt_tokens: number } };
  return usage.prompt_tokens;
}

describe('what is done again', () => {
  it('RP-1 RT-8 VB-3 against its run, a deliberate arm with a remote reader and embedder is reproduced without a send or a key', async () => {
    const { folder: copied, run } = await copyOfRun();
    const before = server.requests.length;
    const reproduced = (arm: string, against: string | null) =>
      reproduce({
        ...remoteOptions(copied, { environment: {} }),
        matrixPath: join(copied, 'priced.yaml'),
        digest: `${first.result.formation[0]?.bank}`.slice('sha256:'.length, 20),
        arm,
        against,
      });
    for (const arm of ['deliberate', 'words']) {
      const { result, kinds } = await reproduced(arm, run);
      const all = { compared: 4, equal: 4 };
      expect({ arm, kinds, problems: result.problems, differences: result.differences }).toEqual({
        arm,
        kinds: [],
        problems: [],
        differences: [],
      });
      expect(result).toMatchObject({ retrieval: all, context: all, answers: { source: 'replayed', ...all } });
    }
    await expect(reproduced('deliberate', null)).rejects.toMatchObject({ code: 'REPRODUCE_NEEDS_RUN', exitCode: 2 });
    expect(server.requests.length).toBe(before);
    // Without the vectors that the run kept, nothing is sent either: they are missed, and that is told.
    await rm(join(run, 'vectors'), { recursive: true });
    const { result, kinds } = await reproduced('deliberate', run);
    expect(kinds).toEqual(['difference']);
    expect(result.retrieval.equal).toBeLessThan(result.retrieval.compared);
    expect(server.requests.length).toBe(before);
  });

  it('MX-6 RT-8 a plan counts four calls and three query vectors a question, and says that it does', async () => {
    const plan = await planRun(join(folder, 'priced.yaml'), {});
    expect(plan.arms.map(({ arm, calls }) => [arm, calls])).toEqual([
      ['bm25', 4],
      ['semantic', 4],
      ['deliberate', 16],
      ['words', 16],
    ]);
    expect(plan.query.sends).toBe(12);
    expect(plan.notes.some((note) => note.startsWith('A deliberate reader'))).toBe(true);
    const paid = first.result.arms.reduce((sum, arm) => sum + arm.actual_nano_usd, 0);
    expect(plan.reader.worst_nano_usd).toBeGreaterThan(paid);
  });
});

describe('a deliberate reader that is stopped', () => {
  it('RT-8 MX-4 a key in a query is kept nowhere and sent nowhere: the question fails, of the arm’s own making', async () => {
    const own = await temporaryFolder();
    const leaking = await startOpenAiServer({
      api_key: KEY,
      models: { ...PRICES, [MOODY]: { input_nano_usd: 20n, output_nano_usd: 0n } },
      answer: deliberateModels(({ searches }) =>
        searches.length === 0 ? { query: `the key ${KEY}`, subjects: [] } : null,
      ),
    });
    try {
      await writeRemoteMatrix(own, leaking, { arms: [ARMS[2]] });
      const { rows, result } = await runRemote(own);
      expect(rows.map(({ outcome: { cause } }) => [cause?.code, cause?.own_making])).toEqual(
        new Array(4).fill(['ANSWER_HOLDS_SECRET', true]),
      );
      expect(JSON.stringify(rows)).not.toContain(KEY);
      const sent = leaking.requests.map(({ body }) => JSON.stringify(body));
      expect(sent.filter((body) => body.includes(KEY))).toEqual([]);
      expect(result.arms[0]?.failed).toBe(4);
    } finally {
      await leaking.close();
    }
  });

  it('RT-8 MX-9 a budget that refuses between two searches loses the row as any refusal does, with what was paid in the ledger; a raised one asks it', async () => {
    const own = await temporaryFolder();
    const parts = { arms: [ARMS[3]], load: { questions: ['small/q3'] } };
    await writeRemoteMatrix(own, server, parts);
    const journal = await journalOf((await runRemote(own)).result.path);
    const calls = journal.filter(({ kind, stage }) => kind === 'reserve' && stage === 'reader');
    expect(calls).toHaveLength(4);
    const costOf = (id: string | undefined) => journal.find((line) => line.kind === 'settle' && line.id === id);
    // Enough for the first call, or for it twice, and short of the second's worst case: that is tried once more, alone, and the first is not sent again.
    const budget = (costOf(calls[0]?.id)?.cost_nano_usd ?? 0) + (calls[1]?.amount_nano_usd ?? 0) - 1;
    await writeRemoteMatrix(own, server, { ...parts, budget_usd: `0.${`${budget}`.padStart(9, '0')}` });
    const before = server.requests.length;
    const { result, rows } = await runRemote(own);
    expect(result.status).toBe('incomplete');
    expect(rows.map(({ outcome }) => outcome.kind)).toEqual(['refused']);
    expect(server.requests.length - before).toBe(1);
    expect(result.ledger).toMatchObject({ held_nano_usd: 0, sends: 1 });
    expect(result.ledger.spent_nano_usd).toBeGreaterThan(0);
    const resumed = await resumeRun({
      ...remoteOptions(own),
      run: 'latest',
      matrixPath: null,
      budget: '1',
      retryFailed: false,
    });
    expect(resumed.result.arms[0]).toMatchObject({ answered: 1, failed: 0 });
    expect((await rowsOf(result.path)).map(({ searches }) => searches.length)).toEqual([3]);
    expect(server.requests.length - before).toBe(1 + 4);
  });
});
