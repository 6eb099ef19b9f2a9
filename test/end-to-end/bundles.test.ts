import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORDS_IN_A_ROW, wordRuns } from '../../src/experiment/bundle/history-watch.js';
import type { BundleExport, BundleVerification } from '../../src/experiment/bundle-document.js';
import type { Observation } from '../../src/experiment/experiment.js';
import type { Reproduction } from '../../src/experiment/reproduction-document.js';
import { entriesOf, tamperedBundle } from '../support/bundles.js';
import { type CommandOptions, command, documentOf, exits, PROJECT } from '../support/cli.js';
import { keptFolder } from '../support/kept-folder.js';

const FIXTURE = 'night-train';

let folder: string;
let remove: () => Promise<void>;
let made: BundleExport;

/** One run of a clone that is gone afterwards: whoever reads the bundle has nothing but it. */
beforeAll(async () => {
  ({ path: folder, remove } = await keptFolder());
  const home = join(folder, 'home');
  await mkdir(join(home, 'matrices'), { recursive: true });
  for (const part of ['banks', 'fixtures'])
    for (const name of (await readdir(join(PROJECT, part))).filter((one) => one.startsWith(FIXTURE)))
      await cp(join(PROJECT, part, name), join(home, part, name), { recursive: true });
  const matrix = await readFile(join(PROJECT, 'matrices', 'unseen.yaml'), 'utf8');
  // Three of its arms are enough, and three questions: every test here unpacks and checks them all.
  const arms = matrix.split('\n').filter((line) => !/name: (?:none|full|recency|hybrid)/.test(line));
  const fewer = arms.join('\n').replace('[semantic, bm25], [hybrid, bm25]', '[semantic, bm25]');
  await writeFile(join(home, 'matrices', 'unseen.yaml'), fewer);
  const at = { cwd: home };
  await exits(0, command(['run', 'matrices/unseen.yaml', '--sample', '3', '--out', 'runs'], at));
  made = documentOf(
    await exits(0, command(['export', 'latest', '--bundle', join(folder, 'whole.tar.gz'), '--json'], at)),
  ) as BundleExport;
  await exits(0, command(['export', 'latest', '--bundle', join(folder, 'redacted.tar.gz'), '--redact-history'], at));
});
afterAll(() => remove());

const whole = (): string => join(folder, 'whole.tar.gz');
const redacted = (): string => join(folder, 'redacted.tar.gz');
const here = (args: readonly string[], options: CommandOptions = {}) => command(args, { cwd: folder, ...options });
const verified = async (...args: readonly string[]) =>
  documentOf(await exits(0, here(['verify-bundle', ...args, '--json']))) as BundleVerification;

/** The code and the file of each fault of a refused bundle. */
async function faults(bundle: string): Promise<{ code: string; file: unknown }[]> {
  const { errors } = documentOf(await exits(2, here(['verify-bundle', bundle, '--json']))) as {
    errors: { code: string; remedy: string; details: { file?: string } }[];
  };
  for (const { remedy } of errors) expect(remedy).not.toBe('');
  return errors.map(({ code, details }) => ({ code, file: details.file }));
}

/** Changes one row of a file of rows, as canonical JSON still. */
function row(bytes: Buffer, change: (row: Observation) => Partial<Observation>): string {
  const [first = '', ...rest] = bytes.toString('utf8').split('\n');
  const one = JSON.parse(first) as Observation;
  return [JSON.stringify({ ...one, ...change(one) }), ...rest].join('\n');
}

