import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../test/support/cli-priced.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import { sessionOptions } from '../../test/support/session-options.js';
import type { Observation } from './asking/observation.js';
import { runMatrix } from './run.js';

const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const EXAMPLE = join(PROJECT, 'matrices', 'examples', 'preparation.yaml');
/**
 * Whether somebody owns what she only drives, asked as a vehicle where every belief says van. The quickstart's own question of this
 * constraint (`Whose van does Brigid drive?`) shares its words with the belief that answers it, so sparse recall finds it as well: of the quickstart's eight
 * constraint questions none is answered with prepared vectors and missed without. This one is its paraphrase, over the same history, bank and
 * item vectors.
 */
const PARAPHRASED = 'harbour-clinic/p001';
/** The quickstart's own, in the memory's words. */
const SAME_WORDS = 'harbour-clinic/p002';

let rows: readonly Observation[];
let remove: () => Promise<void>;

beforeAll(async () => {
  const kept = await keptFolder();
  remove = kept.remove;
  const { result } = await runMatrix({ ...sessionOptions(kept.path), matrixPath: EXAMPLE });
  expect(result.status, JSON.stringify(result.problems)).toBe('complete');
  expect(result.formation[0]?.source).toBe('replayed');
  rows = await rowsOf(result.path);
});
afterAll(() => remove?.());

const row = (arm: string, question: string): Observation =>
  rows.find((one) => one.arm === arm && one.question === question) ?? expect.fail(`no row of ${arm}`);

describe('the non-ownership constraint', () => {
  it.each(['automatic', 'deliberate'])(
    'SQ-12 RT-8 by %s recall it is answered with prepared vectors, and missed without: its evidence is not found then',
    (recall) => {
      const prepared = row(recall, PARAPHRASED);
      expect(prepared).toMatchObject({
        recall,
        answer: 'No',
        effective_strategy: 'semantic',
        lookup_miss: null,
        miss: null,
      });
      expect(prepared.retrieved.flatMap(({ sources }) => sources)).toContain('S7:9');
      const off = row(`${recall}-off`, PARAPHRASED);
      expect(off).toMatchObject({ recall, effective_strategy: 'bm25', lookup_miss: 'off' });
      expect(off.answer).not.toBe('No');
      expect(off.miss).toEqual({ cause: 'not-retrieved', turns: ['S7:9'] });
    },
  );

  it.each(['automatic', 'deliberate'])(
    'SQ-12 by %s recall one that has the words of its evidence is answered either way (positive control)',
    (recall) => {
      for (const arm of [recall, `${recall}-off`]) expect(row(arm, SAME_WORDS)).toMatchObject({ recall, answer: 'No' });
    },
  );

  it('SQ-12 is asked over the quickstart’s own history, letter for letter', async () => {
    const history = (folder: string) => readFile(join(PROJECT, folder, 'history.jsonl'), 'utf8');
    expect(await history('matrices/examples/preparation/harbour-clinic')).toBe(
      await history('fixtures/harbour-clinic'),
    );
  });
});
