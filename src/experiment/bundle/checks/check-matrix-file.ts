import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolVersion } from '../../../core/tool-version.js';
import { writtenMatrix } from '../../../matrix/written-matrix.js';
import type { CheckedBundle } from './checked-bundle.js';

const WHAT = 'matrix file, as the resolved matrix is written';

/** The matrix that can be run says what the resolved one does: it is compared as text, since a matrix of a stranger's is not loaded, and modules of it would run. */
export async function checkMatrixFile({ folder, manifest, workspace, record, findings }: CheckedBundle): Promise<void> {
  const { matrix_file: path } = manifest;
  if (path === null) return findings.skipped('matrix file', 'the bundle has none: `missing` says why');
  if (path !== workspace.matrixFile) return findings.fault(path, 'it is not where the matrix of the run lies');
  const text = await readFile(join(folder, ...path.split('/')), 'utf8').catch(() => null);
  if (text === writtenMatrix(record.matrix)) return findings.looked(WHAT);
  if (manifest.tool.version !== toolVersion())
    return findings.skipped('matrix file', `version ${manifest.tool.version} wrote it, and another reads it`);
  findings.fault(path, 'it does not say what the resolved matrix of the run says');
}
