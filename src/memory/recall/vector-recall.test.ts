import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { ADA, ask, BOB, RecallStore, SIGNAL } from '../../../test/support/recall-store.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import type { ItemVectors, Recall, RecallMode, RecallUnit, Strategy } from '../memory.js';
import type { LookupMiss, SemanticQuery, SemanticQueryLookup } from '../query-preparation/query-preparation.js';
import { openRecall } from './open-recall.js';
import { recallMigrations } from './recall-migrations.js';

const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()]);

// Two dimensions that a test can see through: birds and music.
const vectorOf = (text: string): Float32Array =>
  Float32Array.of((text.match(/parrot|bird|wings/g) ?? []).length, (text.match(/violin|music/g) ?? []).length);

class Vectors implements ItemVectors {
  readonly asked: string[] = [];
  async vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.asked.push(...texts);
    return texts.map(vectorOf);
  }
}

const found = (text: string): SemanticQueryLookup => ({ lookup: () => ({ vector: vectorOf(text), miss: null }) });
const missing = (miss: LookupMiss): SemanticQueryLookup => ({ lookup: () => ({ vector: null, miss }) });

async function filled(): Promise<RecallStore> {
  const store = new RecallStore(database());
  const at = '2024-01-01T09:00:00';
  await store.turns(ADA, [
    { id: 't1', at, speaker: 'Mia', text: 'Something with wings.' },
    { id: 't2', at, speaker: 'Mia', text: 'My violin is new.' },
    { id: 't3', at: '2024-03-01T09:00:00', speaker: 'Leo', text: 'A bird sang.', sensitivity: 'restricted' },
  ]);
  await store.beliefs(ADA, [
    { id: 'b1', at, statement: 'Mia keeps a bird.', subjects: ['Mia'], sources: ['t1'] },
    { id: 'b2', at, statement: 'Mia plays music.', subjects: ['Mia'], sources: ['t2'] },
    {
      id: 'b3',
      at: '2024-03-01T09:00:00',
      statement: 'Mia sold her wings.',
      subjects: ['Mia'],
      sources: ['t2'],
      supersedes: ['b1'],
    },
  ]);
  await store.turns(BOB, [{ id: 't1', at, speaker: 'Bob', text: 'parrot parrot' }]);
  return store;
}

const open = (
  store: RecallStore,
  strategy: Strategy,
  unit: RecallUnit,
  lookup: SemanticQueryLookup,
  vectors: ItemVectors | null = new Vectors(),
  mode: RecallMode = { name: 'standard' },
): Promise<Recall> =>
  openRecall(store.database.runtime, { strategy, unit, limit: 10, mode }, ADA, vectors, lookup, SIGNAL);

