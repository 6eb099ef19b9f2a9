import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.js';
import type { Expectation } from '../../src/experiment/reproducing/expectation.js';
import type { Reproduction } from '../../src/experiment/reproduction-document.js';
import { simpleModels } from '../support/chat-models.js';
import {
  type CliOptions,
  type CliResult,
  cli,
  command,
  documentOf,
  exits,
  PROJECT,
  SLOW_TEST_MS,
} from '../support/cli.js';
import {
  BM25,
  KEY,
  KEY_VARIABLE,
  RECENCY,
  startPricedServer,
  writeFixture,
  writeMatrix,
} from '../support/cli-priced.js';
import { keptFolder } from '../support/kept-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

vi.setConfig({ testTimeout: SLOW_TEST_MS, hookTimeout: SLOW_TEST_MS });

const FIXTURE = 'night-train';
/** `nobody`, where we may become it. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

let folder: string;
let remove: () => Promise<void>;
let digest: string;

/** A clone that has only the bank, the fixture and the matrix. The matrix names another fixture too, which is not there. */
beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  const copies = [
    ['banks', (name: string) => name.startsWith(`${FIXTURE}-`)],
    ['fixtures', (name: string) => name === FIXTURE],
  ] as const;
  for (const [part, wanted] of copies) {
    for (const name of (await readdir(join(PROJECT, part))).filter(wanted))
      await cp(join(PROJECT, part, name), join(folder, part, name), { recursive: true });
  }
  await mkdir(join(folder, 'matrices'));
  await mkdir(join(folder, 'home'));
  const matrix = await readFile(join(PROJECT, 'matrices', 'unseen.yaml'), 'utf8');
  const named = matrix.replace(/^fixtures: \[(.*)\]$/m, 'fixtures: [$1, ../fixtures/harbour-clinic]');
  expect(named).not.toBe(matrix);
  await writeFile(join(folder, 'matrices', 'unseen.yaml'), named);
  const [bank] = (await readdir(join(folder, 'banks'))).filter((name) => name.endsWith('.bank.json'));
  ({ digest } = JSON.parse(await readFile(join(folder, 'banks', bank as string), 'utf8')));
  if (OTHER_USER !== null) {
    await chmod(folder, 0o755);
    execFileSync('chown', ['-R', `${OTHER_USER.uid}:${OTHER_USER.gid}`, folder]);
  }
});
afterAll(() => remove());

/** In that clone, in another zone, locale, home and, as root, as another user; without a key. */
function elsewhere(args: readonly string[]): Promise<CliResult> {
  const options: CliOptions = {
    cwd: folder,
    env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', HOME: join(folder, 'home') },
    ...(OTHER_USER === null ? {} : { user: OTHER_USER }),
  };
  return cli(inClone(args), options);
}

/** In that clone, by this process. */
function here(args: readonly string[]): Promise<CliResult> {
  return command(inClone(args), { cwd: folder });
}

const inClone = (args: readonly string[]): string[] => [
  ...args,
  '--matrix',
  'matrices/unseen.yaml',
  '--out',
  'runs',
  '--json',
];

const expectedPath = async (): Promise<string> => {
  const [name] = (await readdir(join(folder, 'banks'))).filter((one) => one.endsWith('.expected.json'));
  return join(folder, 'banks', name as string);
};

/** Changes the expectation for one test. */
async function withExpectation(change: (expectation: Expectation) => unknown): Promise<void> {
  const path = await expectedPath();
  const text = await readFile(path, 'utf8');
  onTestFinished(() => writeFile(path, text));
  const changed = structuredClone(JSON.parse(text)) as Expectation;
  await writeFile(path, `${canonicalJson((change(changed) ?? changed) as never)}\n`);
}

