import { join } from 'node:path';
import { RecallMatrixError } from '../../core/errors.js';
import { loadMatrix } from '../../matrix/load-matrix.js';
import { writtenMatrix } from '../../matrix/written-matrix.js';
import { KNOWN_PARTS } from '../prepare-run.js';
import type { RunRecord } from '../run-record.js';
import type { BundleManifest } from './bundle-format.js';
import type { BundleStage } from './bundle-stage.js';
import { isTiedToMachine, type Workspace } from './workspace.js';

/**
 * Puts the matrix into a bundle as a file that can be run, where it resolves to the matrix of the run.
 *
 * @returns why there is none; null where there is.
 */
export async function putMatrix(
  stage: BundleStage,
  { matrix, manifest }: Pick<RunRecord, 'matrix' | 'manifest'>,
  { matrixFile }: Workspace,
): Promise<BundleManifest['missing'][number] | null> {
  const none = (why: string) => ({ what: 'the matrix as a file that can be run', why });
  if (isTiedToMachine(matrix)) return none('it names files from the root of its machine');
  const path = join(stage.folder, ...matrixFile.split('/'));
  await stage.write(matrixFile, Buffer.from(writtenMatrix(matrix), 'utf8'));
  // Loading a module runs it: it was bound when the run was made, and its files are checked by their digest.
  if (matrix.modules !== undefined) return null;
  try {
    const { digest } = await loadMatrix(path, KNOWN_PARTS);
    if (digest === manifest.matrix.digest) return null;
    await stage.takeOut(matrixFile);
    return none('this version resolves it to another matrix than the one that was run');
  } catch (error) {
    if (!(error instanceof RecallMatrixError)) throw error;
    await stage.takeOut(matrixFile);
    return none('a file that it names is not in the bundle');
  }
}
