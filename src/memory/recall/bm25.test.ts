import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/support/postgres.js';
import { ADA, ask, RecallStore, SIGNAL } from '../../../test/support/recall-store.js';
import { beliefMigrations } from '../beliefs/belief-migrations.js';
import { openRecall } from './open-recall.js';
import { recallMigrations } from './recall-migrations.js';
import { termsOf } from './terms.js';

const database = useTestDatabase([...beliefMigrations(), ...recallMigrations()]);

describe('RT-1 Okapi BM25', () => {
  it('RT-1 gives the scores of a worked example, to 1e-6', async () => {
    const store = new RecallStore(database());
    const at = '2024-01-01T09:00:00';
    await store.turns(ADA, [{ id: 't', at, speaker: 'Mia', text: 'whatever' }]);
    const belief = (id: string, statement: string) => ({ id, at, statement, subjects: [], sources: ['t'] });
    // Lengths 2, 3 and 4: the mean is 3. N is 3; "red" is in two documents, "fish" in two.
    await store.beliefs(ADA, [
      belief('d1', 'red fish'),
      belief('d2', 'blue fish fish'),
      belief('d3', 'red green yellow white'),
    ]);
    const settings = { strategy: 'bm25', unit: 'beliefs', limit: 10, mode: { name: 'standard' } } as const;
    const recall = await openRecall(store.database.runtime, settings, ADA, null, null, SIGNAL);
    const { items } = await recall.recall(ask('red fish'), SIGNAL);
    // idf = ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6 = 0.4700036.
    // d1: each term 0.4700036 * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3)) = 0.4700036 * 2.2 / 1.9 = 0.5442147; twice.
    // d2: fish 0.4700036 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 3)) = 0.4700036 * 4.4 / 3.2 = 0.6462550.
    // d3: red 0.4700036 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 3)) = 0.4700036 * 2.2 / 2.5 = 0.4136032.
    expect(items.map(({ id, score }) => [id, score])).toEqual([
      ['d1', 1.088429],
      ['d2', 0.646255],
      ['d3', 0.413603],
    ]);
  });
});

describe('RT-1 terms', () => {
  it('RT-1 terms are lower-cased Unicode words, stemmed, without stop words and possessives', () => {
    expect(termsOf("The parrots' owner, Zoë’s SISTER, doesn't run 42 km")).toEqual([
      'parrot',
      'owner',
      'zoë',
      'sister',
      "doesn't",
      'run',
      '42',
      'km',
    ]);
    expect(termsOf('ﬁsh fishing fished')).toEqual(['fish', 'fish', 'fish']);
    expect(termsOf('is the of — … 💥')).toEqual([]);
    expect(termsOf('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
  });
});