describe('RP-7 a bundle of a run', () => {
  it('RP-7 is one private file, the same bytes each time, and nothing is left beside it', async () => {
    expect((await stat(whole())).mode & 0o777).toBe(0o600);
    const again = join(folder, 'again.tar.gz');
    await exits(0, here(['export', join(folder, 'home', 'runs', made.run), '--bundle', again]));
    expect((await readFile(again)).equals(await readFile(whole()))).toBe(true);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
    const taken = documentOf(
      await exits(2, here(['export', join(folder, 'home', 'runs', made.run), '--bundle', again, '--json'])),
    );
    expect(taken).toMatchObject({ errors: [{ code: 'BUNDLE_EXISTS' }] });
    await exits(0, here(['export', join(folder, 'home', 'runs', made.run), '--bundle', again, '--force']));
  });

  it('RP-7 holds matrix, fixture, banks, states, requests, answers and ledger; says of no machine where it was made', async () => {
    const entries = await entriesOf(whole());
    const paths = entries.map(({ path }) => path);
    expect(made).toMatchObject({ redacted: false, missing: [], files: paths.length });
    for (const path of [
      'run/run.json',
      'run/matrix.resolved.yaml',
      'run/ledger.jsonl',
      `run/state/${FIXTURE}.json`,
      `run/arms/bm25/${FIXTURE}.observations.jsonl`,
      'workspace/matrices/unseen.yaml',
      `workspace/fixtures/${FIXTURE}/history.jsonl`,
      `workspace/fixtures/${FIXTURE}/questions.jsonl`,
    ])
      expect(paths).toContain(path);
    expect(
      paths.filter((path) => path.startsWith('workspace/banks/')).map((path) => path.replace(/^.*?\./, '')),
    ).toEqual(expect.arrayContaining(['bank.json', 'state.json', 'vectors.bin', 'expected.json']));
    // Its machine is named nowhere; that it would be found is shown by the run itself.
    const held = (text: string) => entries.filter(({ bytes }) => bytes?.includes(text)).map(({ path }) => path);
    expect(held(folder)).toEqual([]);
    expect(await readFile(join(folder, 'home', 'runs', made.run, 'run.json'), 'utf8')).toContain(folder);
  });

  it('RP-7 is checked elsewhere, and goes on there: what it was made from is gone, and the arm is reproduced', async () => {
    await rename(join(folder, 'home'), join(folder, 'gone'));
    try {
      const found = await verified(whole(), '--extract', 'unpacked');
      expect(found).toMatchObject({
        run: made.run,
        bundle: made.bundle,
        sha256: made.sha256,
        redacted: false,
        not_checked: [],
        missing: [],
        extracted: join(folder, 'unpacked'),
      });
      const counts = Object.fromEntries(found.checked.map(({ what, count }) => [what.split(' ')[0], count]));
      expect(counts).toMatchObject({ banks: 1, vector: 1, fixtures: 1, requests: 9, scores: 9 * 8, arms: 3 });
      const args = (found.next ?? '').split(' ').slice(1);
      const reproduced = await exits(0, here([...args, '--out', 'reproduced', '--json']));
      const result = documentOf(reproduced) as Reproduction;
      const equal = { compared: 3, equal: 3 };
      expect(result).toMatchObject({
        against: { kind: 'run' },
        state: { status: 'equal' },
        retrieval: equal,
        context: equal,
        answers: equal,
      });
      // The matrix resolves to the digest that the rows have.
      const validated = await exits(0, here(['validate', 'unpacked/workspace/matrices/unseen.yaml', '--json']));
      expect(documentOf(validated)).toMatchObject({ matrix: found.matrix });
      const taken = documentOf(await exits(2, here(['verify-bundle', whole(), '--extract', 'unpacked', '--json'])));
      expect(taken).toMatchObject({ errors: [{ code: 'BUNDLE_FOLDER_EXISTS' }] });
    } finally {
      await rename(join(folder, 'gone'), join(folder, 'home'));
    }
  });
});

const ROWS = `run/arms/bm25/${FIXTURE}.observations.jsonl`;
const RESULT = 'run/run.json';

