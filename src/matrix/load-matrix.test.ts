import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOf, KNOWN_PARTS, loadText, SOUND, writeMatrix } from '../../test/support/sound-matrix.js';
import { InvalidInputErrors } from '../core/errors.js';
import { environmentOf, secretsOf } from './environment.js';
import { loadMatrix, type MatrixOverrides } from './load-matrix.js';

const FIXTURES = resolve(fileURLToPath(import.meta.url), '../../../fixtures');
const known = KNOWN_PARTS;
const write = writeMatrix;
const load = loadText;
const faults = faultsOf;
const PIN = `sha256:${'0'.repeat(64)}`;

describe('loadMatrix', () => {
  it('MX-1 MX-7 fills in defaults, and binds them in the digest', async () => {
    const { matrix, digest } = await load(SOUND);
    expect(matrix.budget_nano_usd).toBe('500000000');
    expect(matrix.arms[0]?.retrieval).toEqual({
      strategy: 'bm25',
      unit: 'beliefs',
      limit: 10,
      mode: 'standard',
      read_ceiling: 'restricted',
    });
    expect(matrix.arms[1]?.retrieval.limit).toBeNull();
    expect(matrix.formation).toMatchObject({
      bank: 'record-if-missing',
      policy: 'facts@1',
      persistence: 'supersede',
      attempts: 2,
    });
    expect(matrix.fixtures).toEqual(['fixtures/allotment-band']);
    expect(matrix.reader.prompt.name).toBe('short-answer');
    // Two copies in two folders are one matrix; a changed default is another.
    expect((await load(SOUND)).digest).toBe(digest);
    expect((await load(SOUND.replace('strategy: bm25 }', 'strategy: bm25, limit: 10 }'))).digest).toBe(digest);
    expect((await load(SOUND.replace('strategy: bm25 }', 'strategy: bm25, limit: 5 }'))).digest).not.toBe(digest);
    expect((await load(`${SOUND}analysis: { margin: 0.03 }\n`)).digest).not.toBe(digest);
  });

  it('RT-1 the references read turns unless the arm says otherwise', async () => {
    const unitOf = async (retrieval: string) =>
      (await load(SOUND.replace('strategy: none', retrieval))).matrix.arms[1]?.retrieval.unit;
    expect(await unitOf('strategy: full-history')).toBe('turns');
    expect(await unitOf('strategy: evidence')).toBe('turns');
    expect(await unitOf('strategy: evidence, unit: beliefs')).toBe('beliefs');
    expect(await unitOf('strategy: recency')).toBe('beliefs');
  });

  it('MX-1 the output folder is relative to the file, and no part of the digest', async () => {
    const plain = await load(SOUND);
    const placed = await load(`${SOUND}output: { folder: results }\n`);
    expect(plain.output_folder).toBeNull();
    expect(placed.output_folder).toBe(join(placed.path, '../results'));
    expect(placed.digest).toBe(plain.digest);
  });

  it('MX-7 prices are bound', async () => {
    const priced = (output: string): string =>
      `${SOUND}prices: { extractive-reader-1: { as_of: 2026-11-01, input: "1", output: "${output}" } }\n`;
    expect((await load(priced('2'))).digest).not.toBe((await load(priced('3'))).digest);
  });

  it.each([
    'http://me@host/v1',
    'http://:key@host/v1',
    'http://host/v1?api_key=x',
    'http://host/v1#x',
    'ftp://host/v1',
  ])('RS-4 the base URL %s is refused: keys come from variables, and banks are bound to the rest', async (url) => {
    const withUrl = (text: string): string =>
      SOUND.replace(
        '  local: { kind: local }',
        `  local: { kind: local }\n  far: { kind: openai, base_url: "${text}" }`,
      );
    expect(await faults(withUrl(url))).toEqual([expect.stringMatching(/^URL_INVALID at "/)]);
    expect(await faults(withUrl('http://host/v1'))).toEqual([]);
  });

  it('MX-2 reports every fault of a file together, each with its line and column', async () => {
    const text = SOUND.replace('name: sound', 'name: "not a name"')
      .replace('strategy: none', 'strategy: nine')
      .replace('kind: local', 'kind: local, colour: red');
    expect(await faults(text)).toEqual(['WRONG_VALUE at "not', 'UNKNOWN_KEY at colour', 'WRONG_VALUE at nine']);
  });

  it('MX-2 of faults of syntax only the first is told, since the others follow from it', async () => {
    const text = SOUND.replace('kind: local', 'kind: local, base_url: {x}y');
    expect(await faults(text)).toEqual([expect.stringMatching(/^YAML_INVALID at /)]);
  });

  it('MX-2 a kind that is not known is answered with those that are', async () => {
    await expect(load(SOUND.replace('strategy: none', 'strategy: nine'))).rejects.toMatchObject({
      errors: [{ remedy: expect.stringMatching(/^give one of: none, .*bm25/) }],
    });
  });

  it.each([
    ['an unknown key', (text: string) => `${text}budget: 1\n`, ['UNKNOWN_KEY at budget']],
    ['a duplicate key', (text: string) => `${text}name: again\n`, ['YAML_INVALID at name']],
    ['a missing key', (text: string) => text.replace(/^reader.*\n/m, ''), ['WRONG_VALUE at version']],
    [
      'a duplicate arm, whatever its case',
      (text: string) => text.replace('name: none', 'name: BM25'),
      ['DUPLICATE_NAME at BM25'],
    ],
    [
      'a fixture that is not there',
      (text: string) => text.replace('allotment-band', 'nowhere'),
      ['FIXTURE_MISSING at [fixtures/nowhere'],
    ],
    [
      'an unknown provider',
      (text: string) => text.replace('reader: { provider: local', 'reader: { provider: remote'),
      ['PROVIDER_UNKNOWN at remote'],
    ],
    [
      'an unknown local model',
      (text: string) => text.replace('extractive-reader-1', 'gpt-x'),
      ['MODEL_UNKNOWN at gpt-x'],
    ],
    [
      'a reader as former',
      (text: string) => text.replace('extractive-facts-1', 'extractive-reader-1'),
      ['MODEL_UNKNOWN at extractive-reader-1'],
    ],
    [
      'a semantic arm without preparation',
      (text: string) => text.replace('strategy: bm25', 'strategy: semantic'),
      ['QUERY_PREPARATION_MISSING at semantic'],
    ],
    [
      'beliefs without formation',
      (text: string) => text.replace(/formation:\n.*\n/, 'formation: none\n'),
      ['BELIEFS_WITHOUT_FORMATION at {'],
    ],
    ['a baseline that is no arm', (text: string) => `${text}baseline: best\n`, ['ARM_UNKNOWN at best']],
    ['an unknown scorer', (text: string) => `${text}scoring: [token-f1, vibes]\n`, ['SCORER_UNKNOWN at vibes']],
    [
      'a primary that is not scored',
      (text: string) => `${text}scoring: [exact-match]\n`,
      ['PRIMARY_NOT_SCORED at version'],
    ],
    ['a budget in exponents', (text: string) => text.replace('"0.50"', '1e-1'), ['WRONG_VALUE at 1e-1']],
    [
      'a prompt that is not there',
      (text: string) => text.replace('extractive-reader-1 }', 'extractive-reader-1, prompt: none.txt }'),
      ['PROMPT_UNREADABLE at none.txt'],
    ],
    [
      'a price table that is not there',
      (text: string) => `${text}prices: none.yaml\n`,
      ['PRICES_UNREADABLE at none.yaml'],
    ],
    [
      'a price of a day that never was',
      (text: string) => `${text}prices: { m: { as_of: 2026-02-30, input: "1", output: "1" } }\n`,
      ['WRONG_VALUE at 2026-02-30'],
    ],
    [
      'replicates where no bank is recorded',
      (text: string) => text.replace('formation:\n', 'formation:\n  replicates: 2\n  bank: off\n'),
      ['REPLICATES_WITHOUT_BANKS at 2'],
    ],
    [
      'more pinned banks than replicates',
      (text: string) => text.replace('formation:\n', `formation:\n  pinned: { a: [${PIN}, ${PIN}] }\n`),
      ['PIN_WITHOUT_REPLICATE at [sha256'],
    ],
    ['a seed of no sample', (text: string) => `${text}load: { seed: 1 }\n`, ['SEED_WITHOUT_SAMPLE at 1']],
    [
      'deliberate recall of what takes no query',
      (text: string) => text.replace('strategy: none }', 'strategy: none }, recall: deliberate'),
      ['RECALL_WITHOUT_QUERY at deliberate'],
    ],
    [
      'a ranking file that is not there',
      (text: string) => text.replace('strategy: none', 'strategy: file, path: r.jsonl'),
      ['RANKINGS_UNREADABLE at r.jsonl'],
    ],
    [
      'a policy module that is no ES module',
      (text: string) => text.replace('formation:\n', 'formation:\n  policy: ./mine.js\n'),
      ['MODULE_NOT_ESM at ./mine.js'],
    ],
  ])('MX-2 refuses %s', async (_what, change, expected) => {
    expect(await faults(change(SOUND))).toEqual(expected);
  });

  it('MX-2 refuses an alias bomb', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`),
    ].join('\n');
    expect(await faults(`${SOUND}${bomb}\n`)).toContain('YAML_INVALID at version');
  });

  it('R-04 MX-4 a placeholder is refused, never sent as text', async () => {
    expect(await faults(SOUND.replace('extractive-reader-1', '"${MODEL}"'))).toContain('PLACEHOLDER at "${MODEL');
  });

  it('LG-8 R-26 a model that is sent to and has no price is refused, for each use', async () => {
    const remote = SOUND.replace('kind: local', 'kind: openai').replaceAll('extractive-', 'gpt-');
    expect(await faults(remote)).toEqual(['PRICE_UNKNOWN at gpt-reader-1', 'PRICE_UNKNOWN at gpt-facts-1']);
    const price = '{ as_of: 2026-11-01, input: "1", output: "2" }';
    expect(await faults(`${remote}prices: { gpt-reader-1: ${price}, gpt-facts-1: ${price} }\n`)).toEqual([]);
  });

  it('MX-2 faults of a price table have its own lines', async () => {
    const path = await write(`${SOUND}prices: prices.yaml\n`);
    await writeFile(
      join(path, '../prices.yaml'),
      'format: prices@1\nentries:\n  - { model: m, as_of: yesterday, input: "1", output: "2" }\n',
    );
    const error = await loadMatrix(path, known).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidInputErrors);
    expect((error as InvalidInputErrors).errors[0]?.location).toMatchObject({
      line: 3,
      file: expect.stringContaining('prices.yaml'),
    });
  });

  it('MX-7 replaced fixtures and bank folder are bound in the resolved matrix', async () => {
    const path = await write(SOUND);
    const plain = await loadMatrix(path, known);
    const replaced = await loadMatrix(path, known, { bankDirectory: '/elsewhere/banks' });
    expect(replaced.matrix.formation?.formation_bank_directory).toContain('elsewhere/banks');
    expect(replaced.digest).not.toBe(plain.digest);
    const drawn = (overrides: MatrixOverrides) =>
      loadMatrix(path, known, overrides).then(({ matrix }) => matrix.load.sample);
    expect([await drawn({}), await drawn({ sample: 5 }), await drawn({ sample: 5, sampleSeed: 'x' })]).toEqual([
      null,
      { size: 5, seed: '1' },
      { size: 5, seed: 'x' },
    ]);
    const harbour = await loadMatrix(path, known, {
      fixtures: { patterns: [join(FIXTURES, 'harbour-clinic')], from: '/' },
    });
    expect(harbour.matrix.fixtures.join()).toContain('harbour-clinic');
  });

  it('MX-2 a fixture that the command line named is blamed on no line of the matrix, and hides none of its faults', async () => {
    const path = await write(SOUND.replace('name: bm25', 'name: none'));
    const error = await loadMatrix(path, known, { fixtures: { patterns: ['nowhere/*'], from: '/' } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InvalidInputErrors);
    const found = (error as InvalidInputErrors).errors.map(({ code, location }) => [code, location?.file === path]);
    expect(found).toContainEqual(['NO_FIXTURE_MATCHES', false]);
    expect(found).toContainEqual(['DUPLICATE_NAME', true]);
  });
});

describe('environment', () => {
  it('MX-4 a .env beside the matrix is read, and the process wins', async () => {
    const path = await write(SOUND);
    await writeFile(join(path, '../.env'), 'A_KEY=from-file\nB_KEY=from-file\n');
    const environment = await environmentOf(path, { B_KEY: 'from-process' });
    expect(environment).toMatchObject({ A_KEY: 'from-file', B_KEY: 'from-process' });
    expect(process.env.A_KEY).toBeUndefined();
  });

  it('MX-4 a missing variable is named, with the provider', () => {
    const entry = {
      kind: 'openai' as const,
      wire_api: 'chat-completions' as const,
      output_limit_field: 'max_completion_tokens' as const,
      base_url: null,
      url_env: 'MY_URL',
      endpoint_name: 'mine',
      api_key_env: 'MY_KEY',
      timeout_ms: 1000,
      overhead_tokens: 0,
      requests_per_minute: null,
      tokens_per_minute: null,
      retry: { attempts: 1, on: [], max_wait_ms: 1 },
    };
    const { faults: found } = secretsOf('remote', entry, { MY_URL: '' });
    expect(found.map(({ code, message }) => [code, /MY_KEY|MY_URL/.exec(message)?.[0]])).toEqual([
      ['ENV_MISSING', 'MY_KEY'],
      ['ENV_MISSING', 'MY_URL'],
    ]);
    expect(secretsOf('remote', entry, { MY_URL: 'http://x', MY_KEY: 'k' }).faults).toEqual([]);
  });
});
