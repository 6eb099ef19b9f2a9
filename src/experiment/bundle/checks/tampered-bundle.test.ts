import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  entriesOf,
  manifestOf,
  OWN_TOOL,
  sealedArchive,
  soundRun,
  tamperedBundle,
} from '../../../../test/support/bundles.js';
import { keptFolder } from '../../../../test/support/kept-folder.js';
import type { RecallMatrixError } from '../../../core/errors.js';
import type { Observation } from '../../experiment.js';
import { exportBundle } from '../export-bundle.js';
import { verifyBundle } from '../verify-bundle.js';

const FIXTURE = 'c1';

let folder: string;
let remove: () => Promise<void>;
let whole: string;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  whole = join(folder, 'whole.tar.gz');
  const run = await soundRun({ folder, manifest: { tool: OWN_TOOL }, row: ({ index }) => (index === 0 ? 0 : 1) });
  await exportBundle(run, { target: whole, force: false, redactHistory: false, environment: {}, databaseUrl: null });
});
afterAll(() => remove());

interface Fault {
  readonly code: string;
  readonly file: unknown;
  readonly message: string;
}

/** The faults of a refused bundle. */
async function faults(bundle: string): Promise<Fault[]> {
  const error = await verifyBundle(bundle, null).then(
    () => null,
    (thrown: unknown) => thrown as RecallMatrixError & { errors?: readonly RecallMatrixError[] },
  );
  await rm(bundle);
  const all = error === null ? [] : (error.errors ?? [error]);
  for (const { remedy } of all) expect(remedy).not.toBe('');
  return all.map(({ code, details, message }) => ({ code, message, file: (details as { file?: string }).file }));
}

/** Changes one row of a file of rows, as canonical JSON still. */
function row(bytes: Buffer, change: (row: Observation) => Partial<Observation>): string {
  const [first = '', ...rest] = bytes.toString('utf8').split('\n');
  const one = JSON.parse(first) as Observation;
  return [JSON.stringify({ ...one, ...change(one) }), ...rest].join('\n');
}

const ROWS = `run/arms/bm25/${FIXTURE}.observations.jsonl`;
const RESULT = 'run/run.json';
const json = (bytes: Buffer, change: (value: Record<string, never>) => object): string =>
  JSON.stringify({ ...JSON.parse(bytes.toString('utf8')), ...change(JSON.parse(bytes.toString('utf8'))) }, null, 2);
const DIGEST = `sha256:${'0'.repeat(64)}`;

const DIGESTS = ['matrix', 'corpus', 'load', 'labels', 'prompt', 'state', 'bank', 'state', 'vector_bank'] as const;

