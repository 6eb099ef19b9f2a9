import { createHmac } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CraftedEntry,
  entriesOf,
  manifestOf,
  OWN_TOOL,
  sealedArchive,
  soundRun,
  tamperedBundle,
} from '../../../../test/support/bundles.js';
import { keptFolder } from '../../../../test/support/kept-folder.js';
import { digestJson, digestText } from '../../../core/digest.js';
import { loadFixture } from '../../../fixture/load.js';
import { moduleDigest } from '../../../module/module-files.js';
import type { ArmResult, RunResult } from '../../experiment.js';
import type { RunManifest } from '../../run-record.js';
import { exportBundle } from '../export-bundle.js';
import { verifyBundle } from '../verify-bundle.js';

type Written = Omit<RunManifest, 'format' | 'status'> & Omit<RunResult, 'format'>;

const RESULT = 'run/run.json';

let folder: string;
let remove: () => Promise<void>;
/** By this program, by another, and redacted. */
let own: string;
let foreign: string;
let redacted: string;

beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  const made = async (name: string, redactHistory: boolean, manifest: Partial<RunManifest>) => {
    const target = join(folder, `${name}.tar.gz`);
    const run = await soundRun({ folder: join(folder, name), row: ({ index }) => (index === 0 ? 0 : 1), manifest });
    await exportBundle(run, { target, force: false, redactHistory, environment: {}, databaseUrl: null });
    return target;
  };
  own = await made('own', false, { tool: OWN_TOOL });
  foreign = await made('foreign', false, {});
  redacted = await made('redacted', true, { tool: OWN_TOOL });
});
afterAll(() => remove());

async function faults(bundle: string): Promise<string[]> {
  const error = await verifyBundle(bundle, null).then(
    () => null,
    (thrown: unknown) => thrown as Error & { errors?: readonly Error[] },
  );
  await rm(bundle);
  return error === null ? [] : (error.errors ?? [error]).map(({ message }) => message);
}

/** With another result in it. */
function changed(bundle: string, change: (run: Written, arm: ArmResult) => object): Promise<string> {
  return tamperedBundle(bundle, (path, bytes) => {
    if (path !== RESULT) return undefined;
    const run = JSON.parse(bytes.toString('utf8')) as Written;
    return JSON.stringify({ ...run, ...change(run, run.arms[0] as ArmResult) });
  });
}

function arm(change: (arm: ArmResult) => object): (run: Written) => object {
  return ({ arms }) => ({ arms: arms.map((one, index) => (index === 0 ? { ...one, ...change(one) } : one)) });
}

/** With more files than the run has. */
async function withMore(bundle: string, ...more: CraftedEntry[]): Promise<string> {
  const [first, ...files] = await entriesOf(bundle);
  const { files: _, ...manifest } = JSON.parse(String(first?.bytes));
  const path = join(folder, 'more.tar.gz');
  await writeFile(path, sealedArchive([manifestOf([...files, ...more], manifest), ...files, ...more]));
  return path;
}

const scored = {
  mean: 0.9,
  n: 4,
  questions: 4,
  failed: 0,
  mean_without_failures: 0.9,
  lo: null,
  hi: null,
  method: 'x',
  clusters: 1,
};

/** What a reader of a result believes: how it was changed, and where that is said to be. */
const FIGURES: readonly (readonly [string, (run: Written, arm: ArmResult) => object, string])[] = [
  [
    'an interval',
    arm(({ score_details }) => ({
      score_details: { ...score_details, 'token-f1': { ...score_details['token-f1'], lo: 0.7, hi: 0.8 } },
    })),
    'bm25.score_details.token-f1.lo',
  ],
  ['a category', arm(() => ({ by_category: { temporal: { 'token-f1': scored } } })), 'bm25.by_category.temporal'],
  [
    'answerable questions',
    arm(({ by_answerable }) => ({ by_answerable: { ...by_answerable, answerable: { 'token-f1': scored } } })),
    'bm25.by_answerable.answerable.token-f1.mean',
  ],
  [
    'causes of misses',
    arm(({ misses }) => ({ misses: { ...misses, causes: { ...misses.causes, misread: 3 } } })),
    'bm25.misses.causes.misread',
  ],
  ['tokens', arm(() => ({ context_tokens: { p50: 1, p95: 1, mean: 1 } })), 'bm25.context_tokens.mean'],
  ['costs', arm(({ costs }) => ({ costs: { ...costs, marginal_nano_usd: 1 } })), 'bm25.costs.marginal_nano_usd'],
  ['what was paid', arm(() => ({ actual_nano_usd: 1 })), 'bm25.actual_nano_usd'],
  ['degraded', arm(({ degraded }) => ({ degraded: !degraded })), 'bm25.degraded'],
  ['a reference', arm(() => ({ reference: true })), 'bm25.reference'],
  ['a second run', arm(() => ({ aa_of: 'semantic' })), 'bm25.aa_of'],
  ['reported models', arm(() => ({ reported_models: ['a better one'] })), 'bm25.reported_models'],
  [
    'the plan',
    ({ analysis }) => ({ analysis: { ...analysis, contrasts: [['bm25', 'semantic']] } }),
    'analysis.contrasts',
  ],
];

