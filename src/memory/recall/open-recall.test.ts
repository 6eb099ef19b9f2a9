import { beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { ADA, ask, BOB, emptyStore, RecallStore, SIGNAL } from '../../../test/support/recall-store.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import type { RecallSettings, Strategy } from '../memory.js';
import { openRecall } from './open-recall.js';
import { recallMigrations } from './recall-migrations.js';

// One database, emptied between tests: to clone one for each takes longer than the tests.
const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()], { per: 'suite' });
beforeEach(() => emptyStore(database()));
const mode = { name: 'standard' } as const;
const turns = (strategy: Strategy, limit: number | null = 10): RecallSettings => ({
  strategy,
  unit: 'turns',
  limit,
  mode,
});
const beliefs = (strategy: Strategy, limit: number | null = 10): RecallSettings => ({
  strategy,
  unit: 'beliefs',
  limit,
  mode,
});

async function filled(): Promise<RecallStore> {
  const store = new RecallStore(database());
  await store.turns(ADA, [
    { id: 't1', at: '2024-01-01T09:00:00', speaker: 'Mia', text: 'I adopted a parrot.', caption: 'a green parrot' },
    { id: 't2', at: '2024-01-01T09:00:00', speaker: 'Leo', text: 'Parrots talk a lot.' },
    { id: 't3', at: '2024-02-01T09:00:00', speaker: 'Mia', text: 'My violin is new.', sensitivity: 'restricted' },
    { id: 't4', at: '2024-03-01T09:00:00', speaker: 'Mia', text: 'The parrot moved to my sister.' },
  ]);
  await store.beliefs(ADA, [
    {
      id: 'b1',
      at: '2024-01-01T09:00:00',
      statement: 'Mia owns a parrot.',
      subjects: ['Mia', 'Leo'],
      sources: ['t2', 't1'],
    },
    {
      id: 'b2',
      at: '2024-02-01',
      statement: 'Mia has a violin.',
      subjects: ['Mia'],
      sources: ['t3'],
      sensitivity: 'restricted',
    },
    {
      id: 'b3',
      at: '2024-03-01T09:00:00',
      statement: "Mia's sister keeps the parrot.",
      subjects: ['Mia'],
      sources: ['t4'],
      supersedes: ['b1'],
    },
  ]);
  await store.turns(BOB, [{ id: 't1', at: '2024-01-01T09:00:00', speaker: 'Bob', text: 'My parrot is a secret.' }]);
  await store.beliefs(BOB, [
    { id: 'b9', at: '2024-01-01T09:00:00', statement: 'Bob hides a parrot.', subjects: ['Bob'], sources: ['t1'] },
  ]);
  return store;
}

