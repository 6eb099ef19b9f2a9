import { join, posix } from 'node:path';
import { isSafeFixture } from '../../../bank/bank-names.js';
import { RecallMatrixError } from '../../../core/errors.js';
import { readResolvedMatrix } from '../../../matrix/resolved-matrix-file.js';
import { openRunRecord } from '../../reading/open-run-record.js';
import { RunFolder } from '../../run-folder.js';
import type { RunRecord } from '../../run-record.js';
import { RUN_FOLDER, RUN_RESULT } from '../bundle-format.js';
import { bundleRefused } from '../bundle-refusals.js';
import { isTakenOut } from '../redacted-parts.js';
import { runPart } from '../run-parts.js';
import type { UnpackedBundle } from '../unpack-bundle.js';
import { namedParts, workspaceOf } from '../workspace.js';
import { checkBanks } from './check-banks.js';
import { checkFixtures } from './check-fixtures.js';
import { checkJudgements } from './check-judgements.js';
import { checkLedger } from './check-ledger.js';
import { checkLessons } from './check-lessons.js';
import { checkManifest } from './check-manifest.js';
import { checkMatrixFile } from './check-matrix-file.js';
import { checkNamedParts } from './check-named-parts.js';
import { checkRequests } from './check-requests.js';
import { checkRows } from './check-rows.js';
import { checkUnnamedFiles } from './check-unnamed-files.js';
import type { CheckedBundle } from './checked-bundle.js';
import { Findings } from './findings.js';

/**
 * Checks what a bundle says against itself (RP-7): every digest of a row names something in it that has that digest, sums are the ledger's, counts
 * and means the rows', scores the answers'. Nothing outside its folder is read, and nothing in it is run.
 *
 * @throws exit 2: `BUNDLE_CONTENT_DIFFERS`, all faults together; `BUNDLE_ENTRY_REFUSED`; `BUNDLE_MALFORMED` where it holds no run.
 */
export async function checkBundle(bundle: UnpackedBundle): Promise<CheckedBundle> {
  const record = await recordOf(bundle);
  const workspace = workspaceOf(record.matrix);
  const files = new Set(bundle.manifest.files.map(({ path }) => path));
  const findings = new Findings();
  const paths = RunFolder.of(record.run, RUN_FOLDER, record.manifest.rows_folder);
  const checked: CheckedBundle = { ...bundle, record, paths, workspace, findings, has: (path) => files.has(path) };
  refuseStrangers(checked);
  findings.looked('files by their digests', bundle.manifest.files.length);
  const { manifest } = record;
  findings.same(RUN_RESULT, 'the run', manifest.run, bundle.manifest.run);
  findings.same(RUN_RESULT, 'the matrix', manifest.matrix.digest, bundle.manifest.matrix);
  findings.looked('resolved matrix by its digest');
  await checkMatrixFile(checked);
  checkManifest(checked);
  await checkEarlierMatrices(checked);
  await checkNamedParts(checked);
  await checkFixtures(checked);
  await checkBanks(checked);
  await checkRequests(checked);
  await checkRows(checked);
  await checkJudgements(checked);
  await checkLessons(checked);
  await checkLedger(checked);
  await checkUnnamedFiles(checked);
  findings.throwIfAny();
  return checked;
}

async function recordOf({ folder }: UnpackedBundle): Promise<RunRecord> {
  try {
    return await openRunRecord(join(folder, RUN_FOLDER));
  } catch (error) {
    if (!(error instanceof RecallMatrixError) || error.kind === 'internal') throw error;
    throw bundleRefused('MALFORMED', `it holds no run that can be read: ${error.message}`, RUN_RESULT);
  }
}

/** A run that was extended or scored again has rows, or had, of matrices before its last (OB-8). */
async function checkEarlierMatrices({ folder, record, findings }: CheckedBundle): Promise<void> {
  const { matrices, matrix } = record.manifest;
  for (const { digest, file } of matrices.slice(0, -1)) {
    const path = `${RUN_FOLDER}/${file}`;
    await findings.reading(path, () => readResolvedMatrix(join(folder, path), digest, matrix.path));
    findings.looked('resolved matrix by its digest');
  }
}

/** What names a file outside, or is no part of a bundle, is refused before anything is looked up by it (RS-4). */
function refuseStrangers({ manifest, folder, record, workspace }: CheckedBundle): void {
  const refused = (file: string, why: string): Error => bundleRefused('ENTRY_REFUSED', `${file}: ${why}`, file);
  const top = workspace.matrixFile.split('/')[0];
  for (const { path } of manifest.files) {
    const [first, ...rest] = path.split('/');
    const isKnown = first === RUN_FOLDER ? runPart(rest.join('/')) !== null : first === top && rest.length > 0;
    if (!isKnown) throw refused(path, 'it is no part of a bundle');
    if (manifest.redaction !== null && isTakenOut(path))
      throw refused(path, 'the bundle says that it is redacted, and holds what is taken out then');
  }
  if (record.manifest.matrix.path !== join(folder, ...workspace.matrixFile.split('/')))
    throw refused(RUN_RESULT, 'it says that its matrix lies elsewhere');
  for (const { path } of namedParts(record.matrix))
    if (posix.isAbsolute(path)) throw refused(RUN_RESULT, 'its matrix names a file from the root of a machine');
  for (const { id } of record.manifest.fixtures)
    if (!isSafeFixture(id)) throw refused(RUN_RESULT, `${JSON.stringify(id)} is no id of a fixture`);
}
