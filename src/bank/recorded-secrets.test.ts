import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  FickleProvider,
  formSample,
  sampleCompletion,
  sampleRecording,
  sampleRequest,
  sealSample,
  temporaryFolder,
} from '../../test/support/bank-samples.js';
import type { CompletionProvider } from '../provider/completion.js';
import type { Recording } from './recording.js';
import { openRecording } from './recording-provider.js';

const SECRET = 'correct-horse-battery';

/** All that lies below a folder, as one text. */
async function textsIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}

function recordingWithSecret(folder: string, inner: CompletionProvider): Promise<Recording> {
  return openRecording({ ...sampleRecording(folder, inner), secrets: [SECRET] });
}

test('FB-7 a configured secret that a model repeats reaches no file: not the bank, not the journal before it', async () => {
  const folder = await temporaryFolder();
  const repeating = { complete: async () => sampleCompletion(JSON.stringify({ beliefs: [`the key is ${SECRET}`] })) };
  const recording = await recordingWithSecret(folder, repeating);
  await expect(
    recording.complete(sampleRequest('session_1', 'text'), new AbortController().signal),
  ).rejects.toMatchObject({ code: 'BANK_HOLDS_SECRET', exitCode: 5 });
  const texts = await textsIn(folder);
  expect(texts).toContain('"failed"');
  expect(texts).not.toContain(SECRET);
});

test('FB-7 a state that holds a configured secret is not sealed, and no file of it is left', async () => {
  const folder = await temporaryFolder();
  const recording = await recordingWithSecret(folder, new FickleProvider());
  await formSample(recording, 1);
  await expect(sealSample(recording, [`the key is ${SECRET}`])).rejects.toMatchObject({ code: 'BANK_HOLDS_SECRET' });
  expect(await textsIn(folder)).not.toContain(SECRET);
  expect((await readdir(folder)).filter((name) => /\.(bank|state)\.json$/.test(name))).toEqual([]);
});

test('FB-7 the same recordings without the secret are sealed', async () => {
  const folder = await temporaryFolder();
  const recording = await recordingWithSecret(folder, new FickleProvider());
  const formed = await formSample(recording, 1);
  await sealSample(recording, formed);
  expect((await readdir(folder)).filter((name) => /\.(bank|state)\.json$/.test(name))).toHaveLength(2);
});