/** What only a whole run has: the rest is shown beside the checks. Which file was changed, how, and which one is named. */
const TAMPERED: readonly (readonly [string, string | RegExp, (bytes: Buffer) => string | Buffer, string | RegExp])[] = [
  [
    'what was spent',
    RESULT,
    (bytes) => bytes.toString('utf8').replace(/"sends": 0,\s+"breached"/, '"sends": 3, "breached"'),
    'run/ledger.jsonl',
  ],
  [
    'the matrix file',
    /^workspace\/matrices/,
    (bytes) => bytes.toString('utf8').replace('1500', '1501'),
    'workspace/matrices/unseen.yaml',
  ],
  ['a bank', /bank\.json$/, (bytes) => bytes.toString('utf8').replace('"calls"', '"Calls"'), /bank\.json$/],
  ['a bank of another state', /state\.json$/, () => '{}\n', /state\.json$/],
  ['vectors', /vectors\.bin$/, (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([1])]), /vectors\.bin$/],
  ['a lock', 'run/ledger.jsonl', (bytes) => `${bytes.toString('utf8')}{}\n`, 'run/ledger.jsonl'],
];

describe('RP-7 a bundle that was changed, listed and sealed anew', () => {
  it.each(TAMPERED)('RP-7 is refused for %s, and the file is named', async (_, file, change, named) => {
    let changed = 0;
    const bundle = await tamperedBundle(whole(), (path, bytes) => {
      if (changed > 0 || !(typeof file === 'string' ? path === file : file.test(path))) return undefined;
      const now = change(bytes);
      expect(Buffer.from(now).equals(bytes)).toBe(false);
      changed += 1;
      return now;
    });
    expect(changed).toBe(1);
    const found = await faults(bundle);
    expect(found.every(({ code }) => code.startsWith('BUNDLE_'))).toBe(true);
    expect(
      found.map((fault) => fault.file),
      JSON.stringify(found),
    ).toContainEqual(typeof named === 'string' ? named : expect.stringMatching(named));
    await rm(bundle);
  });
});