describe('RT-1 strategies', () => {
  it('RT-1 none finds nothing, full-history everything in order of time, then of store position', async () => {
    const store = await filled();
    expect(await store.ids(turns('none', null), ask('parrot'))).toEqual([]);
    expect(await store.ids(turns('full-history', null), ask('anything'))).toEqual(['t1', 't2', 't3', 't4']);
    expect(await store.ids(beliefs('full-history', null), ask('anything'))).toEqual(['b2', 'b3']);
  });

  it('RT-1 recency gives the latest first, of one time the last stored first, up to its limit', async () => {
    const store = await filled();
    expect(await store.ids(turns('recency', 4), ask('anything'))).toEqual(['t4', 't3', 't2', 't1']);
    expect(await store.ids(turns('recency', 3), ask('anything'))).toEqual(['t4', 't3', 't2']);
    expect(await store.ids(turns('recency', 2), ask('anything'))).toEqual(['t4', 't3']);
  });

  it('RT-1 evidence gives the turns that it is handed, or the current beliefs that rest on any of them', async () => {
    const store = await filled();
    const oracle = { oracle_turns: ['t4', 't1', 'unknown'] };
    expect(await store.ids(turns('evidence', null), ask('anything', oracle))).toEqual(['t1', 't4']);
    expect(await store.ids(beliefs('evidence', null), ask('anything', oracle))).toEqual(['b3']);
    expect(await store.ids(beliefs('evidence', null), ask('anything', { oracle_turns: [] }))).toEqual([]);
  });

  it('RT-1 full-text finds any lexeme of the question, with speaker and caption', async () => {
    const store = await filled();
    expect(new Set(await store.ids(turns('full-text'), ask('Who owns parrots?')))).toEqual(new Set(['t1', 't2', 't4']));
    expect(await store.ids(turns('full-text'), ask('green violins')).then((ids) => ids.sort())).toEqual(['t1', 't3']);
    expect(new Set(await store.ids(turns('full-text'), ask('Leo')))).toEqual(new Set(['t2']));
    expect(await store.ids(turns('full-text'), ask('is the of'))).toEqual([]);
  });

  it('RT-1 bm25 finds stemmed terms; a question of stop words alone finds nothing', async () => {
    const store = await filled();
    expect(await store.ids(turns('bm25'), ask('violins'))).toEqual(['t3']);
    expect(await store.ids(turns('bm25'), ask("Mia's sisters"))).toEqual(['t4', 't3', 't1']);
    expect(await store.ids(turns('bm25'), ask('is the of'))).toEqual([]);
    expect(await store.ids(beliefs('bm25'), ask('parrot'))).toEqual(['b3']);
  });

  it('RT-1 recalled items carry sources in their order, time, text with caption and who', async () => {
    const store = await filled();
    const query = ask('parrot', { at: '2024-01-15T00:00:00' });
    const recall = async (settings: RecallSettings) =>
      (await openRecall(store.database.runtime, settings, ADA, null, null, SIGNAL)).recall(query, SIGNAL);
    const found = await recall(beliefs('bm25'));
    expect(found).toMatchObject({ effective_strategy: 'bm25', lookup_miss: null });
    expect(found.items[0]).toMatchObject({
      id: 'b1',
      rank: 1,
      sources: ['t2', 't1'],
      text: 'Mia owns a parrot.',
      at: '2024-01-01T09:00:00',
      who: 'Mia, Leo',
      unit: 'beliefs',
    });
    const [turn] = (await recall(turns('full-history', null))).items;
    expect(turn).toMatchObject({
      id: 't1',
      score: null,
      sources: ['t1'],
      who: 'Mia',
      text: 'I adopted a parrot. [image: a green parrot]',
    });
  });

  it('FX-3 evidence turns are refused for every other strategy, and needed for evidence', async () => {
    const store = await filled();
    const unsound = { kind: 'internal', code: 'RECALL_SETTINGS_UNSOUND' };
    await expect(store.ids(turns('bm25'), ask('parrot', { oracle_turns: ['t1'] }))).rejects.toMatchObject(unsound);
    await expect(store.ids(turns('evidence', null), ask('parrot'))).rejects.toMatchObject(unsound);
    await expect(store.ids(turns('bm25', null), ask('parrot'))).rejects.toMatchObject(unsound);
    await expect(store.ids(turns('semantic'), ask('parrot'))).rejects.toMatchObject(unsound);
  });
});

describe('FX-7 as of the question', () => {
  it('FX-7 later turns, beliefs and supersessions are invisible; at its own time a turn is visible', async () => {
    const store = await filled();
    const early = ask('parrot', { at: '2024-01-01T09:00:00' });
    for (const strategy of ['full-text', 'bm25', 'recency'] as const) {
      expect((await store.ids(turns(strategy), early)).sort()).toEqual(['t1', 't2']);
      expect(await store.ids(beliefs(strategy), early)).toEqual(['b1']);
    }
    expect(await store.ids(beliefs('full-history', null), early)).toEqual(['b1']);
    expect(await store.ids(beliefs('evidence', null), { ...early, oracle_turns: ['t1', 't4'] })).toEqual(['b1']);
    expect(await store.ids(turns('full-history', null), ask('x', { at: '2023-12-31T00:00:00' }))).toEqual([]);
  });

  it('FX-7 what was said later does not move the scores of an earlier question', async () => {
    const store = await filled();
    const query = ask('Mia parrot', { at: '2024-01-15T00:00:00' });
    const scores = async (): Promise<unknown> => {
      const recall = await openRecall(store.database.runtime, turns('bm25'), ADA, null, null, SIGNAL);
      return (await recall.recall(query, SIGNAL)).items.map(({ id, score }) => [id, score]);
    };
    const before = await scores();
    const more = { at: '2024-05-01T09:00:00', speaker: 'Mia' };
    await store.turns(ADA, [
      { ...more, id: 't5', text: 'parrot parrot' },
      { ...more, id: 't6', text: 'parrot' },
    ]);
    expect(await scores()).toEqual(before);
    expect(await store.ids(turns('bm25'), ask('Mia parrot'))).toContain('t5');
  });
});

