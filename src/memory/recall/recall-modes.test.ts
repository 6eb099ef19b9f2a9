import { beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { ADA, ask, BOB, emptyStore, RecallStore } from '../../../test/support/recall-store.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import type { RecallMode, RecallSettings, RecallUnit, Strategy } from '../memory.js';
import { recallMigrations } from './recall-migrations.js';

const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()], { per: 'suite' });
beforeEach(() => emptyStore(database()));

/** Every strategy that a mode can have, none of which searches vectors. */
const STRATEGIES: readonly Strategy[] = ['full-history', 'recency', 'full-text', 'bm25'];

function settings(
  mode: RecallMode,
  strategy: Strategy = 'full-history',
  unit: RecallUnit = 'beliefs',
  limit = 50,
): RecallSettings {
  return { strategy, unit, limit: strategy === 'full-history' ? null : limit, mode };
}

/**
 * A flat in a town, moved from twice. b1 rests on two turns, b3 on three; b4 is confidential. Wanda is known as Wanda and, from t5 on, as
 * Wan; nobody but Ada and Leo speaks. Every text holds the word `flat`, so that each strategy finds all that a mode lets it.
 */
async function filled(): Promise<RecallStore> {
  const store = new RecallStore(database());
  await store.turns(ADA, [
    { id: 't1', at: '2024-01-01T09:00:00', speaker: 'Leo', text: 'My flat is in Leeds.' },
    { id: 't2', at: '2024-01-02T09:00:00', speaker: 'Leo', text: 'The flat in Leeds is small.' },
    { id: 't3', at: '2024-02-01T09:00:00', speaker: 'Leo', text: 'My new flat is in Antwerp.' },
    { id: 't4', at: '2024-03-01T09:00:00', speaker: 'Ada', text: 'Wanda has a flat above the mill.' },
    { id: 't5', at: '2024-04-01T09:00:00', speaker: 'Ada', text: 'Wan, as we call Wanda, sold the flat.' },
    { id: 't6', at: '2024-04-02T09:00:00', speaker: 'Ada', text: 'The flat has mice.', sensitivity: 'confidential' },
  ]);
  await store.beliefs(ADA, [
    {
      id: 'b1',
      at: '2024-01-02T09:00:00',
      statement: 'Leo has a flat in Leeds.',
      subjects: ['Leo'],
      sources: ['t1', 't2'],
    },
    {
      id: 'b2',
      at: '2024-02-01T09:00:00',
      statement: 'Leo has a flat in Antwerp.',
      subjects: ['Leo'],
      sources: ['t3'],
      supersedes: ['b1'],
    },
    {
      id: 'b3',
      at: '2024-04-01T09:00:00',
      statement: 'Wanda sold a flat.',
      subjects: ['Wanda'],
      sources: ['t4', 't5', 't3'],
    },
    {
      id: 'b4',
      at: '2024-04-02T09:00:00',
      statement: 'The flat of Wan has mice.',
      subjects: ['Wan'],
      sources: ['t6'],
      sensitivity: 'confidential',
    },
    {
      id: 'b5',
      at: '2024-04-01T09:00:00',
      statement: 'A flat is small.',
      subjects: ['Ada'],
      sources: ['t2'],
      confidence: 0.95,
    },
  ]);
  await store.people(ADA, [
    {
      id: 'p1',
      name: 'Wanda',
      given: [
        { turn: 't4', names: ['Wanda'] },
        { turn: 't5', names: ['Wanda', 'Wan'] },
      ],
    },
  ]);
  await store.turns(BOB, [{ id: 't1', at: '2024-01-01T09:00:00', speaker: 'Leo', text: 'A flat of another owner.' }]);
  await store.beliefs(BOB, [
    {
      id: 'b9',
      at: '2024-01-01T09:00:00',
      statement: 'Leo hides a flat.',
      subjects: ['Leo', 'Wanda'],
      sources: ['t1'],
    },
  ]);
  return store;
}

const sorted = async (ids: Promise<string[]>): Promise<string[]> => (await ids).sort();

describe('RT-1 historical', () => {
  const historical: RecallMode = { name: 'historical', as_of: 'question' };

  it.each(STRATEGIES)(
    'RT-1 FX-7 %s finds superseded beliefs too, and none later than the question',
    async (strategy) => {
      const store = await filled();
      const ids = (at?: string) =>
        sorted(store.ids(settings(historical, strategy), ask('flat', at === undefined ? {} : { at })));
      expect(await ids()).toEqual(['b1', 'b2', 'b3', 'b4', 'b5']);
      expect(await ids('2024-02-01T09:00:00')).toEqual(['b1', 'b2']);
      expect(await ids('2024-01-31T00:00:00')).toEqual(['b1']);
    },
  );

  it('RT-1 FX-7 a stated time bounds what is seen, and never lets a question see past its own', async () => {
    const store = await filled();
    const early: RecallMode = { name: 'historical', as_of: '2024-01-31T00:00:00' };
    const late: RecallMode = { name: 'historical', as_of: '2029-01-01T00:00:00' };
    expect(await store.ids(settings(early), ask('flat'))).toEqual(['b1']);
    expect(await store.ids(settings(late), ask('flat', { at: '2024-01-31T00:00:00' }))).toEqual(['b1']);
    expect(await store.ids(settings(early, 'full-history', 'turns'), ask('flat'))).toEqual(['t1', 't2']);
  });

  it('RT-3 FX-2 corrections, erasures and the ceiling hold', async () => {
    const store = await filled();
    await store.correct(ADA, 't1', 'My flat is in Bath.');
    await store.erase(ADA, 't3');
    // b1 cites t1 before its correction; b2 rested on t3 alone; b3 keeps two of its sources.
    expect(await store.ids(settings(historical), ask('flat', { read_ceiling: 'internal' }))).toEqual(['b3', 'b5']);
  });
});