describe('RT-1 semantic and hybrid', () => {
  it('RT-1 semantic ranks by meaning and not by words, over what the owner may read as of the question', async () => {
    const store = await filled();
    const vectors = new Vectors();
    const recall = await open(store, 'semantic', 'turns', found('parrot'), vectors);
    const result = await recall.recall(ask('Does she have a pet?'), SIGNAL);
    expect(result).toMatchObject({ effective_strategy: 'semantic', lookup_miss: null });
    expect(result.items.map(({ id, score }) => [id, score])).toEqual([
      ['t1', 1],
      ['t3', 1],
      ['t2', 0],
    ]);
    const ids = async (query: ReturnType<typeof ask>) =>
      (await recall.recall(query, SIGNAL)).items.map((item) => item.id);
    expect(await ids(ask('x', { at: '2024-02-01T00:00:00' }))).toEqual(['t1', 't2']);
    expect(await ids(ask('x', { read_ceiling: 'confidential' }))).toEqual(['t1', 't2']);
    // Embedded once, as they are indexed, in store order; nothing of the other owner.
    expect(vectors.asked).toEqual(['Mia: Something with wings.', 'Mia: My violin is new.', 'Leo: A bird sang.']);
  });

  it('FX-7 beliefs: what was superseded later is found for a question before that', async () => {
    const store = await filled();
    const recall = await open(store, 'semantic', 'beliefs', found('bird'));
    const ids = async (at?: string) =>
      (await recall.recall(ask('x', at === undefined ? {} : { at }), SIGNAL)).items.map((item) => item.id);
    expect(await ids('2024-02-01T00:00:00')).toEqual(['b1', 'b2']);
    expect(await ids()).toEqual(['b3', 'b2']);
  });

  it('RT-1 hybrid fuses the BM25 and the semantic ranking', async () => {
    const store = await filled();
    const recall = await open(store, 'hybrid', 'turns', found('bird'));
    const result = await recall.recall(ask('new violin'), SIGNAL);
    expect(result.effective_strategy).toBe('hybrid');
    // t2: first of BM25, third of semantic: 1/61 + 1/63; t1 and t3: 1/61 and 1/62 of semantic alone.
    expect(result.items.map(({ id, score }) => [id, score])).toEqual([
      ['t2', 0.032266],
      ['t1', 0.016393],
      ['t3', 0.016129],
    ]);
  });

  it.each(['semantic', 'hybrid'] as const)(
    'SQ-1 %s: a miss keeps sparse recall, and says so with its cause',
    async (strategy) => {
      const store = await filled();
      for (const miss of ['unprepared', 'expired', 'off'] as const) {
        const recall = await open(store, strategy, 'turns', missing(miss));
        const result = await recall.recall(ask('new violin'), SIGNAL);
        expect(result).toMatchObject({ effective_strategy: 'bm25', lookup_miss: miss });
        expect(result.items.map((item) => item.id)).toEqual(['t2']);
      }
      const off = await open(store, strategy, 'turns', missing('off'), null);
      expect((await off.recall(ask('violin'), SIGNAL)).items).toHaveLength(1);
    },
  );

  it('SQ-5 RT-3 a hit is no evidence that a source is visible: corrected and erased turns are read anew', async () => {
    const store = await filled();
    const vectors = new Vectors();
    const recall = await open(store, 'semantic', 'turns', found('violin'), vectors);
    const best = async () => (await recall.recall(ask('x'), SIGNAL)).items[0];
    expect(await best()).toMatchObject({ id: 't2', score: 1 });
    await store.correct(ADA, 't2', 'My drum is new.');
    await store.correct(ADA, 't1', 'Something with music.');
    expect(await best()).toMatchObject({ id: 't1', score: 1, text: 'Something with music.' });
    expect(vectors.asked.slice(3)).toEqual(['Mia: Something with music.', 'Mia: My drum is new.']);
    await store.erase(ADA, 't1');
    const { items } = await recall.recall(ask('x'), SIGNAL);
    expect(items.map((item) => item.id).sort()).toEqual(['t2', 't3']);
  });

  it('SQ-3 the lookup sees the complete recall query and no label', async () => {
    const store = await filled();
    const seen: SemanticQuery[] = [];
    const lookup: SemanticQueryLookup = {
      lookup: (query) => {
        seen.push(query);
        return { vector: null, miss: 'off' };
      },
    };
    const recall = await open(store, 'semantic', 'turns', lookup);
    await recall.recall(ask('Does Mia?', { read_ceiling: 'internal' }), SIGNAL);
    expect(seen).toEqual([
      {
        owner: ADA,
        scope: 'standard',
        candidates: 'permitted',
        read_ceiling: 'internal',
        question: 'Does Mia?',
        subjects: [],
      },
    ]);
  });

  it.each(['core', 'historical', 'people'] as const)(
    'SQ-6 RT-1 mode %s is asked for as such: an ineligible lookup keeps sparse recall, within the mode',
    async (name) => {
      const store = await filled();
      const scopes: string[] = [];
      const lookup: SemanticQueryLookup = {
        lookup: ({ scope }) => {
          scopes.push(scope);
          return { vector: null, miss: 'ineligible:scope' };
        },
      };
      const modes = { core: { name, size: 1 }, historical: { name, as_of: 'question' }, people: { name } } as const;
      const recall = await open(store, 'hybrid', 'turns', lookup, undefined, modes[name] as RecallMode);
      const found = await recall.recall(ask('Does Mia?'), SIGNAL);
      expect(found).toMatchObject({ effective_strategy: 'bm25', lookup_miss: 'ineligible:scope' });
      expect(scopes).toEqual([name]);
      if (name !== 'historical') expect(found.items).toEqual([]);
    },
  );
});
