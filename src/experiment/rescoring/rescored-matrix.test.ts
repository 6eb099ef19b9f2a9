import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SMALL_MATRIX, writeSmall } from '../../../test/support/small-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { prepareMatrix } from '../prepare-run.js';
import { rescoredMatrix } from './rescored-matrix.js';

let folder = '';
let before: LoadedMatrix;
beforeEach(async () => {
  const small = await writeSmall();
  folder = small.folder;
  before = await prepareMatrix(small.matrix, {});
});

const JUDGE = `judges:
  kind: { provider: remote, model: judge-1, prompt: correctness }
prices:
  judge-1: { as_of: "2026-05-01", source: a test, input: "0.10", output: "0.40" }
`;

async function rescored(text: string | null, scorers: readonly string[] = []): Promise<LoadedMatrix> {
  const matrixPath = text === null ? null : join(folder, 'other.yaml');
  if (matrixPath !== null) await writeFile(matrixPath, text as string);
  return rescoredMatrix('run-1', before, { matrixPath, scorers });
}

const changed = (from: string, to: string): string => {
  const text = SMALL_MATRIX.replace(from, to);
  if (text === SMALL_MATRIX) throw new Error(`no ${from}`);
  return text;
};

describe('RP-6 the matrix that a run is scored again by', () => {
  it('is its own with more scorers, named by flags or by a matrix', async () => {
    expect((await rescored(null)).digest).toBe(before.digest);
    const byFlag = await rescored(null, ['contains', 'token-f1', 'contains']);
    expect(byFlag.matrix.scoring).toEqual(['token-f1', 'exact-match', 'contains']);
    const byMatrix = await rescored(changed('exact-match]', 'exact-match, contains]'));
    expect(byMatrix.digest).toBe(byFlag.digest);
    expect(byMatrix.digest).not.toBe(before.digest);
    const text = changed('exact-match]', 'exact-match, "module:./mine.mjs"]');
    await writeFile(join(folder, 'mine.mjs'), 'export const score = () => 1;\n');
    expect((await rescored(text)).matrix.modules?.scorers).toHaveProperty('module:./mine.mjs');
  });

  it('MX-8 has the plan, the arms and whatever else the run had: what differs is refused by name', async () => {
    const cases: [string, string, RegExp][] = [
      [changed('[token-f1, exact-match]', '[token-f1]'), 'scoring', /start a new run/],
      [changed('limit: 5', 'limit: 6'), 'arms.bm25.retrieval.limit', /start a new run/],
      [`${SMALL_MATRIX}analysis: { primary: exact-match }\n`, 'analysis.primary', /made before the run/],
      [changed('"0.50"', '"0.60"'), 'budget_nano_usd', /--budget/],
      [changed('baseline: bm25', 'baseline: none'), 'baseline', /start a new run/],
    ];
    for (const [text, what, remedy] of cases)
      await expect(rescored(text)).rejects.toMatchObject({
        code: 'RUN_MATRIX_CHANGED',
        message: expect.stringContaining(what),
        remedy: expect.stringMatching(remedy),
      });
  });

  it('a flag names built-in scorers alone', async () => {
    await expect(rescored(null, ['vibes'])).rejects.toMatchObject({ code: 'SCORER_UNKNOWN' });
    await expect(rescored(null, ['judge:kind'])).rejects.toMatchObject({ code: 'JUDGE_UNKNOWN' });
    await expect(rescored(null, ['module:./mine.mjs'])).rejects.toMatchObject({ code: 'MODULE_NOT_BOUND' });
  });

  it('OB-7 may have more judges; one that the run had stays as it was', async () => {
    const judged = changed('exact-match]', 'exact-match, "judge:kind"]')
      .replace(
        '  local: {',
        '  remote: { kind: openai, base_url: "http://localhost:9/v1", api_key_env: K }\n  local: {',
      )
      .concat(JUDGE);
    const first = await rescored(judged);
    expect([first.matrix.judges, first.matrix.prices, first.matrix.providers].map((map) => Object.keys(map))).toEqual([
      ['kind'],
      ['judge-1'],
      expect.arrayContaining(['local', 'remote']),
    ]);
    const other = judged.replace('prompt: correctness', 'prompt: strict-correctness');
    await writeFile(join(folder, 'other.yaml'), other);
    await expect(
      rescoredMatrix('run-1', first, { matrixPath: join(folder, 'other.yaml'), scorers: [] }),
    ).rejects.toMatchObject({ code: 'RUN_MATRIX_CHANGED', remedy: expect.stringContaining('a name of its own') });
  });
});