describe('RT-3 the current permitted originals', () => {
  const strategies = ['full-text', 'bm25', 'recency', 'full-history'] as const;

  it.each(strategies)(
    'RT-3 %s: a turn corrected after indexing is found by, and returned with, its corrected text',
    async (strategy) => {
      const store = await filled();
      const settings = turns(strategy, strategy === 'full-history' ? null : 10);
      const recall = await openRecall(store.database.runtime, settings, ADA, null, null, SIGNAL);
      const textOf = async (question: string): Promise<string | undefined> =>
        (await recall.recall(ask(question), SIGNAL)).items.find((item) => item.id === 't2')?.text;
      expect(await textOf('parrots')).toBe('Parrots talk a lot.');
      await store.correct(ADA, 't2', 'Cockatoos talk a lot.');
      expect(await textOf('cockatoo')).toBe('Cockatoos talk a lot.');
      const searches = strategy === 'bm25' || strategy === 'full-text';
      expect(await textOf('parrots')).toBe(searches ? undefined : 'Cockatoos talk a lot.');
    },
  );

  it.each(strategies)(
    'RT-3 %s: erased turns, and beliefs on a corrected or erased source alone, are gone',
    async (strategy) => {
      const store = await filled();
      const limit = strategy === 'full-history' ? null : 10;
      const open = (settings: RecallSettings) => openRecall(store.database.runtime, settings, ADA, null, null, SIGNAL);
      const ofTurns = await open(turns(strategy, limit));
      const ofBeliefs = await open(beliefs(strategy, limit));
      const found = async (): Promise<[string[], string[]]> => [
        (await ofTurns.recall(ask('sister keeps the parrot'), SIGNAL)).items.map((item) => item.id),
        (await ofBeliefs.recall(ask('sister keeps the parrot violin'), SIGNAL)).items.map((item) => item.id),
      ];
      expect(await found()).toEqual([expect.arrayContaining(['t4']), expect.arrayContaining(['b2', 'b3'])]);
      await store.erase(ADA, 't4');
      await store.correct(ADA, 't3', 'My cello is new.');
      const [turnIds, beliefIds] = await found();
      expect(turnIds).not.toContain('t4');
      // What retired b1 is gone, so b1 holds again.
      expect(beliefIds).toEqual(['b1']);
    },
  );

  it.each([...strategies, 'evidence'] as const)(
    'RT-3 %s: the read ceiling is enforced in the database',
    async (strategy) => {
      const store = await filled();
      const limit = strategy === 'full-history' || strategy === 'evidence' ? null : 10;
      const oracle_turns = strategy === 'evidence' ? ['t3'] : null;
      for (const settings of [turns(strategy, limit), beliefs(strategy, limit)]) {
        const hidden = settings.unit === 'turns' ? 't3' : 'b2';
        const seen = (read_ceiling: 'restricted' | 'confidential') =>
          store.ids(settings, ask('violin', { read_ceiling, oracle_turns }));
        expect(await seen('restricted')).toContain(hidden);
        expect(await seen('confidential')).not.toContain(hidden);
      }
    },
  );

  it.each([...strategies, 'evidence'] as const)('PG-4 %s: another owner sees nothing of it', async (strategy) => {
    const store = await filled();
    const limit = strategy === 'full-history' || strategy === 'evidence' ? null : 10;
    const oracle_turns = strategy === 'evidence' ? ['t1'] : null;
    const query = ask('parrot', { oracle_turns });
    for (const [settings, own, other] of [
      [turns(strategy, limit), ['t1'], 't4'],
      [beliefs(strategy, limit), ['b9'], 'b3'],
    ] as const) {
      expect(await store.ids(settings, { ...query, owner: BOB })).toEqual(own);
      const ofAda = await store.ids(settings, { ...query, oracle_turns: oracle_turns && ['t1', 't4'] });
      expect(ofAda).toContain(other);
      expect(ofAda).not.toContain('b9');
    }
  });

  it('PG-4 search tables have forced row security: the runtime sees no row without an owner, and no other owner’s with one', async () => {
    const store = await filled();
    await store.ids(turns('bm25'), ask('parrot'));
    await store.ids(turns('bm25'), ask('parrot', { owner: BOB }));
    const count = async (owner: typeof ADA | null, ceiling: number): Promise<number[]> => {
      const client = await store.database.runtime.connect();
      try {
        await client.query('begin');
        if (owner !== null)
          await client.query('select search.enter($1, $2, $3)', [owner.tenant, owner.principal, ceiling]);
        const { rows } = await client.query(
          "select (select count(*)::int from search.document) d, (select count(*)::int from search.posting where term = 'parrot') p",
        );
        await client.query('commit');
        return [rows[0].d, rows[0].p];
      } finally {
        client.release();
      }
    };
    expect(await count(ADA, 3)).toEqual([4, 3]);
    expect(await count(ADA, 2)).toEqual([3, 3]);
    expect(await count(BOB, 3)).toEqual([1, 1]);
    expect(await count(null, 3)).toEqual([0, 0]);
    const { rows } = await store.database.admin.query(
      "select relname, relrowsecurity and relforcerowsecurity as forced from pg_class where relnamespace = 'search'::regnamespace and relkind = 'r' order by 1",
    );
    expect(rows).toEqual([
      { relname: 'document', forced: true },
      { relname: 'posting', forced: true },
    ]);
  });

  it('PG-4 a query of another owner than the recall was opened for is refused, also within one tenant', async () => {
    const store = await filled();
    const recall = await openRecall(store.database.runtime, turns('recency'), ADA, null, null, SIGNAL);
    for (const owner of [BOB, { ...ADA, tenant: 'elsewhere' }]) {
      await expect(recall.recall(ask('parrot', { owner }), SIGNAL)).rejects.toMatchObject({
        code: 'RECALL_SETTINGS_UNSOUND',
      });
    }
    expect((await recall.recall(ask('parrot'), SIGNAL)).items).not.toEqual([]);
  });

  it('PG-4 a recall leaves no owner on its connection', async () => {
    const store = await filled();
    await store.ids(turns('bm25'), ask('parrot'));
    const { rows } = await store.database.runtime.query('select count(*)::int as seen from memory.turn');
    expect(rows).toEqual([{ seen: 0 }]);
  });
});

