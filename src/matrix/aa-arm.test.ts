import { describe, expect, it } from 'vitest';
import { faultsOf, KNOWN_PARTS, loadText, SOUND, writeMatrix } from '../../test/support/sound-matrix.js';
import { InvalidInputErrors } from '../core/errors.js';
import { aaOf } from './aa-arm.js';
import { loadMatrix, type MatrixOverrides } from './load-matrix.js';

const REFERENCE = '  - { name: all, retrieval: { strategy: full-history } }\n';

async function loaded(text: string, overrides: MatrixOverrides) {
  return loadMatrix(await writeMatrix(text), KNOWN_PARTS, overrides);
}

/** What the command line alone is blamed for: no line of the file. */
async function refused(text: string, aa: string) {
  const error = await loaded(text, { aa }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidInputErrors);
  return (error as InvalidInputErrors).errors.map(({ code, location }) => [code, location ?? null]);
}

describe('RP-8 an arm that runs twice', () => {
  it('RP-8 comes after all others, the same but for its name, and binds the digest', async () => {
    const { matrix, digest } = await loadText(`${SOUND}aa: bm25\n`);
    expect(matrix.arms.map(({ name }) => name)).toEqual(['bm25', 'none', 'bm25-aa']);
    expect(matrix.arms[2]).toEqual({ ...matrix.arms[0], name: 'bm25-aa', aa_of: 'bm25' });
    expect(aaOf(matrix)).toBe('bm25');
    const plain = await loadText(SOUND);
    expect(aaOf(plain.matrix)).toBeNull();
    expect(plain.digest).not.toBe(digest);
  });

  it('RP-8 is named by the command line, else by the matrix, else by the run that is continued', async () => {
    const named = async (text: string, overrides: MatrixOverrides) => aaOf((await loaded(text, overrides)).matrix);
    expect(await named(`${SOUND}aa: bm25\n`, { aa: 'none', aaOfRun: 'bm25' })).toBe('none');
    expect(await named(`${SOUND}aa: bm25\n`, { aaOfRun: 'none' })).toBe('bm25');
    expect(await named(SOUND, { aaOfRun: 'none' })).toBe('none');
    expect(await named(SOUND, { aaOfRun: null })).toBeNull();
  });

  it('RP-8 MX-2 an unknown arm, a reference, and a name that is taken are refused where they are named', async () => {
    expect(await faultsOf(`${SOUND}aa: bm26\n`)).toEqual(['ARM_UNKNOWN at bm26']);
    expect(await faultsOf(`${SOUND}${REFERENCE}aa: all\n`)).toEqual(['AA_OF_REFERENCE at all']);
    const taken = `${SOUND}  - { name: BM25-AA, retrieval: { strategy: recency } }\n`;
    expect(await faultsOf(`${taken}aa: bm25\n`)).toEqual(['AA_NAME_TAKEN at bm25']);
    expect(await refused(SOUND, 'bm26')).toEqual([['ARM_UNKNOWN', null]]);
    expect(await refused(SOUND + REFERENCE, 'all')).toEqual([['AA_OF_REFERENCE', null]]);
  });

  it('RP-8 MX-8 no contrast and no baseline can name it', async () => {
    const text = `${SOUND}aa: bm25\nbaseline: bm25-aa\nanalysis: { contrasts: [[bm25-aa, none]] }\n`;
    expect(await faultsOf(text)).toEqual(['ARM_UNKNOWN at bm25-aa', 'ARM_UNKNOWN at bm25-aa']);
  });
});