/** What somebody changed who knows how to list and seal it anew: which file it was, how, and which file is named. */
const TAMPERED: readonly (readonly [
  string,
  string | RegExp,
  (bytes: Buffer) => string | Buffer | null,
  string | RegExp,
])[] = [
  ['answers', ROWS, (bytes) => bytes.toString('utf8').replace(/"answer":"[^"]+"/g, '"answer":"quite another"'), ROWS],
  ['an outcome', ROWS, (bytes) => row(bytes, ({ outcome }) => ({ outcome: { ...outcome, kind: 'failed' } })), RESULT],
  ['one row less', ROWS, (bytes) => bytes.subarray(bytes.indexOf(10) + 1), RESULT],
  ['a row that is none', ROWS, () => '{}\n', /^run\/arms/],
  ['a mean', RESULT, (bytes) => bytes.toString('utf8').replace(/"mean": 0\.\d+/, '"mean": 0.999'), RESULT],
  ['a count', RESULT, (bytes) => bytes.toString('utf8').replace(/"answered": 4/, '"answered": 2'), RESULT],
  ['the run', RESULT, (bytes) => json(bytes, () => ({ run: 'another' })), /^run\//],
  [
    'where the matrix lies',
    RESULT,
    (bytes) => json(bytes, ({ matrix }) => ({ matrix: { ...(matrix as unknown as object), path: '../../x.yaml' } })),
    RESULT,
  ],
  ['a fixture of a path', RESULT, (bytes) => bytes.toString('utf8').replaceAll(`"${FIXTURE}"`, '"../../../x"'), /^run/],
  [
    'a fixture that no file can be named after',
    RESULT,
    (bytes) => bytes.toString('utf8').replaceAll(`"${FIXTURE}"`, `"${'x'.repeat(300)}"`),
    RESULT,
  ],
  [
    'a request',
    /^run\/requests\//,
    (bytes) => bytes.toString('utf8').replace('context alone', 'context at hand'),
    /^run\/requests/,
  ],
  ['no request file', /^run\/requests\//, () => null, /^run\/arms/],
  [
    'a state',
    /^run\/state\//,
    (bytes) => bytes.toString('utf8').replace('"confidence"', '"Confidence"'),
    /observations/,
  ],
  ['a matrix', /^run\/matrix/, (bytes) => bytes.toString('utf8').replace('tokens: 1500', 'tokens: 1501'), RESULT],
  [
    'an expected answer',
    /questions\.jsonl$/,
    (bytes) => bytes.toString('utf8').replaceAll('"expected":["', '"expected":["not '),
    /^workspace\/fixtures/,
  ],
  [
    'a turn',
    /history\.jsonl$/,
    (bytes) => bytes.toString('utf8').replace('"text":"', '"text":"Not '),
    /^workspace\/fixtures/,
  ],
];

describe('RP-7 a bundle that was changed, listed and sealed anew', () => {
  it.each(TAMPERED)('RP-7 is refused for %s, and the file is named', async (_, file, change, named) => {
    let changed = 0;
    const bundle = await tamperedBundle(whole, (path, bytes) => {
      if (changed > 0 || !(typeof file === 'string' ? path === file : file.test(path))) return undefined;
      const now = change(bytes);
      if (now !== null) expect(Buffer.from(now).equals(bytes)).toBe(false);
      changed += 1;
      return now;
    });
    expect(changed).toBe(1);
    const found = await faults(bundle);
    const files = found.map((fault) => fault.file);
    expect(found.every(({ code }) => code.startsWith('BUNDLE_'))).toBe(true);
    expect(files, JSON.stringify(found)).toContainEqual(
      typeof named === 'string' ? named : expect.stringMatching(named),
    );
  });

  it('RP-7 is refused with every difference of a row at once: each digest, cost, score and label of it', async () => {
    const bundle = await tamperedBundle(whole, (path, bytes) =>
      path === ROWS
        ? row(bytes, ({ scores, context, attributed }) => ({
            ...Object.fromEntries(DIGESTS.map((field) => [field, DIGEST])),
            category: 'easy',
            retrieved: [],
            scores: { ...scores, 'token-f1': 0.123 },
            context: context === null ? null : { ...context, digest: DIGEST },
            attributed: { ...attributed, nano_usd: 7 },
          }))
        : undefined,
    );
    const told = (await faults(bundle)).map(({ message }) => message).join('\n');
    const named = [
      'matrix',
      'corpus',
      'load',
      'labels',
      'prompt',
      'state',
      'bank',
      'vector bank',
      'attributed cost',
      'category',
    ];
    for (const what of [...named.map((one) => `the ${one} of ${FIXTURE}/`), 'the score token-f1'])
      expect(told).toContain(what);
    for (const what of [/the context of/, /the prompt of/]) expect(told).toMatch(what);
    const lost = await tamperedBundle(whole, (path, bytes) =>
      path === ROWS ? row(bytes, () => ({ request: DIGEST })) : undefined,
    );
    expect(await faults(lost)).toMatchObject([{ code: 'BUNDLE_CONTENT_DIFFERS', file: ROWS }]);
    const none = await tamperedBundle(whole, (path, bytes) =>
      path === ROWS ? row(bytes, () => ({ request: null })) : undefined,
    );
    expect(await faults(none)).toMatchObject([{ code: 'BUNDLE_CONTENT_DIFFERS', file: ROWS }]);
  });

  it('RP-7 RS-4 is refused where it holds what is no part of one', async () => {
    const renamed = async (to: string) => {
      const [first, ...files] = await entriesOf(whole);
      const more = [...files, { path: to, bytes: Buffer.from('x') }];
      const { files: _, ...manifest } = JSON.parse(String(first?.bytes));
      const path = join(folder, 'more.tar.gz');
      await writeFile(path, sealedArchive([manifestOf(more, manifest), ...more]));
      return faults(path);
    };
    for (const path of ['run/run.lock', 'run/ledger.jsonl.lock', 'elsewhere/x', 'workspace'])
      expect(await renamed(path), path).toMatchObject([
        { code: expect.stringMatching(/^BUNDLE_(ENTRY_REFUSED|MALFORMED)$/) },
      ]);
  });
});