describe('reproducing in a bare clone, elsewhere', () => {
  it('RP-1 the shipped expectation is what this build retrieves and shows, arm by arm, byte by byte', async () => {
    const path = await expectedPath();
    const shipped = await readFile(path, 'utf8');
    await rename(path, `${path}.shipped`);
    const done = await exits(0, elsewhere(['bank', 'expect', digest.slice(7, 19)]));
    expect(documentOf(done)).toMatchObject({ format: 'bank-expected@1', bank: digest, path, problems: [] });
    const made = await readFile(path, 'utf8');
    await rename(`${path}.shipped`, path);
    const parts = (text: string): unknown => ({ ...(JSON.parse(text) as Expectation), server: null });
    expect(parts(made), HOW).toEqual(parts(shipped));
    expect((JSON.parse(made) as Expectation).arms.length).toBeGreaterThanOrEqual(8);
  });

  it('RP-1 FB-4 state, retrieval and context are equal for every question; nothing is sent; a ledger of its own', async () => {
    const done = await exits(0, elsewhere(['reproduce', digest, '--arm', 'hybrid']));
    const document = documentOf(done) as Reproduction;
    const { questions } = document;
    expect(questions).toBeGreaterThan(10);
    expect(document).toMatchObject({
      format: 'reproduction@1',
      bank: digest,
      fixture: FIXTURE,
      arm: 'hybrid',
      against: { kind: 'expected', path: await expectedPath() },
      bindings: ['corpus', 'owner', 'policy', 'profile', 'persistence', 'implementation'],
      state: { status: 'equal' },
      retrieval: { compared: questions, equal: questions },
      context: { compared: questions, equal: questions },
      answers: { source: 'read', compared: 0 },
      differences: [],
      not_compared: [expect.stringContaining('answers: no run is given')],
      ledger: { sends: 0, spent_nano_usd: 0, held_nano_usd: 0 },
      problems: [],
    });
    const manifest = JSON.parse(await readFile(join(document.path, 'run.json'), 'utf8'));
    expect(manifest).toEqual({ ...document, started_at: expect.any(String), finished_at: expect.any(String) });
    expect(await readdir(document.path)).toEqual(expect.arrayContaining(['ledger.jsonl', 'run.json', 'arms']));
  });

  it('RP-1 against a run, answers of a local reader are compared too', async () => {
    const text = await readFile(join(folder, 'matrices', 'unseen.yaml'), 'utf8');
    const few = text
      .replace(/^ {2}- \{ name: (?!none|bm25).*\n/gm, '')
      .replace(/contrasts: \[.*?\]\]/, 'contrasts: []');
    await writeFile(join(folder, 'matrices', 'few.yaml'), few);
    const ran = await exits(
      0,
      cli(['run', 'matrices/few.yaml', '--out', 'runs', '--json', '--fixtures', `fixtures/${FIXTURE}`], asOther()),
    );
    const { path } = documentOf(ran) as { path: string };
    const document = documentOf(
      await exits(0, elsewhere(['reproduce', digest, '--arm', 'bm25', '--against', path])),
    ) as Reproduction;
    const whole = { compared: document.questions, equal: document.questions };
    expect(document).toMatchObject({
      retrieval: whole,
      context: whole,
      answers: { source: 'read', ...whole },
      not_compared: [],
    });
    const rows = join(path, 'arms', 'bm25', `${FIXTURE}.observations.jsonl`);
    const [first, ...rest] = (await readFile(rows, 'utf8')).split('\n');
    const row = JSON.parse(first as string);
    row.retrieved.reverse();
    row.answer = 'something else';
    row.abstained = false;
    await writeFile(rows, [JSON.stringify(row), ...rest].join('\n'));
    const changed = await exits(3, here(['reproduce', digest, '--arm', 'bm25', '--against', path]));
    expect(documentOf(changed)).toMatchObject({
      retrieval: { compared: document.questions, equal: document.questions - 1 },
      context: whole,
      differences: [
        { question: row.question, field: 'retrieval', expected: expect.stringMatching(/^rank 1: /) },
        { question: row.question, field: 'answer', expected: '"something else"' },
      ],
      differences_in_all: 2,
    });
  });

  it('RP-1 exit 3 names the first differences; another arm, load or server is said, not compared', async () => {
    await withExpectation((expectation) => {
      const arm = expectation.arms.find((one) => one.arm === 'recency') as { questions: { context: string }[] };
      (arm.questions[2] as { context: string }).context = `sha256:${'0'.repeat(64)}`;
      const other = expectation.arms.find((one) => one.arm === 'bm25') as { factors: Record<string, unknown> };
      other.factors.context = { tokens: 7 };
      Object.assign(expectation, { server: '15.1' });
    });
    const differs = documentOf(await exits(3, here(['reproduce', digest, '--arm', 'recency']))) as Reproduction;
    expect(differs).toMatchObject({
      context: { compared: differs.questions, equal: differs.questions - 1 },
      differences: [{ field: 'context', expected: `sha256:${'0'.repeat(64)}` }],
      differences_in_all: 1,
      server: { expected: '15.1' },
      not_compared: expect.arrayContaining([expect.stringContaining('it may order ties otherwise')]),
    });
    const other = documentOf(await exits(0, here(['reproduce', digest, '--arm', 'bm25'])));
    expect(other).toMatchObject({
      against: { kind: 'nothing' },
      state: { status: 'equal' },
      retrieval: { compared: 0 },
      not_compared: [expect.stringContaining('differs in context.tokens')],
    });
  });

  it('RP-1 FB-2 refuses what is bound otherwise, naming it; digests that are none; arms that are none', async () => {
    const path = join(folder, 'fixtures', FIXTURE, 'history.jsonl');
    const history = await readFile(path, 'utf8');
    await writeFile(path, history.replace(/"text":"/, '"text":"Indeed, '));
    const refused = await exits(5, here(['reproduce', digest, '--arm', 'bm25']));
    await writeFile(path, history);
    expect(refused.stderr).toMatch(/BANK_IDENTITY_DIFFERS: .*; it differs in corpus$/m);
    const unknown = await exits(5, here(['reproduce', 'sha256:0123456789ab', '--arm', 'bm25']));
    expect(unknown.stderr).toContain('BANK_PINNED_MISSING');
    const malformed = await exits(2, here(['reproduce', digest.slice(0, 12), '--arm', 'bm25']));
    expect(malformed.stderr).toContain('BANK_DIGEST_MALFORMED');
    const noArm = await exits(2, here(['reproduce', digest, '--arm', 'bm24']));
    expect(noArm.stderr).toMatch(/ARM_UNKNOWN.*\n {2}remedy: its arms are: .*bm25/);
    await withExpectation((expectation) => ({ ...expectation, bank: `sha256:${'0'.repeat(64)}` }));
    expect((await exits(5, here(['reproduce', digest, '--arm', 'bm25']))).stderr).toContain('EXPECTATION_BROKEN');
  });
});

describe('reproducing what a remote reader read', () => {
  it('RP-1 no key, nothing sent: its answers are the past run’s, where the exact request is equal', async () => {
    const own = await temporaryFolder();
    const server = await startPricedServer({ answer: simpleModels() });
    onTestFinished(() => server.close());
    const parts = { url: server.url, fixtures: [await writeFixture(own, 'small')], arms: [BM25, RECENCY] };
    const matrix = await writeMatrix(own, parts);
    const out = ['--out', join(own, 'runs'), '--json'];
    const ran = await exits(0, command(['run', matrix, ...out], { env: { [KEY_VARIABLE]: KEY } }));
    const { formation } = documentOf(ran) as { formation: { bank: string }[] };
    const asked = server.requests.length;
    const reproduce = ['reproduce', formation[0]?.bank as string, '--arm', 'bm25', ...out];
    const against = documentOf(await exits(0, command([...reproduce, '--matrix', matrix, '--against', 'latest'])));
    const whole = { compared: 4, equal: 4 };
    expect(against).toMatchObject({
      retrieval: whole,
      context: whole,
      answers: { source: 'replayed', ...whole },
      not_compared: [],
      ledger: { sends: 0, held_nano_usd: 0, limit_nano_usd: 0 },
      problems: [],
    });
    const alone = documentOf(await exits(0, command([...reproduce, '--matrix', matrix])));
    expect(alone).toMatchObject({
      against: { kind: 'nothing' },
      answers: { source: 'none', compared: 0 },
      problems: [],
    });
    const other = await writeMatrix(own, { ...parts, reader: { temperature: 1 }, name: 'other' });
    const otherReader = documentOf(await exits(0, command([...reproduce, '--matrix', other, '--against', 'latest'])));
    expect(otherReader).toMatchObject({
      retrieval: whole,
      answers: { source: 'none', compared: 0 },
      not_compared: [expect.stringContaining('differs in parameters.temperature')],
    });
    const otherArm = await writeMatrix(own, {
      ...parts,
      arms: [{ ...BM25, retrieval: { ...BM25.retrieval, limit: 4 } }],
      name: 'arm',
    });
    const refused = await exits(2, command([...reproduce, '--matrix', otherArm, '--against', 'latest']));
    expect(refused.stderr).toMatch(/REPRODUCE_OTHER_ARM: .*differs in retrieval\.limit/);
    expect(server.requests).toHaveLength(asked);
  });
});

const HOW =
  'what the arms retrieve changed since it was written; write it anew: for each bank, recall-matrix bank expect DIGEST --matrix matrices/quickstart.yaml (unseen.yaml for night-train)';

function asOther(): CliOptions {
  return { cwd: folder, env: { HOME: join(folder, 'home') }, ...(OTHER_USER === null ? {} : { user: OTHER_USER }) };
}