describe('RP-7 a redacted bundle', () => {
  it('RP-7 holds no five words in a row of what was said, asked, expected or formed, which the whole one does hold', async () => {
    const home = join(folder, 'home');
    const read = async (name: string) => readFile(join(home, 'fixtures', FIXTURE, name), 'utf8');
    const lines = (text: string) =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    const state = JSON.parse(await readFile(join(home, 'runs', made.run, 'state', `${FIXTURE}.json`), 'utf8'));
    const texts: string[] = [
      ...lines(await read('history.jsonl')).flatMap(({ text }) => (text === undefined ? [] : [text as string])),
      ...lines(await read('questions.jsonl')).flatMap(({ question, expected }) => [question, ...expected] as string[]),
      ...state.tables.belief.map(({ statement }: { statement: string }) => statement),
    ];
    const said = new Set(texts.flatMap(wordRuns));
    expect(said.size).toBeGreaterThan(500);
    const holding = async (bundle: string) => {
      const own = /^bundle\.json$|\.yaml$/;
      const entries = (await entriesOf(bundle)).filter(({ path }) => !own.test(path) || path.endsWith('fixture.yaml'));
      return entries
        .filter(({ bytes }) => wordRuns(words(bytes as Buffer)).some((run) => said.has(run)))
        .map(({ path }) => path);
    };
    // Escapes of JSON, and of JSON in JSON, hide nothing: they are white space here.
    const words = (bytes: Buffer) => bytes.toString('utf8').replace(/\\+[nrt"]/g, ' ');
    const inWhole = await holding(whole());
    for (const part of ['history.jsonl', 'questions.jsonl', '.bank.json', '.state.json', '/requests/', 'run/state/'])
      expect(
        inWhole.some((path) => path.includes(part)),
        part,
      ).toBe(true);
    expect(await holding(redacted())).toEqual([]);
    expect(WORDS_IN_A_ROW).toBe(5);
  });

  it('RP-7 keeps scores, counts and who equals whom; answers are keyed, and nothing short can be guessed', async () => {
    const rowsOf = async (bundle: string) =>
      (await entriesOf(bundle))
        .filter(({ path }) => path.endsWith('.observations.jsonl'))
        .flatMap(({ bytes }) => (bytes as Buffer).toString('utf8').trimEnd().split('\n'))
        .map((line) => JSON.parse(line) as Observation);
    const [plain, taken] = [await rowsOf(whole()), await rowsOf(redacted())];
    expect(taken.map(({ scores }) => scores)).toEqual(plain.map(({ scores }) => scores));
    const pattern = (answers: (string | null)[]) => answers.map((answer) => answers.indexOf(answer));
    expect(pattern(taken.map(({ answer }) => answer))).toEqual(pattern(plain.map(({ answer }) => answer)));
    for (const [index, one] of taken.entries()) {
      const before = plain[index] as Observation;
      expect(one.answer === null || one.answer === '' || /^\[redacted [0-9a-f]{16}\]$/.test(one.answer)).toBe(true);
      for (const field of ['load', 'labels', 'request'] as const) expect(one[field]).not.toBe(before[field]);
      expect(one.context?.digest).not.toBe(before.context?.digest);
      expect([one.corpus, one.bank, one.state]).toEqual([before.corpus, before.bank, before.state]);
    }
  });

  it('RP-7 is checked as far as that goes, and says what cannot be', async () => {
    const found = await verified(redacted());
    expect(found).toMatchObject({ redacted: true, next: null, extracted: null });
    expect(found.checked.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'rows by what they are bound to',
        'arms by counts, denominators, means and costs',
        'ledger lines',
      ]),
    );
    const not = found.not_checked.map(({ what }) => what).join('\n');
    for (const what of [
      'fixture night-train',
      'bank sha256',
      'vector bank',
      'exact requests',
      'belief states',
      'scores and labels',
    ])
      expect(not).toContain(what);
    expect(found.does_not_show.join()).toContain('nor that a score is right');
    const bundle = await tamperedBundle(redacted(), (path, bytes) =>
      path === ROWS ? row(bytes, ({ scores }) => ({ scores: { ...scores, 'token-f1': 0.123 } })) : undefined,
    );
    expect(await faults(bundle)).toContainEqual({ code: 'BUNDLE_CONTENT_DIFFERS', file: RESULT });
  });

  it('RP-7 is not made without the fixture, and no bundle is made with a secret in it', async () => {
    const home = join(folder, 'home');
    const run = join(home, 'runs', made.run);
    const target = join(folder, 'none.tar.gz');
    await rename(join(home, 'fixtures'), join(home, 'away'));
    const without = await here(['export', run, '--bundle', target, '--redact-history', '--json']);
    const partly = documentOf(
      await exits(0, here(['export', run, '--bundle', join(folder, 'partly.tar.gz'), '--json'])),
    );
    await rename(join(home, 'away'), join(home, 'fixtures'));
    expect(documentOf(without)).toMatchObject({ errors: [{ code: 'REDACTION_NEEDS_FIXTURE' }] });
    expect((partly as BundleExport).missing.map(({ what }) => what)).toEqual([
      `fixture ${FIXTURE}`,
      'the matrix as a file that can be run',
    ]);
    // A word of a request stands for the password of a database.
    const secret = here(['export', run, '--bundle', target, '--json'], {
      database: 'postgres://ada:short%20phrase@127.0.0.1:1/x',
    });
    expect(documentOf(await exits(2, secret))).toMatchObject({
      errors: [{ code: 'BUNDLE_HOLDS_SECRET', details: { file: expect.stringMatching(/\w/) } }],
    });
    expect(existsSync(target)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

it('RP-7 RP-6 a run that was scored again is checked by the rows that count, and keeps those of before', async () => {
  const run = join(folder, 'home', 'runs', made.run);
  await exits(0, here(['rescore', run, '--scorer', 'contains']));
  const bundle = join(folder, 'rescored.tar.gz');
  await exits(0, here(['export', run, '--bundle', bundle]));
  const found = await verified(bundle);
  expect(found.checked).toContainEqual({ what: 'scores reckoned again', count: 9 * 9 });
  expect(found.not_checked.map(({ what }) => what)).toEqual(['rows as they were before they were scored again']);
  const tampered = await tamperedBundle(bundle, (path, bytes) =>
    path === ROWS.replace('run/', 'run/rescored-1/') ? row(bytes, () => ({ scores: {} })) : undefined,
  );
  expect(await faults(tampered)).toContainEqual({
    code: 'BUNDLE_CONTENT_DIFFERS',
    file: ROWS.replace('run/', 'run/rescored-1/'),
  });
});
