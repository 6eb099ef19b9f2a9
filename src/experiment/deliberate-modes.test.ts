import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { formationOf, KEY, PRICES, writeFixture } from '../../test/support/cli-priced.js';
import { deliberateModels } from '../../test/support/deliberate-models.js';
import { keptFolder } from '../../test/support/kept-folder.js';
import { type OpenAiServer, startOpenAiServer } from '../../test/support/openai-server/index.js';
import {
  embeddingRequests,
  isQueryText,
  remoteOptions,
  runRemote,
  STEADY,
  sumOfActual,
  writeRemoteMatrix,
} from '../../test/support/remote-run.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Search } from '../memory/reader/deliberation.js';
import type { Observation } from './asking/observation.js';
import { reproduce } from './reproducing/reproduce.js';

/** Ranks what holds the query's last word first: what it was asked is seen in what it gives. */
const RANKER = `export function rank({ question, items, limit }) {
  const word = question.question.split(' ').at(-1);
  return items.filter(({ text }) => text.includes(word)).map(({ id }) => ({ id })).slice(0, limit);
}
`;
const deliberate = (name: string, retrieval: object) => ({
  name,
  retrieval: { limit: 2, ...retrieval },
  recall: 'deliberate',
});
const ARMS = [
  deliberate('module', { strategy: 'module', path: './rank.mjs' }),
  deliberate('people', { strategy: 'bm25', mode: 'people' }),
  deliberate('historical', { strategy: 'full-text', mode: 'historical' }),
  deliberate('semantic', { strategy: 'semantic', unit: 'turns' }),
];
/** Of one person, of nobody, of one who is not there. */
const SEARCHES: readonly Search[] = [
  { query: 'called Pepper', subjects: ['Bo'] },
  { query: 'moved to Lisbon', subjects: [] },
  { query: 'bicycle', subjects: ['Nobody'] },
];

let server: OpenAiServer;
let folder: string;
let remove: () => Promise<void>;
let done: Awaited<ReturnType<typeof runRemote>>;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  server = await startOpenAiServer({
    api_key: KEY,
    models: { ...PRICES, [STEADY]: { input_nano_usd: 20n, output_nano_usd: 0n } },
    answer: deliberateModels(({ searches }) => SEARCHES[searches.length] ?? null),
  });
  await writeFile(join(folder, 'rank.mjs'), RANKER);
  await writeFixture(folder, 'small');
  // Its owner allows no region that the provider states: nothing of it may be embedded.
  const barred = await writeFixture(folder, 'barred');
  const manifest = parse(await readFile(join(barred, 'fixture.yaml'), 'utf8'));
  await writeFile(join(barred, 'fixture.yaml'), stringify({ ...manifest, residency: ['nowhere'] }));
  await writeRemoteMatrix(folder, server, {
    arms: ARMS,
    fixtures: ['./small', './barred'],
    embedding: { provider: 'remote', model: STEADY, dimensions: 8 },
    load: { questions: ['small/q1', 'barred/q1'] },
  });
  done = await runRemote(folder);
});
afterAll(async () => {
  await server.close();
  await remove();
});

const rowOf = (arm: string, fixture = 'small'): Observation =>
  done.rows.find((row) => row.arm === arm && row.fixture === fixture) ?? expect.fail();
const found = (arm: string) => rowOf(arm).searches.map(({ retrieved }) => retrieved.length);

describe('a reader that searches, in whatever way its arm recalls', () => {
  it('RT-8 RT-6 a module ranks by the query, and a mode returns what it may for the query’s subjects', () => {
    expect(done.result.status, JSON.stringify(done.result.problems)).toBe('complete');
    expect(found('module')).toEqual([1, 1, 1]);
    expect(rowOf('module').retrieved).toHaveLength(3);
    const [first, second, third] = found('people');
    expect(first).toBeGreaterThan(0);
    // A query that names nobody is about nobody, whatever its question names.
    expect([second, third]).toEqual([0, 0]);
    expect(found('historical').every((count) => count > 0)).toBe(true);
    expect(done.rows.map(({ lookup_miss }) => lookup_miss).filter((miss) => miss !== null)).toEqual([
      'withheld:residency',
    ]);
  });

  it('SQ-7 RT-8 of a fixture whose owner’s rule bars the provider, no search is embedded; the other’s are', () => {
    expect(
      rowOf('semantic', 'barred').searches.map(({ lookup_miss, effective_strategy }) => [
        lookup_miss,
        effective_strategy,
      ]),
    ).toEqual(new Array(3).fill(['withheld:residency', 'bm25']));
    const asked = embeddingRequests(server).flat().filter(isQueryText);
    expect(asked).toHaveLength(3);
    expect(done.result.query_preparation).toMatchObject({ queries: 6, prepared: 3, withheld: { residency: 3 } });
  });

  it('OB-2 LG-12 what is paid adds up, a search each', () => {
    const { spent_nano_usd: paid, uncertain_nano_usd: uncertain } = done.result.ledger;
    expect(sumOfActual(done.result)).toEqual({ paid, uncertain });
    expect(['small', 'barred'].map((id) => formationOf(done.result, id).embedding.query.sends)).toEqual([3, 0]);
  });

  it.each(ARMS.map(({ name }) => name))('RP-1 RT-8 %s is reproduced against its run, sending nothing', async (arm) => {
    const before = server.requests.length;
    const { result, kinds } = await reproduce({
      ...remoteOptions(folder, { environment: {} }),
      matrixPath: join(folder, 'priced.yaml'),
      digest: `${formationOf(done.result, 'small').bank}`.slice('sha256:'.length, 20),
      arm,
      against: done.result.path,
    });
    expect({ kinds, differences: result.differences, problems: result.problems }).toEqual({
      kinds: [],
      differences: [],
      problems: [],
    });
    expect(result.answers).toMatchObject({ source: 'replayed', compared: 1, equal: 1 });
    expect(server.requests.length).toBe(before);
  });
});

describe('a context of one token', () => {
  it('RT-4 OB-6 RT-8 takes nothing of any search: what was found is left out, and the miss is told as cut', async () => {
    const own = await temporaryFolder();
    const path = await writeRemoteMatrix(own, server, {
      arms: [deliberate('words', { strategy: 'bm25' })],
      load: { questions: ['small/q1'] },
    });
    await writeFile(path, stringify({ ...parse(await readFile(path, 'utf8')), context: { tokens: 1 } }));
    const { rows, result } = await runRemote(own);
    expect(result.status).toBe('complete');
    expect(rows[0]?.searches.map(({ new_lines }) => new_lines)).toEqual([0, 0, 0]);
    expect(rows[0]?.context).toMatchObject({ tokens: 0, included: [] });
    expect(rows[0]?.context?.left_out).toHaveLength(rows[0]?.retrieved.length ?? 0);
    expect(rows[0]?.miss?.cause).toBe('cut-from-context');
  });
});
