import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { InvalidInputErrors, type RecallMatrixError } from '../../src/core/errors.js';
import type { KnownParts } from '../../src/matrix/check-matrix.js';
import { loadMatrix } from '../../src/matrix/load-matrix.js';
import type { LoadedMatrix } from '../../src/matrix/matrix.js';
import { temporaryFolder } from './temporary-folder.js';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../../..');

/** The parts that matrices of tests may name. */
export const KNOWN_PARTS: KnownParts = {
  localFormers: ['extractive-facts-1'],
  localReaders: ['extractive-reader-1'],
  localEmbedders: ['use-lite-512'],
  judgePresets: { names: ['correctness'], text: (name) => (name === 'correctness' ? 'Judge.' : null) },
  scorerProblem: (name) =>
    /^(judge:.*|token-f1|exact-match|evidence-recall@\d+)$/.test(name) ? null : `there is no scorer ${name}`,
};

/** A matrix without a fault, with the arms `bm25` and `none`. */
export const SOUND = `version: 1
name: sound
budget_usd: "0.50"
fixtures: [fixtures/allotment-band]
formation:
  profile: { provider: local, model: extractive-facts-1 }
reader: { provider: local, model: extractive-reader-1 }
providers:
  local: { kind: local }
arms:
  - { name: bm25, retrieval: { strategy: bm25 } }
  - { name: none, retrieval: { strategy: none } }
`;

/** Writes a matrix beside its fixture and other files, into a folder of the test's own. */
export async function writeMatrix(text: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'fixtures'));
  const fixture = 'fixtures/allotment-band';
  await cp(join(PROJECT, fixture), join(folder, fixture), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const path = join(folder, 'm.yaml');
  await writeFile(path, text);
  return path;
}

/** Loads a matrix that must be sound. */
export async function loadText(text: string, files: Readonly<Record<string, string>> = {}): Promise<LoadedMatrix> {
  return loadMatrix(await writeMatrix(text, files), KNOWN_PARTS);
}

/** The faults of a matrix, as `CODE at the text that they point to`, in the order reported. Each must have a remedy and a place in the file. */
export async function faultsOf(text: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const path = await writeMatrix(text, files);
  const error = await loadMatrix(path, KNOWN_PARTS).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return [];
  if (!(error instanceof InvalidInputErrors)) throw error;
  for (const one of error.errors) {
    expect(one.kind).toBe('invalid-input');
    expect(one.remedy ?? '').not.toBe('');
    expect(one.location?.file).toBe(path);
  }
  return error.errors.map((one: RecallMatrixError) => `${one.code} at ${textAt(text, one)}`);
}

function textAt(text: string, { location }: RecallMatrixError): string {
  const line = text.split('\n')[(location?.line ?? 0) - 1] ?? '';
  return /^[^\s,:}\]]*/.exec(line.slice((location?.column ?? 0) - 1))?.[0] ?? '';
}
