import { describe, expect, it } from 'vitest';
import {
  BOTH,
  comparedArms,
  comparedRuns,
  contrastsOf,
  conversations,
  firstContrast,
  PLANTED,
} from '../../../test/support/compared.js';

describe('what must be known beside the numbers', () => {
  it('RP-3 of fewer than five conversations one note cautions that a narrow interval proves nothing', async () => {
    const caution = (of: number) =>
      `With ${of} conversations an interval's own width is mostly chance: a narrow one proves nothing.`;
    const notesOf = async (count: number) =>
      (await comparedArms({ ...PLANTED, fixtures: conversations(count), matrix: BOTH })).notes;
    expect(await notesOf(4)).toEqual([caution(4)]);
    // Of one there is no interval to be trusted.
    for (const count of [1, 5]) expect(await notesOf(count)).toEqual([]);
  });

  it('RP-2 an arm or a scorer that one side lacks is named, and a run that is not whole is', async () => {
    const comparison = await comparedRuns(
      { ...PLANTED, arms: ['bm25', 'semantic'], scorers: ['token-f1', 'exact-match'] },
      { ...PLANTED, arms: ['bm25', 'recency'], unfinished: ({ fixture }) => fixture === 'made-up-1' },
    );
    expect(comparison.notes).toEqual(
      expect.arrayContaining([
        'run-2 is incomplete.',
        'bm25 of head is incomplete: 6 of 48 questions without an answer.',
        'Only one side has scores by exact-match.',
        'Only one side has the 2 arms semantic, recency.',
      ]),
    );
    expect(firstContrast(comparison)).toMatchObject({ pairs: 42, only_base: 6 });
  });

  it('RP-2 an arm that is a reference on one side alone is left out with a word, and so is what the sides say of a dataset', async () => {
    const fixtures = (dataset: string) => [{ id: 'c1', questions: 2, dataset }];
    const comparison = await comparedRuns(
      { fixtures: fixtures('one'), arms: ['bm25', 'whole'] },
      { fixtures: fixtures('two'), arms: ['bm25', { name: 'whole', reference: true }] },
    );
    expect(contrastsOf(comparison).map(({ head_arm }) => head_arm)).toEqual(['bm25']);
    expect(comparison.notes.slice(1)).toEqual([
      'whole is a reference on one side alone, and is not compared.',
      'c1 is of one in base and of two in head: that of head is used.',
    ]);
  });
});
