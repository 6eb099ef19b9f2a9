import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, KNOWN_PARTS, loadText, SOUND, writeMatrix } from '../../test/support/sound-matrix.js';
import type { InvalidInputErrors } from '../core/errors.js';
import { loadMatrix } from './load-matrix.js';

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

  it('MX-2 LG-8 the faults of a price table are reported with its own schema, and without those that follow from them', async () => {
    const faults = async (table: string) => {
      const path = await writeMatrix(`${REMOTE}prices: p.yaml\n`, { 'p.yaml': table });
      const thrown: unknown = await loadMatrix(path, KNOWN_PARTS).catch((error: unknown) => error);
      return (thrown as InvalidInputErrors).errors.map(({ code, message, remedy, location }) => ({
        code,
        message,
        remedy,
        place: `${basename(location?.file ?? '')}:${location?.line}:${location?.column}`,
      }));
    };
    const wrong = { code: 'WRONG_VALUE', remedy: 'see `recall-matrix schema prices`' };
    expect(await faults(`${TABLE}  - { model: m, as_of: 2026-02-30, input: "1" }\n`)).toEqual([
      {
        ...wrong,
        place: 'p.yaml:4:24',
        message: expect.stringMatching(/^entries\[1\]\.as_of: .*, found "2026-02-30"$/),
      },
      { ...wrong, place: 'p.yaml:4:14', message: 'entries[1].model: a second price for m, found "m"' },
    ]);
    expect((await faults('&a [*a]')).map(({ code, place }) => [code, place])).toEqual([['YAML_INVALID', 'p.yaml:1:5']]);
  });
});