/** Of any program's run. */
const FACTS: readonly (readonly [string, (run: Written, arm: ArmResult) => object, string])[] = [
  ['a mean', arm(() => ({ scores: { 'token-f1': 0.99 } })), 'scores.token-f1 of the arm bm25'],
  ['an arm more', ({ arms }, one) => ({ arms: [...arms, { ...one, arm: 'ghost' }] }), 'the list of arms'],
  ['an arm twice', ({ arms }, one) => ({ arms: [...arms, one] }), 'the list of arms'],
  ['a part of a whole', arm(() => ({ status: 'failed' })), 'its arm bm25 is failed'],
  ['prices', () => ({ prices: { m: { input: 1 } } }), 'prices.m'],
  ['the digest of prices', () => ({ prices_digest: 'sha256:0' }), 'the digest of the prices'],
  ['the seed', () => ({ seed: 'another' }), 'the seed'],
];

describe('RP-7 what a bundle says against itself', () => {
  it.each([...FIGURES, ...FACTS])('RP-7 refuses another result than its rows give: %s', async (_, change, said) => {
    expect((await faults(await changed(own, change))).join('\n')).toContain(said);
  });

  it.each(FACTS)('RP-7 refuses it of any program: %s', async (_, change, said) => {
    expect((await faults(await changed(foreign, change))).join('\n')).toContain(said);
  });

  it('RP-7 accuses no other program of other figures, and says that they were not checked', async () => {
    const bundle = await changed(
      foreign,
      arm(() => ({ context_tokens: { p50: 1, p95: 1, mean: 1 } })),
    );
    const { not_checked } = await verifyBundle(bundle, null);
    expect(not_checked.map(({ what }) => what)).toContain('3 figures of arms, which this program reckons otherwise');
    expect((await verifyBundle(foreign, null)).not_checked.map(({ what }) => what).join()).not.toContain('otherwise');
  });

  it('RP-7 says what it does not show in its own words, whatever a bundle claims', async () => {
    const claims = () => ({ does_not_show: [], shows: ['that every answer is the model’s'] });
    const said = (await verifyBundle(await tamperedBundle(own, () => undefined, claims), null)).does_not_show.join();
    expect(said).toContain('who made it');
    expect(said).not.toContain('every answer');
  });

  it.each([
    'run/arms/ghost/c1.observations.jsonl',
    'run/arms/bm25/ghost.observations.jsonl',
    'run/state/ghost.json',
    'run/vectors/ghost.queries.jsonl',
    'run/rescored-1/arms/bm25/c1.observations.jsonl',
    'run/matrix.resolved.2.yaml',
    'workspace/read-me-first.sh',
  ])('RP-7 says that nothing looked at a file that the run does not name: %s', async (path) => {
    const { not_checked } = await verifyBundle(await withMore(own, { path, bytes: Buffer.from('{}\n') }), null);
    expect(not_checked.map(({ what }) => what)).toContain(`files that the run does not name: ${path}`);
  });

  it('RP-7 MX-8 says that labels were changed after the answers, holds that against the sessions, and gives no digest of them away', async () => {
    const change = { fixture: 'c1', before: digestText('before'), after: digestText('after') };
    const [started_at, finished_at] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'];
    const sessions = [{ kind: 'rescore' as const, started_at, finished_at, changed_labels: [change] }];
    const run = await soundRun({
      ...{
        folder: join(folder, 'relabelled'),
        manifest: { tool: OWN_TOOL, sessions },
        result: { changed_labels: [change] },
      },
    });
    const relabelled = async (redactHistory: boolean) => {
      const target = join(folder, `relabelled-${redactHistory}.tar.gz`);
      await exportBundle(run, { target, force: false, redactHistory, environment: {}, databaseUrl: null });
      return target;
    };
    const whole = await relabelled(false);
    const { does_not_show } = await verifyBundle(whole, null);
    expect(does_not_show).toContainEqual(expect.stringContaining('labels of c1 were changed after the answers'));
    expect(await faults(await changed(whole, () => ({ changed_labels: [] })))).toContainEqual(
      expect.stringContaining('changed_labels.0 is not what its sessions changed'),
    );
    const keyed = await relabelled(true);
    const text = Buffer.concat((await entriesOf(keyed)).flatMap(({ bytes }) => bytes ?? [])).toString('utf8');
    for (const digest of [change.before, change.after]) expect(text).not.toContain(digest);
    expect((await verifyBundle(keyed, null)).does_not_show.join()).toContain('labels of c1 were changed');
  });

  it('RP-7 says what it knows and does not read: what was formed live, and vectors of questions', async () => {
    const more = ['run/state/c1/bm25.formation.json', 'run/vectors/c1.queries.jsonl'];
    const { not_checked } = await verifyBundle(await withMore(own, ...more.map((path) => ({ path }))), null);
    const told = not_checked.map(({ what }) => what).join('\n');
    for (const what of ['form its beliefs live', 'vectors of questions']) expect(told).toContain(what);
    expect(told).not.toContain('does not name');
  });

  it('RP-7 a sound bundle has no such file', async () => {
    for (const bundle of [own, foreign, redacted])
      expect((await verifyBundle(bundle, null)).not_checked.map(({ what }) => what).join()).not.toContain(
        'does not name',
      );
  });

  it('RP-7 refuses one that says that it is redacted, and holds what is taken out then', async () => {
    const redaction = { removed: [], keyed: [], key: '', remains: [] };
    const claimed = await tamperedBundle(
      own,
      () => undefined,
      () => ({ redaction }),
    );
    expect((await faults(claimed)).join()).toContain('holds what is taken out');
    for (const path of ['run/lessons.json', 'workspace/fixtures/c1/history.jsonl', 'workspace/banks/c1-0.bank.json'])
      expect((await faults(await withMore(redacted, { path }))).join(), path).toContain('holds what is taken out');
  });
});

