import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openBankFolder } from '../../src/bank/bank-folder.js';
import { ReplayingProvider } from '../../src/bank/replaying-provider.js';
import { readState } from '../../src/bank/state-file.js';
import { digestText } from '../../src/core/digest.js';
import { formSample, SAMPLE_IDENTITY, sampleRequest } from '../support/bank-samples.js';
import { independentDigest } from '../support/rfc8785.js';

// Recorded by the first version and never written anew (CHECKS 2, R-09): whoever changes the format or the identity algorithm meets it here.
const FOLDER = 'test/golden/banks';
const DIGEST = 'sha256:a642632f540ffe7181fb28da3658d9eba5c642deac8e4e3810551e977a8f2ea8';

test('FB-3, FB-14, R-09 a bank of an earlier version verifies, by an independent implementation of its digests too', async () => {
  const file = await openBankFolder(FOLDER).byDigest(DIGEST);
  const { digest, ...content } = JSON.parse(await readFile(file.path, 'utf8'));
  expect(digest).toBe(DIGEST);
  expect(independentDigest(content)).toBe(DIGEST);
  expect(independentDigest(await readState(file.path, file.bank))).toBe(file.bank.state.digest);
});

test('FB-3, R-09 its requests have the identities that they had', async () => {
  const { bank } = await openBankFolder(FOLDER).byDigest(DIGEST);
  const replay = new ReplayingProvider(bank);
  await formSample(replay);
  replay.assertConsumed();
  const changed = new ReplayingProvider(bank).complete(
    sampleRequest('session_1', 'another'),
    new AbortController().signal,
  );
  await expect(changed).rejects.toMatchObject({ code: 'BANK_REQUEST_CHANGED' });
});

test('FB-2 under another implementation it is refused, naming the implementation', async () => {
  const identity = { ...SAMPLE_IDENTITY, implementation: digestText('a later version') };
  await expect(openBankFolder(FOLDER).find('harbour', identity, DIGEST)).rejects.toMatchObject({
    code: 'BANK_PINNED_DIFFERS',
    exitCode: 5,
    message: expect.stringContaining('differs in implementation'),
  });
  expect(await openBankFolder(FOLDER).find('harbour', SAMPLE_IDENTITY, DIGEST)).toMatchObject({ kind: 'found' });
});
