import { beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { ADA, ask, BOB, emptyStore, RecallStore, SIGNAL } from '../../../test/support/recall-store.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import { openRecall } from './open-recall.js';
import type { RankedId, RankingRequest } from './ranker.js';
import { recallMigrations } from './recall-migrations.js';

const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()], { per: 'suite' });
beforeEach(() => emptyStore(database()));

async function filled(): Promise<RecallStore> {
  const store = new RecallStore(database());
  await store.turns(ADA, [
    { id: 't1', at: '2024-01-01T09:00:00', speaker: 'Mia', text: 'One.' },
    { id: 't2', at: '2024-01-02T09:00:00', speaker: 'Leo', text: 'Two.', sensitivity: 'restricted' },
    { id: 't3', at: '2024-01-03T09:00:00', speaker: 'Mia', text: 'Three.' },
    { id: 't4', at: '2024-02-01T09:00:00', speaker: 'Mia', text: 'Four.' },
  ]);
  await store.turns(BOB, [{ id: 'x1', at: '2024-01-01T09:00:00', speaker: 'Bob', text: 'Secret.' }]);
  return store;
}

/** Recalls with a ranker that gives a ranking; also what it was handed. */
async function recall(
  store: RecallStore,
  ranking: readonly RankedId[],
  query = ask('Who?', { at: '2024-01-31T00:00:00', subjects: ['Mia'] }),
  limit = 3,
) {
  const handed: RankingRequest[] = [];
  const ranker = {
    name: 'the test',
    rank: async (request: RankingRequest) => {
      handed.push(request);
      return ranking;
    },
  };
  const settings = { strategy: 'module', unit: 'turns', limit, mode: { name: 'standard' } } as const;
  const opened = await openRecall(store.database.runtime, settings, ADA, null, null, SIGNAL, ranker);
  const result = await opened.recall(query, SIGNAL);
  return { handed: handed[0], result, found: result.items.map(({ id, score }) => [id, score]) };
}

describe('RT-6 ranked from outside', () => {
  it('RT-6 RT-3 FX-7 FX-3 a ranker is handed what may be recalled, as data, and no more', async () => {
    const store = await filled();
    await store.correct(ADA, 't1', 'One, mended.');
    const { handed, result } = await recall(store, [{ id: 't1', score: null }]);
    expect(handed).toEqual({
      question: { id: 'q1', question: 'Who?', asked_at: '2024-01-31T00:00:00', subjects: ['Mia'] },
      unit: 'turns',
      limit: 3,
      items: [
        { id: 't1', text: 'One, mended.', at: '2024-01-01T09:00:00', who: 'Mia', sources: ['t1'] },
        { id: 't2', text: 'Two.', at: '2024-01-02T09:00:00', who: 'Leo', sources: ['t2'] },
        { id: 't3', text: 'Three.', at: '2024-01-03T09:00:00', who: 'Mia', sources: ['t3'] },
      ],
    });
    expect(result).toMatchObject({
      effective_strategy: 'module',
      items: [{ id: 't1', rank: 1, text: 'One, mended.' }],
    });
    await store.erase(ADA, 't3');
    const below = ask('Who?', { at: '2024-01-31T00:00:00', read_ceiling: 'internal' });
    expect((await recall(store, [], below)).handed?.items.map(({ id }) => id)).toEqual(['t1']);
  });

  it('RT-2 scores are quantised to 1e-6, the higher first, of equals the one stored first; without scores the order stands', async () => {
    const store = await filled();
    const scored = [
      { id: 't3', score: 0.5000001 },
      { id: 't1', score: 0.5 },
      { id: 't2', score: 9 },
    ];
    expect((await recall(store, scored)).found).toEqual([
      ['t2', 9],
      ['t1', 0.5],
      ['t3', 0.5],
    ]);
    const ordered = ['t3', 't1'].map((id) => ({ id, score: null }));
    expect((await recall(store, ordered)).found).toEqual([
      ['t3', null],
      ['t1', null],
    ]);
  });

  it.each([
    ['an id that it was not handed', [{ id: 't4', score: 1 }]],
    ['another owner’s', [{ id: 'x1', score: 1 }]],
    [
      'an id twice',
      [
        { id: 't1', score: 1 },
        { id: 't1', score: 0 },
      ],
    ],
    ['a score that is no number', [{ id: 't1', score: Number.NaN }]],
    ['a score without millionths', [{ id: 't1', score: Number.MAX_VALUE }]],
    ['an endless score', [{ id: 't1', score: Number.POSITIVE_INFINITY }]],
    [
      'scores for some',
      [
        { id: 't1', score: 1 },
        { id: 't2', score: null },
      ],
    ],
    ['more than the limit', ['t1', 't2', 't3'].map((id) => ({ id, score: 1 })), 2],
  ])('RT-6 refuses a ranking with %s, naming the ranker and the question', async (_what, ranking, limit = 3) => {
    await expect(recall(await filled(), ranking, undefined, limit)).rejects.toMatchObject({
      kind: 'provider',
      code: 'RANKING_UNSOUND',
      message: expect.stringContaining('the test, for the question q1'),
    });
  });
});
