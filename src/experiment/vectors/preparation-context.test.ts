import { describe, expect, it } from 'vitest';
import { loadText, SOUND } from '../../../test/support/sound-matrix.js';
import { fixtureBar, preparationContext } from './preparation-context.js';

const REMOTE = `${SOUND.replace('local: { kind: local }', 'local: { kind: local }\n  r: { kind: openai, region: eu }')}
prices: { e: { as_of: 2026-05-01, input: "1" } }
`;
const embedding = (provider: string, more = ''): string =>
  `query_preparation: { embedding: { provider: ${provider} }${more} }\n`;
const contextOf = async (text: string, residency?: readonly string[]) =>
  preparationContext(await loadText(text), { residency });

describe('what the experiment supplies for a preparation', () => {
  it('SQ-14 SQ-2 nothing but the matrix switches preparation on', async () => {
    expect(await contextOf(REMOTE)).toBeNull();
    expect(await contextOf(`${REMOTE}query_preparation: off\n`)).toBeNull();
    expect(await contextOf(REMOTE + embedding('local, model: use-lite-512'))).not.toBeNull();
  });

  it('SQ-3 SQ-7 the context names where text would go, the regions that the owner allows, and the floor', async () => {
    const remote = REMOTE + embedding('r, model: e, dimensions: 8', ', sensitivity_floor: public');
    expect(await contextOf(remote, ['eu'])).toMatchObject({
      sensitivity_floor: 'public',
      egress: { leaves_process: true, region: 'eu', residency: ['eu'] },
    });
    expect(await contextOf(remote)).toMatchObject({ egress: { residency: null } });
  });

  it('SQ-3 the policy is the one that the matrix forms by; where nothing is formed, it is none', async () => {
    const text = `${REMOTE}${embedding('local, model: use-lite-512')}`;
    const loaded = await loadText(text);
    const policyOf = (formation: typeof loaded.matrix.formation) =>
      preparationContext({ ...loaded, matrix: { ...loaded.matrix, formation } }, {})?.policy_version;
    const { formation } = loaded.matrix;
    expect(policyOf(formation)).toBe('facts@1');
    const policy = `module@${loaded.digest}`;
    expect(policyOf(formation === null ? null : { ...formation, policy })).toBe(policy);
    expect(policyOf(null)).toBe('none');
  });

  it('SQ-7 a rule bars what leaves, and nothing that stays in this process; a floor bars both', async () => {
    const barOf = async (provider: string, more: string, residency: readonly string[]) => {
      const context = await contextOf(REMOTE + embedding(provider, more), residency);
      return context === null ? null : (fixtureBar(context)?.miss ?? null);
    };
    const [remote, local] = ['r, model: e, dimensions: 8', 'local, model: use-lite-512'];
    expect(await barOf(remote, '', ['ch'])).toBe('withheld:residency');
    expect(await barOf(remote, '', ['eu'])).toBeNull();
    expect(await barOf(local, '', ['ch'])).toBeNull();
    for (const provider of [remote, local])
      expect(await barOf(provider, ', sensitivity_floor: restricted', ['ch'])).toBe('withheld:sensitivity');
  });
});