it('RP-7 RS-4 prompts and modules are those of the matrix, and nothing outside is read of them', async () => {
  const root = join(folder, 'parts');
  const module = join(root, 'scorers', 'mine.mjs');
  await mkdir(join(root, 'scorers'), { recursive: true });
  await writeFile(module, "import './part.mjs';\nimport '../../outside.mjs';\n");
  await writeFile(join(root, 'scorers', 'part.mjs'), 'export {};\n');
  const digest = await moduleDigest(module);
  const text = 'Answer in one word.';
  const parameters = { max_output_tokens: 256, temperature: 0, top_p: null, seed: null, reasoning_effort: null };
  const prompt = { name: 'prompts/mine.txt', text, digest: digestText(text) };
  const run = await soundRun({
    folder: root,
    manifest: { tool: OWN_TOOL },
    matrix: {
      reader: { provider: 'local', model: 'extractive-reader-1', parameters, prompt },
      modules: { scorers: { mine: { path: 'scorers/mine.mjs', digest } } } as never,
    },
  });
  const bundle = join(folder, 'parts.tar.gz');
  await exportBundle(run, { target: bundle, force: false, redactHistory: false, environment: {}, databaseUrl: null });
  const found = await verifyBundle(bundle, null);
  expect(found.checked).toContainEqual({
    what: 'prompts, modules, rankings and labels that the matrix names',
    count: 2,
  });
  expect(found.not_checked.map(({ what }) => what).join()).not.toContain('does not name');
  for (const file of ['workspace/prompts/mine.txt', 'workspace/scorers/mine.mjs', 'workspace/scorers/part.mjs']) {
    const other = await tamperedBundle(bundle, (path, bytes) => (path === file ? `${bytes} ` : undefined));
    expect(await faults(other), file).toHaveLength(1);
    const without = await verifyBundle(
      await tamperedBundle(bundle, (path) => (path === file ? null : undefined)),
      null,
    ).catch(({ message }: Error) => message);
    expect(JSON.stringify(without), file).toMatch(/it is not in the bundle|its digest/);
  }
  // A digest that is right where the reader of the bundle has a file of that name beside it is not.
  const outside = join(folder, 'outside.mjs');
  await writeFile(outside, 'export {};\n');
  expect(await moduleDigest(module)).not.toBe(digest);
  expect(await moduleDigest(module, root)).toBe(digest);
});

describe('RP-7 a redacted bundle', () => {
  it('RP-7 holds no file of the history, and its digests are keyed as it says: who has no fixture cannot guess', async () => {
    const entries = await entriesOf(redacted);
    expect(entries.map(({ path }) => path).filter((path) => !/^bundle|arms|run\.json|\.yaml$/.test(path))).toEqual([]);
    const { history, questions, labels } = await loadFixture(join(folder, 'redacted', 'fixtures', 'c1'));
    const key = digestJson({ format: 'redaction-key@1', history, questions, labels: [...labels.values()] });
    const keyed = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
    const rowsIn = async (bundle: string) =>
      String((await entriesOf(bundle)).find(({ path }) => path.includes('/bm25/'))?.bytes)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const [plain, taken] = [await rowsIn(own), await rowsIn(redacted)];
    for (const [index, row] of taken.entries()) {
      const before = plain[index];
      expect(row.answer).toBe(`[redacted ${keyed(before.answer).slice(0, 16)}]`);
      for (const field of ['load', 'labels', 'request']) expect(row[field]).toBe(`sha256:${keyed(before[field])}`);
      expect(row.context.digest).toBe(`sha256:${keyed(before.context.digest)}`);
    }
  });
});
