import { expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { ADA, ask, RecallStore, SIGNAL } from '../../../test/support/recall-store.js';
import { manualClock } from '../../core/clock.js';
import { digestText } from '../../core/digest.js';
import type { CompletionProvider } from '../../provider/completion.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../../provider/embedding.js';
import { NO_USAGE } from '../../provider/usage.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import { createContextAssembler } from '../context/context-assembler.js';
import type { Recall, RecallQuery } from '../memory.js';
import type { SemanticQuery } from '../query-preparation/query-preparation.js';
import { createQueryPreparer } from '../query-preparation/query-preparer.js';
import { createDeliberateReader } from '../reader/create-deliberate-reader.js';
import type { SearchedMemory, ToldSearch } from '../reader/deliberation.js';
import { mergeFound } from './found-items.js';
import { openRecall } from './open-recall.js';
import { recallMigrations } from './recall-migrations.js';

const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()]);

/** One dimension for boats and one for pets, that a test can see through. */
const vectorOf = (text: string): Float32Array =>
  Float32Array.of((text.match(/boat|vessel/g) ?? []).length, (text.match(/dog|pet/g) ?? []).length);
const TUPLE: EmbeddingTuple = { kind: 'local', endpoint: 'in-process', model: 'm', dimensions: 2 };

/** A store in which Tavish takes out a boat that is not his, its recall, and the real preparer, whose requests are counted. */
async function setUp() {
  const store = new RecallStore(database());
  const at = '2024-01-01T09:00:00';
  await store.turns(ADA, [
    { id: 't1', at, speaker: 'Tavish', text: 'The boat is cousin Ottilie’s.' },
    { id: 't2', at, speaker: 'Tavish', text: 'My dog snores.' },
  ]);
  await store.beliefs(ADA, [
    { id: 'b1', at, statement: 'The boat is Ottilie’s.', subjects: ['Tavish'], sources: ['t1'] },
    { id: 'b2', at, statement: 'Tavish has a dog.', subjects: ['Tavish'], sources: ['t2'] },
  ]);
  const requests: (readonly string[])[] = [];
  const provider: EmbeddingProvider = {
    tuple: TUPLE,
    embed: async (texts) => {
      requests.push(texts);
      return { vectors: texts.map(vectorOf), reported_model: 'm', usage: null };
    },
  };
  const context = {
    policy_version: 'facts@1',
    retrieval_policy_version: 'recall@1',
    surface: 's',
    task: digestText('task'),
    sensitivity_floor: 'internal',
    embedding: TUPLE,
    pricing: digestText('pricing'),
    egress: { leaves_process: false, region: null, residency: null },
  } as const;
  const preparer = createQueryPreparer({ owner: ADA, provider, context, clock: manualClock() });
  const recall = await openRecall(
    store.database.runtime,
    { strategy: 'semantic', unit: 'beliefs', limit: 1, mode: { name: 'standard' } },
    ADA,
    { vectorsOf: async (texts) => texts.map(vectorOf) },
    preparer,
    SIGNAL,
  );
  return { store, recall, preparer, requests };
}

const semantic = ({ owner, read_ceiling, question }: RecallQuery): SemanticQuery => ({
  owner,
  scope: 'standard',
  candidates: 'permitted',
  read_ceiling,
  question: question.question,
  subjects: question.subjects,
});

const QUESTION = ask('Does he own a vessel?');

it('SQ-12 SQ-5 RT-3 automatic recall uses the prepared vector, and on a later recall with the same one the corrected source’s belief is gone', async () => {
  const { store, recall, preparer, requests } = await setUp();
  await preparer.prepare([semantic(QUESTION)], SIGNAL);
  const found = async () => {
    const { effective_strategy, lookup_miss, items } = await recall.recall(QUESTION, SIGNAL);
    return { effective_strategy, lookup_miss, texts: items.map(({ text }) => text) };
  };
  const prepared = { effective_strategy: 'semantic', lookup_miss: null };
  expect(await found()).toEqual({ ...prepared, texts: ['The boat is Ottilie’s.'] });
  await store.correct(ADA, 't1', 'The boat is mine now.');
  expect(await found()).toEqual({ ...prepared, texts: ['Tavish has a dog.'] });
  await store.erase(ADA, 't2');
  expect(await found()).toEqual({ ...prepared, texts: [] });
  // The vector was prepared once, and no correction touched it.
  expect(requests).toEqual([['["Does he own a vessel?"]']]);
});

it('SQ-12 RT-8 RT-3 deliberate recall uses vectors that are prepared when it asks, and a source corrected since is gone from its later recall', async () => {
  const { store, recall, preparer, requests } = await setUp();
  const read = async (): Promise<readonly string[]> => {
    const memory = searchedMemory(recall, async (query) => {
      await preparer.prepare([semantic(query)], SIGNAL);
    });
    await createDeliberateReader(SETTINGS).read(QUESTION.question, memory, askingOnce(), SIGNAL);
    expect(memory.misses).toEqual([null]);
    return memory.context.lines;
  };
  expect(await read()).toEqual([expect.stringContaining('The boat is Ottilie’s.')]);
  await store.correct(ADA, 't1', 'The boat is mine now.');
  expect(await read()).toEqual([expect.stringContaining('Tavish has a dog.')]);
  // Both asked for one text: the second time its vector was in the cache.
  expect(requests).toEqual([['["vessel owner","Tavish"]']]);
});

const SETTINGS = {
  prompt: { name: 'p', text: 'Answer.', digest: digestText('Answer.') },
  model: {
    kind: 'openai',
    wire_api: 'chat-completions',
    endpoint: 'e',
    model: 'm',
    resolved_at: '2026-01-01T00:00:00.000Z',
    credential_ref: null,
  },
  parameters: { max_output_tokens: 64, temperature: 0, top_p: null, seed: null, reasoning_effort: null },
  fixture: 'f',
} as const;

/** A reader that searches once, and abstains. */
function askingOnce(): CompletionProvider {
  const says = [{ query: 'vessel owner', subjects: ['Tavish'] }, null];
  return {
    complete: async () => {
      const search = says.shift() ?? null;
      const content = JSON.stringify({ abstains: search === null, answer: '', search });
      return { contents: [content], finish: 'stop', tool_calls: 0, reported_model: 'm', usage: NO_USAGE };
    },
  };
}

function searchedMemory(recall: Recall, prepare: (query: RecallQuery) => Promise<void>) {
  const assembler = createContextAssembler((text) => text.length);
  const searches: ToldSearch[] = [];
  const misses: (string | null)[] = [];
  let items: Parameters<typeof mergeFound>[0] = [];
  const memory: SearchedMemory = {
    searches,
    get context() {
      return assembler.assemble(items, null);
    },
    search: async ({ query, subjects }) => {
      const asked = { ...QUESTION, question: { ...QUESTION.question, question: query, subjects } };
      await prepare(asked);
      const found = await recall.recall(asked, SIGNAL);
      items = mergeFound(items, found.items);
      misses.push(found.lookup_miss);
      searches.push({ query, subjects, new_lines: found.items.length });
    },
  };
  return Object.defineProperties(memory, { misses: { value: misses } }) as SearchedMemory & {
    readonly misses: typeof misses;
  };
}
