import { chmod, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  FickleProvider,
  formSample,
  SAMPLE_IDENTITY,
  sampleRecording,
  sampleState,
  sealSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import { digestText } from '../core/digest.js';
import type { BankFile, BankIdentity } from './bank.js';
import { openBankFolder } from './bank-folder.js';
import { openRecording } from './recording-provider.js';
import { readState } from './state-file.js';

async function record(folder: string, identity: BankIdentity = SAMPLE_IDENTITY): Promise<BankFile> {
  const recording = await openRecording({ ...sampleRecording(folder, new FickleProvider()), identity });
  return await sealSample(recording, await formSample(recording, 1));
}

/** A second bank of one identity: recorded elsewhere, and copied in. */
async function recordTwice(folder: string): Promise<BankFile[]> {
  const elsewhere = await temporaryFolder();
  const first = await record(folder);
  const recording = await openRecording(sampleRecording(elsewhere, new FickleProvider()));
  const second = await sealSample(recording, await formSample(recording, 2));
  const path = join(folder, second.path.split('/').at(-1) as string);
  await rename(second.path, path);
  return [first, { ...second, path }];
}

/** Every field of an identity, with another value for it. */
const OTHERS: [field: string, identity: BankIdentity][] = [
  ['corpus', { ...SAMPLE_IDENTITY, corpus: digestText('another') }],
  ['owner.tenant', { ...SAMPLE_IDENTITY, owner: { ...SAMPLE_IDENTITY.owner, tenant: 'another' } }],
  ['owner.principal', { ...SAMPLE_IDENTITY, owner: { ...SAMPLE_IDENTITY.owner, principal: 'another' } }],
  ['policy', { ...SAMPLE_IDENTITY, policy: 'facts@2' }],
  ['profile.kind', withProfile({ kind: 'local' })],
  ['profile.wire_api', withProfile({ wire_api: 'responses' })],
  ['profile.endpoint', withProfile({ endpoint: 'https://elsewhere.example' })],
  ['profile.model', withProfile({ model: 'former-2' })],
  ['profile.parameters.max_output_tokens', withParameters({ max_output_tokens: 1 })],
  ['profile.parameters.temperature', withParameters({ temperature: null })],
  ['profile.parameters.top_p', withParameters({ top_p: 1 })],
  ['profile.parameters.seed', withParameters({ seed: 8 })],
  ['profile.parameters.reasoning_effort', withParameters({ reasoning_effort: 'low' })],
  ['persistence', { ...SAMPLE_IDENTITY, persistence: 'append' }],
  ['implementation', { ...SAMPLE_IDENTITY, implementation: digestText('another') }],
  ['replicate', { ...SAMPLE_IDENTITY, replicate: 2 }],
];

function withProfile(change: Partial<BankIdentity['profile']>): BankIdentity {
  return { ...SAMPLE_IDENTITY, profile: { ...SAMPLE_IDENTITY.profile, ...change } };
}

function withParameters(change: Partial<BankIdentity['profile']['parameters']>): BankIdentity {
  return withProfile({ parameters: { ...SAMPLE_IDENTITY.profile.parameters, ...change } });
}

function leafNames(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'object' && child !== null ? leafNames(child, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

describe('finding a bank', () => {
  test('FB-2, FB-12 a bank is found by its whole identity, and refused by each field that differs, named', async () => {
    const folder = await temporaryFolder();
    const file = await record(folder);
    const banks = openBankFolder(folder);
    expect(await banks.find('harbour', SAMPLE_IDENTITY, null)).toEqual({ kind: 'found', file });
    expect(OTHERS.map(([field]) => field).sort()).toEqual(leafNames(SAMPLE_IDENTITY).sort());
    for (const [field, identity] of OTHERS) {
      expect(await banks.find('harbour', identity, null)).toEqual({
        kind: 'none',
        nearest: [{ file, differs: [field] }],
      });
      await expect(banks.find('harbour', identity, file.bank.digest)).rejects.toMatchObject({
        code: 'BANK_PINNED_DIFFERS',
        exitCode: 5,
        message: expect.stringContaining(`differs in ${field}`),
      });
    }
  });

  test('FB-2 the nearest bank comes first; a bank of another fixture is not near', async () => {
    const folder = await temporaryFolder();
    const far = await record(folder, { ...SAMPLE_IDENTITY, persistence: 'append', policy: 'facts@2' });
    const near = await record(folder, { ...SAMPLE_IDENTITY, persistence: 'append' });
    const banks = openBankFolder(folder);
    expect(await banks.find('harbour', SAMPLE_IDENTITY, null)).toEqual({
      kind: 'none',
      nearest: [
        { file: near, differs: ['persistence'] },
        { file: far, differs: ['persistence', 'policy'] },
      ],
    });
    expect(await banks.find('harbour-2', SAMPLE_IDENTITY, null)).toEqual({ kind: 'none', nearest: [] });
    await expect(banks.find('harbour-2', SAMPLE_IDENTITY, near.bank.digest)).rejects.toMatchObject({
      message: expect.stringContaining('differs in fixture, persistence'),
    });
  });

  test('FB-10 two banks of one identity are ambiguous, unless one is pinned', async () => {
    const folder = await temporaryFolder();
    const files = await recordTwice(folder);
    const banks = openBankFolder(folder);
    await expect(banks.find('harbour', SAMPLE_IDENTITY, null)).rejects.toMatchObject({
      code: 'BANK_AMBIGUOUS',
      exitCode: 5,
    });
    for (const file of files) {
      expect(await banks.find('harbour', SAMPLE_IDENTITY, file.bank.digest)).toEqual({ kind: 'found', file });
      expect(await banks.byDigest(file.bank.digest)).toEqual(file);
    }
  });

  test('MX-5 a pinned bank that is not there is refused by its digest', async () => {
    const banks = openBankFolder(await temporaryFolder());
    const digest = digestText('no bank');
    await expect(banks.find('harbour', SAMPLE_IDENTITY, digest)).rejects.toMatchObject({
      code: 'BANK_PINNED_MISSING',
      exitCode: 5,
      message: expect.stringContaining(digest),
    });
  });

  test('FB-15 a folder that does not exist yet holds nothing; one that is a file is refused as input', async () => {
    const folder = await temporaryFolder();
    expect(await openBankFolder(join(folder, 'none')).list()).toEqual({
      completed: [],
      pending: [],
      failed: [],
      broken: [],
    });
    await writeFile(join(folder, 'file'), '');
    await expect(openBankFolder(join(folder, 'file')).list()).rejects.toMatchObject({
      code: 'BANK_FOLDER_UNREADABLE',
      exitCode: 2,
    });
  });

  test('RS-4 a fixture id that would leave the folder is refused', async () => {
    const folder = await temporaryFolder();
    for (const fixture of ['../escape', 'a/b', '', '.hidden', 'a\0b', 'a\nb']) {
      await expect(openRecording({ ...sampleRecording(folder, new FickleProvider()), fixture })).rejects.toMatchObject({
        code: 'FIXTURE_ID_UNSAFE',
        exitCode: 2,
      });
    }
  });
});

describe('a broken bank', () => {
  test('FB-14 a bank under another name, of another fixture, or cut is refused where its fixture is asked for', async () => {
    const folder = await temporaryFolder();
    const file = await record(folder);
    const banks = openBankFolder(folder);
    const other = file.path.replace('harbour-', 'marina-');
    await rename(file.path, other);
    await expect(banks.find('marina', SAMPLE_IDENTITY, null)).rejects.toMatchObject({ code: 'BANK_NAME_DIFFERS' });
    const renamed = join(folder, 'harbour-0123456789ab.bank.json');
    await rename(other, renamed);
    await expect(banks.find('harbour', SAMPLE_IDENTITY, null)).rejects.toMatchObject({ code: 'BANK_NAME_DIFFERS' });
    await rename(renamed, file.path);
    expect(await banks.find('harbour', SAMPLE_IDENTITY, null)).toMatchObject({ kind: 'found' });
    await truncate(file.path, 100);
    await expect(banks.find('harbour', SAMPLE_IDENTITY, null)).rejects.toMatchObject({
      code: 'BANK_NOT_CANONICAL',
      exitCode: 5,
    });
    expect(await banks.find('marina', SAMPLE_IDENTITY, null)).toEqual({ kind: 'none', nearest: [] });
    expect((await banks.list()).broken).toMatchObject([{ path: file.path, error: { code: 'BANK_NOT_CANONICAL' } }]);
  });

  test('FB-8 size is checked before a byte is parsed', async () => {
    const folder = await temporaryFolder();
    const file = await record(folder);
    await truncate(file.path, 8_388_609);
    await expect(openBankFolder(folder).find('harbour', SAMPLE_IDENTITY, null)).rejects.toMatchObject({
      code: 'BANK_TOO_LARGE',
    });
    await truncate(file.path, 8_388_608);
    await expect(openBankFolder(folder).find('harbour', SAMPLE_IDENTITY, null)).rejects.toMatchObject({
      code: 'BANK_NOT_CANONICAL',
    });
  });

  test('RS-4 a link is no bank, though it leads to one', async () => {
    const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    const file = await record(elsewhere);
    await symlink(file.path, join(folder, file.path.split('/').at(-1) as string));
    await expect(openBankFolder(folder).byDigest(file.bank.digest)).rejects.toMatchObject({ code: 'BANK_UNREADABLE' });
  });
});

describe('the state beside a bank', () => {
  test('ST-4 it is read back as it was sealed, and refused where it is missing, changed or another', async () => {
    const folder = await temporaryFolder();
    const recording = await openRecording(sampleRecording(folder, new FickleProvider()));
    const { path, bank } = await sealSample(recording, ['one', 'two']);
    expect(await readState(path, bank)).toEqual(sampleState(['one', 'two']).state);
    const beside = path.replace('.bank.', '.state.');
    const text = await readFile(beside, 'utf8');
    for (const changed of [text.replace('two', 'tow'), text.trimEnd(), ` ${text}`, '{}\n', `${text}\n`, '']) {
      await chmod(beside, 0o600);
      await writeFile(beside, changed);
      await expect(readState(path, bank)).rejects.toMatchObject({ code: 'BANK_STATE_CHANGED', exitCode: 5 });
    }
    await rm(beside);
    await expect(readState(path, bank)).rejects.toMatchObject({ code: 'BANK_STATE_MISSING', exitCode: 5 });
    await mkdir(beside);
    await expect(readState(path, bank)).rejects.toMatchObject({ code: 'BANK_UNREADABLE', exitCode: 5 });
  });
});
