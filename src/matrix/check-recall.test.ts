import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const withArm = (retrieval: string): string =>
  `${SOUND.replace('strategy: bm25 }', `${retrieval} }, recall: deliberate`)}query_preparation: { embedding: { provider: local, model: use-lite-512 } }\n`;

describe('RT-8 deliberate recall in a matrix', () => {
  it.each(['bm25', 'full-text', 'semantic', 'hybrid', 'bm25, mode: people', 'bm25, mode: core'])(
    'RT-8 MX-7 %s takes a reader’s queries, and the digest binds that it does',
    async (strategy) => {
      const text = withArm(`strategy: ${strategy}`);
      const { matrix, digest } = await loadText(text);
      expect(matrix.arms[0]?.recall).toBe('deliberate');
      const automatic = await loadText(text.replace('recall: deliberate', 'recall: automatic'));
      expect(automatic.matrix.arms[0]).not.toHaveProperty('recall');
      expect(digest).not.toBe(automatic.digest);
    },
  );

  it.each(['none', 'full-history', 'evidence', 'recency'])(
    'RT-8 MX-2 refuses it for %s, whose every search would find the same',
    async (strategy) => {
      expect(await faultsOf(withArm(`strategy: ${strategy}`))).toEqual(['RECALL_WITHOUT_QUERY at deliberate']);
    },
  );

  it('RT-8 MX-3 as an axis it multiplies the arms that take a query, and no other', async () => {
    const { matrix } = await loadText(`${SOUND}axes: { recall: [automatic, deliberate] }\n`);
    expect(matrix.arms.map(({ name, recall }) => [name, recall ?? 'automatic'])).toEqual([
      ['bm25+recall-automatic', 'automatic'],
      ['bm25+recall-deliberate', 'deliberate'],
      ['none', 'automatic'],
    ]);
  });
});