describe('RT-1 core', () => {
  const core = (size: number): RecallMode => ({ name: 'core', size });
  const ids = (store: RecallStore, size: number, strategy: Strategy = 'full-history') =>
    sorted(store.ids(settings(core(size), strategy), ask('flat')));

  it('RT-1 RT-2 is the current beliefs of the most turns; of equals the surer, then the later, then the one stored first', async () => {
    const store = await filled();
    // Turns: b3 three, then b5 (0.95), b4 (April 2), b2 (February). b1 is superseded, whatever it rests on.
    expect(await ids(store, 1)).toEqual(['b3']);
    expect(await ids(store, 2)).toEqual(['b3', 'b5']);
    expect(await ids(store, 3)).toEqual(['b3', 'b4', 'b5']);
    expect(await ids(store, 9)).toEqual(['b2', 'b3', 'b4', 'b5']);
  });

  it.each(STRATEGIES)('RT-1 %s searches the core alone', async (strategy) => {
    expect(await ids(await filled(), 2, strategy)).toEqual(['b3', 'b5']);
  });

  it('RT-3 FX-7 is of what the question may see: its time, its ceiling, what was corrected or erased', async () => {
    const store = await filled();
    const early = ask('flat', { at: '2024-01-31T00:00:00' });
    expect(await store.ids(settings(core(1)), early)).toEqual(['b1']);
    const below = ask('flat', { read_ceiling: 'internal' });
    expect(await sorted(store.ids(settings(core(3)), below))).toEqual(['b2', 'b3', 'b5']);
    await store.correct(ADA, 't4', 'Wanda has no flat.');
    await store.erase(ADA, 't2');
    expect(await ids(store, 9)).toEqual(['b2', 'b4']);
  });
});

describe('RT-1 people', () => {
  const people: RecallMode = { name: 'people' };
  const about = (subjects: readonly string[], more: Parameters<typeof ask>[1] = {}) =>
    ask('flat', { subjects, ...more });

  it.each(STRATEGIES)(
    'RT-1 %s finds what is about the subjects, under every name that they are known by',
    async (strategy) => {
      const store = await filled();
      const ids = (subjects: readonly string[]) => sorted(store.ids(settings(people, strategy), about(subjects)));
      expect(await ids(['Wanda'])).toEqual(['b3', 'b4']);
      expect(await ids(['Wan'])).toEqual(['b3', 'b4']);
      expect(await ids(['Leo'])).toEqual(['b2']);
      expect(await ids(['Leo', 'Ada'])).toEqual(['b2', 'b5']);
      expect(await ids(['wanda'])).toEqual([]);
      expect(await ids([])).toEqual([]);
    },
  );

  it('RT-1 over turns: what the subjects said, and what is cited for them', async () => {
    const store = await filled();
    const ids = (subjects: readonly string[]) => store.ids(settings(people, 'full-history', 'turns'), about(subjects));
    expect(await ids(['Leo'])).toEqual(['t1', 't2', 't3']);
    expect(await ids(['Wanda'])).toEqual(['t4', 't5']);
    expect(await ids(['Nobody'])).toEqual([]);
  });

  it('FX-7 RT-3 a name counts from the time, and under the ceiling, of the turn that gives it', async () => {
    const store = await filled();
    const before = { at: '2024-03-31T00:00:00' };
    expect(await store.ids(settings(people, 'full-history', 'turns'), about(['Wan'], before))).toEqual([]);
    expect(await store.ids(settings(people, 'full-history', 'turns'), about(['Wanda'], before))).toEqual(['t4']);
    await store.correct(ADA, 't5', 'She sold the flat.');
    // The correction takes away the name Wan, and with it b4; b3 cites t5 before it.
    expect(await store.ids(settings(people), about(['Wanda']))).toEqual([]);
    expect(await store.ids(settings(people, 'full-history', 'turns'), about(['Wanda']))).toEqual(['t4']);
  });

  it('PG-4 another owner of the same names is never seen', async () => {
    const store = await filled();
    const query = { ...about(['Leo']), owner: BOB };
    expect(await store.ids(settings(people), query)).toEqual(['b9']);
    expect(await store.ids(settings({ name: 'core', size: 9 }), query)).toEqual(['b9']);
    expect(await store.ids(settings({ name: 'historical', as_of: 'question' }), query)).toEqual(['b9']);
  });
});