describe('RT-2 determinism', () => {
  it('RT-2 R-46 equal scores stand in order of store position, whatever the order of ids', async () => {
    const store = new RecallStore(database());
    const at = '2024-01-01T09:00:00';
    await store.turns(
      ADA,
      ['z', 'm', 'a', 'q'].map((id) => ({ id, at, speaker: 'Mia', text: 'the same words' })),
    );
    for (const strategy of ['bm25', 'full-text'] as const) {
      expect(await store.ids(turns(strategy), ask('same words'))).toEqual(['z', 'm', 'a', 'q']);
      expect(await store.ids(turns(strategy, 2), ask('same words'))).toEqual(['z', 'm']);
    }
  });

  it('RS-2 hostile text is data: quotes, backslashes, U+0000 in a question and words without end', async () => {
    const store = new RecallStore(database());
    const at = '2024-01-01T09:00:00';
    const word = 'x'.repeat(20_000);
    await store.turns(ADA, [
      { id: 'h1', at, speaker: "'; drop table memory.turn; --", text: `it's a \\ ${word} parrot & "quote" | :* <->` },
    ]);
    for (const question of [
      "'; select 1; --",
      'parrot \\',
      "o'parrot' & | ! <->",
      'parrot\0null',
      `${word} parrot`,
      '💥 𝕏',
    ]) {
      for (const strategy of ['bm25', 'full-text'] as const) await store.ids(turns(strategy), ask(question));
    }
    expect(await store.ids(turns('full-text'), ask("it's parrot:* \\ 'x"))).toEqual(['h1']);
    expect(await store.ids(turns('bm25'), ask(word))).toEqual(['h1']);
  });

  it('RT-1 an empty store gives an empty recall, not a fault', async () => {
    const store = new RecallStore(database());
    for (const strategy of ['bm25', 'full-text', 'recency'] as const) {
      expect(await store.ids(turns(strategy), ask('parrot'))).toEqual([]);
      expect(await store.ids(beliefs(strategy), ask('parrot'))).toEqual([]);
    }
  });
});
