import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const REMOTE = SOUND.replace('local: { kind: local }', 'local: { kind: local }\n  r: { kind: anthropic }').replace(
  'reader: { provider: local, model: extractive-reader-1 }',
  'reader: { provider: r, model: m }',
);
const TABLE = 'format: prices@1\nentries:\n  - { model: m, as_of: 2026-05-01, input: "1", output: "2" }\n';

describe('prices of a matrix', () => {
  it('LG-8 R-26 a model that can be sent to has a price of input and output, or is refused with its place', async () => {
    expect(await faultsOf(REMOTE)).toEqual(['PRICE_UNKNOWN at m']);
    expect(await faultsOf(`${REMOTE}prices: { m: { as_of: 2026-05-01, input: "1" } }\n`)).toEqual([
      'PRICE_WITHOUT_OUTPUT at m',
    ]);
    expect(await faultsOf(`${REMOTE}prices: { m: { as_of: 2026-05-01, input: "1", output: "0" } }\n`)).toEqual([]);
    expect(
      await faultsOf(`${REMOTE}prices: p.yaml\n`, { 'p.yaml': TABLE.replace('model: m', 'model: other') }),
    ).toEqual(['PRICE_UNKNOWN at m']);
  });

  it('LG-8 an embedding model that is sent to has a price, by its input alone', async () => {
    const embedding = 'query_preparation: { embedding: { provider: r, model: e, dimensions: 8 } }\n';
    const text = `${SOUND.replace('local: { kind: local }', 'local: { kind: local }\n  r: { kind: openai }')}${embedding}`;
    expect(await faultsOf(text)).toEqual(['PRICE_UNKNOWN at e']);
    expect(await faultsOf(`${text}prices: { e: { as_of: 2026-05-01, input: "0.02" } }\n`)).toEqual([]);
  });

  it('LG-8 any price can be written into the matrix, tiers and cache rates too', async () => {
    const inline = `prices:
  m:
    as_of: 2026-05-01
    tiers:
      - { above_input_tokens: 0, input: "3", cache_read: "0.30", cache_write: "3.75", output: "15" }
      - { above_input_tokens: 200000, input: "6", cache_read: "0.60", cache_write: "7.50", output: "22.50" }
`;
    const { matrix } = await loadText(`${REMOTE}${inline}`);
    expect(matrix.prices.m?.tiers.map(({ input }) => input)).toEqual(['3', '6']);
    expect(await faultsOf(`${REMOTE}${inline}    input: "1"\n`)).toEqual(['WRONG_VALUE at "1"']);
  });
});
