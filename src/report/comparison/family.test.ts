import { describe, expect, it } from 'vitest';
import {
  BOTH,
  comparedArms,
  comparedRuns,
  contrastsOf,
  conversations,
  firstContrast,
  PLANTED,
  planOf,
} from '../../../test/support/compared.js';

describe('what was planned, and the family that it is', () => {
  it('MX-8 what no plan names is exploratory: other arms against the baseline, and other scorers', async () => {
    const run = { ...PLANTED, matrix: planOf([['semantic', 'bm25']]), scorers: ['token-f1', 'exact-match'] };
    const comparison = await comparedArms(run, { scorers: 'all' });
    expect(
      contrastsOf(comparison).map(({ head_arm, scorer, planned, adjusted_p }) => [
        head_arm,
        scorer,
        planned,
        adjusted_p !== null,
      ]),
    ).toEqual([
      ['semantic', 'token-f1', true, true],
      ['hybrid', 'token-f1', false, false],
      ['semantic', 'exact-match', false, false],
      ['hybrid', 'exact-match', false, false],
    ]);
    expect(contrastsOf(comparison)[1]?.verdict.basis).toContain('Exploratory: no plan names it.');
    // Nor does it make the plan's own p any larger.
    const { new_conversations: found, adjusted_p } = firstContrast(comparison);
    expect(adjusted_p).toBe(found.kind === 'estimated' ? found.p : null);
  });

  it('MX-8 a plan covers no labels that were changed after the answers: all is exploratory then, and why is said', async () => {
    const sha = (letter: string) => `sha256:${letter.repeat(64)}` as const;
    const changed_labels = [{ fixture: 'made-up-1', before: sha('a'), after: sha('b') }];
    const relabelled = { ...PLANTED, matrix: BOTH, result: { changed_labels } };
    const own = await comparedArms(relabelled);
    expect(contrastsOf(own).map(({ planned, adjusted_p }) => [planned, adjusted_p])).toEqual([
      [false, null],
      [false, null],
    ]);
    expect(firstContrast(own).verdict.basis).toContain('Exploratory: labels were changed after the answers.');
    expect(own.notes).toEqual([expect.stringMatching(/^Labels of made-up-1 were changed after the answers, /)]);
    for (const [base, head, whose] of [
      [relabelled, PLANTED, 'base'],
      [PLANTED, relabelled, 'head'],
    ] as const) {
      const both = await comparedRuns({ ...base, matrix: BOTH }, { ...head, matrix: BOTH });
      expect(contrastsOf(both).some(({ planned }) => planned)).toBe(false);
      expect(both.notes.join('\n')).toContain(`Labels of made-up-1 were changed after the answers of ${whose}, `);
    }
  });

  it('RP-3 the family is the whole plan, also where one contrast of it is asked for, in either direction', async () => {
    const whole = contrastsOf(await comparedArms({ ...PLANTED, matrix: BOTH }))[1];
    const asked = await comparedArms({ ...PLANTED, matrix: BOTH }, { arm: 'bm25', against: 'hybrid' });
    expect(contrastsOf(asked)).toHaveLength(1);
    expect(firstContrast(asked)).toMatchObject({ head_arm: 'bm25', base_arm: 'hybrid', planned: true });
    expect(firstContrast(asked).adjusted_p).toBeCloseTo(whole?.adjusted_p as number, 12);
    expect(firstContrast(asked).verdict.basis[0]).toContain('after Holm over 2 planned contrasts');
    const other = await comparedArms({ ...PLANTED, matrix: BOTH }, { arm: 'hybrid', against: 'semantic' });
    expect(firstContrast(other)).toMatchObject({ planned: false, adjusted_p: null });
  });

  it('RP-3 MX-8 the smallest detectable difference of a planned contrast is by Holm’s strictest step, of an exploratory one by alpha', async () => {
    const alphaOf = async (matrix: typeof BOTH) =>
      contrastsOf(await comparedArms({ ...PLANTED, matrix })).map(({ new_conversations, smallest_detectable }) => {
        if (smallest_detectable.kind !== 'estimated' || new_conversations.kind !== 'estimated') throw new Error('none');
        const { alpha, power, difference } = smallest_detectable;
        return { alpha, power, multiple: difference / new_conversations.standard_error };
      });
    // Student's t on 7 degrees of freedom: 2.841 and 2.365 at a two-sided 0.025 and 0.05, 0.896 at a power of 0.8.
    const [strict, plain] = [expect.closeTo(3.737, 3), expect.closeTo(3.261, 3)];
    expect(await alphaOf(BOTH)).toEqual([
      { alpha: 0.025, power: 0.8, multiple: strict },
      { alpha: 0.025, power: 0.8, multiple: strict },
    ]);
    expect(await alphaOf(planOf([['semantic', 'bm25']]))).toEqual([
      { alpha: 0.05, power: 0.8, multiple: plain },
      { alpha: 0.05, power: 0.8, multiple: plain },
    ]);
    const exploratory = await comparedArms({ ...PLANTED, matrix: BOTH }, { arm: 'hybrid', against: 'semantic' });
    expect(firstContrast(exploratory).smallest_detectable).toMatchObject({ alpha: 0.05 });
  });

  it('RP-3 a contrast that could not be tested counts in the family', async () => {
    // The third arm has no row: its p is null, and m is 3.
    const arms = ['bm25', 'semantic', 'hybrid', 'recency'];
    const three = planOf([...BOTH.analysis.contrasts, ['recency', 'bm25']]);
    const run = { ...PLANTED, arms, unfinished: ({ arm }: { arm: string }) => arm === 'recency' };
    const [found, , none] = contrastsOf(await comparedArms({ ...run, matrix: three }));
    expect(none).toMatchObject({ pairs: 0, adjusted_p: null, verdict: { kind: 'could-not-be-told' } });
    expect(none?.verdict.sentence).toContain(
      'no question has a score under both (48 under base alone, 0 under head alone)',
    );
    const p = found?.new_conversations.kind === 'estimated' ? found.new_conversations.p : Number.NaN;
    expect(found?.adjusted_p).toBeCloseTo(3 * p, 12);
  });

  it('RP-3 datasets are never pooled, and share the family', async () => {
    const fixtures = [...conversations(6, 4, 'locomo'), ...conversations(2, 4, 'nightly')];
    const { datasets } = await comparedArms({ ...PLANTED, fixtures, matrix: planOf([['semantic', 'bm25']]) });
    expect(datasets.map(({ dataset, conversations: all }) => [dataset, all.length])).toEqual([
      ['locomo', 6],
      ['nightly', 2],
    ]);
    expect(datasets[0]?.contrasts[0]).toMatchObject({ pairs: 24, verdict: { kind: 'better' } });
    expect(datasets[0]?.contrasts[0]?.verdict.basis[0]).toContain('after Holm over 2 planned contrasts');
    expect(datasets[1]?.contrasts[0]).toMatchObject({ pairs: 8, new_conversations: { degrees_of_freedom: 1 } });
  });

  it('MX-8 nothing is planned where the two plan by other scorers', async () => {
    const scorers = ['token-f1', 'exact-match'];
    const comparison = await comparedRuns(
      { ...PLANTED, scorers, matrix: planOf([], 'exact-match') },
      { ...PLANTED, scorers },
      { treatments: ['context'] },
    );
    expect(contrastsOf(comparison).some(({ planned }) => planned)).toBe(false);
    expect(comparison.notes).toContain(
      'Base plans by exact-match and head by token-f1: nothing of this comparison was planned.',
    );
    expect(comparison.notes).toContain('context was stated to be the treatment, and does not differ.');
  });
});
