import { describe, expect, it } from 'vitest';
import { comparedArms, contrastsOf, firstContrast, PLANTED } from '../../../test/support/compared.js';

describe('an arm that ran twice', () => {
  it('RP-8 a twin is compared only where it is asked for, and differs in nothing', async () => {
    const twin = { name: 'bm25-aa', aa_of: 'bm25' };
    const run = { ...PLANTED, arms: ['bm25', twin, 'semantic'] };
    expect(contrastsOf(await comparedArms(run)).map(({ head_arm }) => head_arm)).toEqual(['semantic']);
    const asked = await comparedArms(run, { arm: 'bm25-aa', against: 'bm25' });
    expect(asked.factors).toEqual([]);
  });

  it('RP-8 the noise floor of an arm that ran twice stands beside the differences of every pair', async () => {
    const twin = { name: 'bm25-aa', aa_of: 'bm25' };
    const run = { ...PLANTED, arms: ['bm25', twin, 'semantic'] };
    const [dataset] = (await comparedArms(run)).datasets;
    const [floor, ...others] = dataset?.noise_floors ?? [];
    expect(others).toEqual([]);
    const self = firstContrast(await comparedArms(run, { arm: 'bm25-aa', against: 'bm25' }));
    expect(floor).toMatchObject({ arm: 'bm25', twin: 'bm25-aa', pairs: self.pairs });
    expect(floor?.these_conversations).toEqual(self.these_conversations);
    expect((await comparedArms(PLANTED)).datasets[0]?.noise_floors).toEqual([]);
    const other = { ...run, scorers: ['token-f1', 'exact-match'] };
    expect((await comparedArms(other, { scorers: ['exact-match'] })).datasets[0]?.noise_floors).toEqual([]);
  });
});
