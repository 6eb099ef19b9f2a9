import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const EMBEDDING = 'query_preparation: { embedding: { provider: local, model: use-lite-512 } }\n';
const arm = (strategy: string, more = ''): string =>
  SOUND.replace('strategy: bm25 }', `strategy: ${strategy} }${more}`);
const armsOf = async (text: string) => (await loadText(text)).matrix.arms;

describe('SQ-2 an arm without query preparation', () => {
  it.each(['semantic', 'hybrid'])('SQ-2 a %s arm may say `off`, beside one that says nothing', async (strategy) => {
    const [off] = await armsOf(`${arm(strategy, ', query_preparation: off')}${EMBEDDING}`);
    expect(off).toMatchObject({ query_preparation: 'off' });
    const [on] = await armsOf(`${arm(strategy, ', query_preparation: on')}${EMBEDDING}`);
    expect(on).not.toHaveProperty('query_preparation');
  });

  it('SQ-2 MX-7 `on` is the default, and the same matrix; `off` is another', async () => {
    const [plain, on, off] = await Promise.all(
      ['', ', query_preparation: on', ', query_preparation: off'].map((more) =>
        loadText(`${arm('semantic', more)}${EMBEDDING}`),
      ),
    );
    expect(on?.digest).toBe(plain?.digest);
    expect(off?.digest).not.toBe(plain?.digest);
  });

  it('SQ-2 what is off needs no preparation in the matrix; what is not still does', async () => {
    expect(await faultsOf(arm('semantic', ', query_preparation: off'))).toEqual([]);
    expect(await faultsOf(arm('semantic', ', query_preparation: on'))).toEqual([
      'QUERY_PREPARATION_MISSING at semantic',
    ]);
  });

  it.each(['bm25', 'recency', 'full-history', 'none'])(
    'SQ-2 MX-2 refuses `off` for %s, which has no query prepared',
    async (strategy) => {
      expect(await faultsOf(`${arm(strategy, ', query_preparation: off')}${EMBEDDING}`)).toEqual([
        'PREPARATION_WITHOUT_VECTORS at off',
      ]);
    },
  );

  it('SQ-2 MX-3 is an axis of the arms that score vectors, and leaves the others alone', async () => {
    const text = SOUND.replace(
      '{ name: none, retrieval: { strategy: none } }',
      '{ name: semantic, retrieval: { strategy: semantic } }',
    );
    const arms = await armsOf(`${text}${EMBEDDING}axes: { query_preparation: [on, off] }\n`);
    expect(arms.map(({ name, query_preparation }) => [name, query_preparation])).toEqual([
      ['bm25', undefined],
      ['semantic+query_preparation-on', undefined],
      ['semantic+query_preparation-off', 'off'],
    ]);
    expect(await faultsOf(`${SOUND}${EMBEDDING}axes: { query_preparation: [on, off] }\n`)).toEqual([
      'AXIS_WITHOUT_ARM at query_preparation',
    ]);
  });
});
