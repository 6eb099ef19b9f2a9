import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bankPath } from '../../bank/bank-names.js';
import { shortDigest } from '../../core/digest.js';
import { makeFolder, PRIVATE_FOLDER_MODE, syncFolder } from '../../core/durable-files.js';
import { invalidInput, messageOf, RecallMatrixError } from '../../core/errors.js';
import { shellWord } from '../../core/shell-word.js';
import type { BundleVerification } from '../bundle-document.js';
import { bundleStatements, RUN_FOLDER } from './bundle-format.js';
import { checkBundle } from './checks/check-bundle.js';
import type { CheckedBundle } from './checks/checked-bundle.js';
import { unpackBundle } from './unpack-bundle.js';
import { usedBanks } from './used-banks.js';

/**
 * Checks a bundle of somebody else's: needs nothing but the file (RP-7).
 *
 * @param path absolute.
 * @param extractTo where it is unpacked to, absolute; must not exist. Null: it is unpacked aside, and removed.
 * @throws exit 2: what `unpackBundle` and `checkBundle` throw, all faults of its content together; `BUNDLE_FOLDER_EXISTS`, `BUNDLE_NOT_UNPACKED`.
 */
export async function verifyBundle(path: string, extractTo: string | null): Promise<BundleVerification> {
  if (extractTo !== null && (await isThere(extractTo))) throw folderExists(extractTo);
  const aside = await openAside(extractTo);
  try {
    const unpacked = await unpackBundle(path, aside);
    const checked = await checkBundle(unpacked);
    if (extractTo !== null) await putInPlace(aside, extractTo);
    const { manifest, findings } = checked;
    return {
      format: 'bundle-verification@1',
      run: manifest.run,
      matrix: manifest.matrix,
      bundle: unpacked.digest,
      sha256: unpacked.sha256,
      files: manifest.files.length + 1,
      bytes: unpacked.bytes,
      redacted: manifest.redaction !== null,
      checked: findings.checked,
      not_checked: findings.notChecked,
      missing: manifest.missing,
      // Not as the bundle says: who made it may say what they like.
      does_not_show: [...bundleStatements(manifest.redaction !== null).does_not_show, ...unplanned(checked)],
      extracted: extractTo,
      next: extractTo === null ? null : reproduceCommand(checked, extractTo),
    };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** No plan covers labels that were changed after the answers (MX-8). */
function unplanned({ record: { result } }: CheckedBundle): string[] {
  const fixtures = result.changed_labels.map(({ fixture }) => fixture);
  if (fixtures.length === 0) return [];
  return [
    `that anything is as it was planned: labels of ${fixtures.join(', ')} were changed after the answers, which were scored again by them`,
  ];
}

/** The first bank with the baseline, or the first arm: any other works as well. */
function reproduceCommand({ manifest, record, workspace, has }: CheckedBundle, folder: string): string | null {
  const { formation, baseline, arms } = record.matrix;
  const place = formation === null ? null : workspace.place(formation.formation_bank_directory);
  const bank = usedBanks(record).find(({ fixture, digest }) => place !== null && has(bankPath(place, fixture, digest)));
  const arm = baseline ?? arms.find(({ reference }) => !reference)?.name;
  if (bank === undefined || arm === undefined || manifest.matrix_file === null) return null;
  const [matrix, run] = [manifest.matrix_file, RUN_FOLDER].map((path) => shellWord(join(folder, path)));
  return `recall-matrix reproduce ${shortDigest(bank.digest)} --arm ${shellWord(arm)} --matrix ${matrix} --against ${run}`;
}

async function openAside(extractTo: string | null): Promise<string> {
  try {
    if (extractTo === null) return await mkdtemp(join(tmpdir(), 'recall-matrix-bundle-'));
    await makeFolder(dirname(extractTo), PRIVATE_FOLDER_MODE);
    return await mkdtemp(join(dirname(extractTo), `.${basename(extractTo)}.`));
  } catch (cause) {
    throw notUnpacked(extractTo ?? tmpdir(), cause);
  }
}

async function putInPlace(aside: string, folder: string): Promise<void> {
  try {
    // Exclusive: nothing of a folder that came there meanwhile is replaced.
    await mkdir(folder, { mode: PRIVATE_FOLDER_MODE });
    await rename(aside, folder);
    await syncFolder(dirname(folder));
  } catch (cause) {
    if (cause instanceof RecallMatrixError) throw cause;
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? folderExists(folder) : notUnpacked(folder, cause);
  }
}

function folderExists(folder: string): Error {
  return invalidInput('BUNDLE_FOLDER_EXISTS', `${folder} is there already`, {
    remedy: 'name a folder that is not there',
  });
}

function notUnpacked(folder: string, cause: unknown): Error {
  return invalidInput('BUNDLE_NOT_UNPACKED', `cannot unpack into ${folder}: ${messageOf(cause)}`, {
    remedy: 'name a folder that you may write to, with room for it',
    cause,
  });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
