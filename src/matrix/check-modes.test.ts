import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const withArm = (retrieval: string, matrix: string = SOUND): string => matrix.replace('strategy: bm25', retrieval);
const EMBEDDING = 'query_preparation: { embedding: { provider: local, model: use-lite-512 } }\n';

describe('recall modes in a matrix', () => {
  it('RT-1 MX-7 defaults are filled in, and a mode is bound in the digest', async () => {
    const resolved = async (retrieval: string) => (await loadText(withArm(retrieval))).matrix.arms[0]?.retrieval;
    expect(await resolved('strategy: bm25, mode: core')).toMatchObject({ mode: 'core', core_size: 32 });
    expect(await resolved('strategy: bm25, mode: core, core_size: 5')).toMatchObject({ core_size: 5 });
    expect(await resolved('strategy: bm25, mode: historical')).toMatchObject({ mode: 'historical', as_of: 'question' });
    expect(await resolved('strategy: bm25, mode: historical, as_of: "2023-04-01T00:00:00", unit: turns')).toMatchObject(
      {
        as_of: '2023-04-01T00:00:00',
      },
    );
    expect(await resolved('strategy: recency, mode: people, unit: turns')).toMatchObject({ mode: 'people' });
    const digests = ['strategy: bm25', 'strategy: bm25, mode: core', 'strategy: bm25, mode: people'].map(
      async (retrieval) => (await loadText(withArm(retrieval))).digest,
    );
    expect(new Set(await Promise.all(digests)).size).toBe(3);
  });

  it.each([
    ['core', 'semantic'],
    ['historical', 'hybrid'],
    ['people', 'semantic'],
  ])('SQ-6 refuses mode %s for %s, whose queries are never prepared', async (mode, strategy) => {
    const text = withArm(`strategy: ${strategy}, mode: ${mode}`) + EMBEDDING;
    expect(await faultsOf(text)).toEqual([`MODE_WITHOUT_VECTORS at ${mode}`]);
  });

  it.each([
    ['a mode of an arm that reads nothing', 'strategy: none, mode: people', ['MODE_WITHOUT_EFFECT at people']],
    ['a core of turns', 'strategy: recency, unit: turns, mode: core', ['MODE_WITHOUT_EFFECT at core']],
    ['superseded turns', 'strategy: bm25, unit: turns, mode: historical', ['MODE_WITHOUT_EFFECT at historical']],
    ['a time without its mode', 'strategy: bm25, as_of: question', ['KEY_WITHOUT_MODE at question']],
    ['a size without its mode', 'strategy: bm25, mode: people, core_size: 3', ['KEY_WITHOUT_MODE at 3']],
    ['a time that is none', 'strategy: bm25, mode: historical, as_of: yesterday', ['WRONG_VALUE at yesterday']],
    ['a mode that is none', 'strategy: bm25, mode: deep', ['WRONG_VALUE at deep']],
  ])('MX-2 RT-1 refuses %s', async (_what, retrieval, expected) => {
    expect(await faultsOf(withArm(retrieval))).toEqual(expected);
  });
});
