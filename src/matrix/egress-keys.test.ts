import { describe, expect, it } from 'vitest';
import { faultsOf, loadText, SOUND } from '../../test/support/sound-matrix.js';

const EMBEDDING = 'embedding: { provider: local, model: use-lite-512 }';
const prepared = (more: string): string => `${SOUND}query_preparation: { ${EMBEDDING}${more} }\n`;
const provider = (entry: string): string =>
  SOUND.replace('local: { kind: local }', `local: { kind: local }\n  r: ${entry}`);

describe('SQ-7 where text may go', () => {
  it('SQ-7 MX-7 the floor is internal unless the matrix says otherwise, and is bound', async () => {
    const [left, said, higher] = await Promise.all(
      ['', ', sensitivity_floor: internal', ', sensitivity_floor: confidential'].map((more) =>
        loadText(prepared(more)),
      ),
    );
    expect(left?.matrix.query_preparation).toMatchObject({ sensitivity_floor: 'internal' });
    expect(said?.digest).toBe(left?.digest);
    expect(higher?.matrix.query_preparation).toMatchObject({ sensitivity_floor: 'confidential' });
    expect(higher?.digest).not.toBe(left?.digest);
    expect(await faultsOf(prepared(', sensitivity_floor: secret'))).toEqual(['WRONG_VALUE at secret']);
  });

  it('SQ-7 MX-7 a provider that is sent to may state its region, which is bound; one that sends nothing has none', async () => {
    const plain = await loadText(provider('{ kind: openai }'));
    expect(plain.matrix.providers.r).not.toHaveProperty('region');
    const stated = await loadText(provider('{ kind: openai, region: eu-west }'));
    expect(stated.matrix.providers.r).toMatchObject({ region: 'eu-west' });
    expect(stated.digest).not.toBe(plain.digest);
    expect(await faultsOf(provider('{ kind: openai, region: "eu west" }'))).toHaveLength(1);
    expect(await faultsOf(provider('{ kind: local, region: eu }'))).toHaveLength(1);
  });
});
