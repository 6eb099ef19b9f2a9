import { readFile } from 'node:fs/promises';
import type { Digest } from '../core/digest.js';
import { invalidInput, messageOf } from '../core/errors.js';
import { parseYamlSource } from '../core/yaml-source.js';
import type { LoadedMatrix, ResolvedMatrix } from './matrix.js';
import { matrixDigest } from './resolve-matrix.js';

/**
 * Reads a resolved matrix back from a run folder. The digest vouches for it: what was resolved once is not resolved again, whatever
 * became of the files that it was made from.
 *
 * @param source where its matrix file was: its paths are relative to that folder.
 * @throws `RUN_MATRIX_BROKEN` (exit 2) where the file is not the one that the digest names.
 */
export async function readResolvedMatrix(path: string, digest: Digest, source: string): Promise<LoadedMatrix> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw broken(path, messageOf(cause));
  }
  const yaml = parseYamlSource(path, text);
  if (yaml.faults.length > 0) throw broken(path, yaml.faults[0]?.message ?? '');
  const matrix = yaml.value as ResolvedMatrix;
  const found = digestOf(path, matrix);
  if (found !== digest) throw broken(path, `it has digest ${found}, and the run's is ${digest}`);
  // Where the run writes, and has its ledger, its folder says.
  const ledger = { home: 'file' as const, url_env: null };
  return { path: source, matrix, digest, output_folder: null, ledger, locate: yaml.locate };
}

/** What no resolved matrix holds, such as a number that is none, has no digest at all. */
function digestOf(path: string, matrix: ResolvedMatrix): Digest {
  try {
    return matrixDigest(matrix);
  } catch (cause) {
    throw broken(path, messageOf(cause));
  }
}

function broken(path: string, why: string): Error {
  return invalidInput('RUN_MATRIX_BROKEN', `${path} is not the matrix of its run: ${why}`, {
    remedy: 'restore the file from a copy, or start a new run',
  });
}
