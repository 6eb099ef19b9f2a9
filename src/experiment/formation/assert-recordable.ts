import { randomBytes } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder, PRIVATE_FOLDER_MODE, writeExclusive } from '../../core/durable-files.js';
import { invalidInput, messageOf } from '../../core/errors.js';
import type { PreparedRun } from '../prepare-run.js';
import { bankFolderOf } from './formation-bank.js';

/**
 * Makes sure that a bank that is due can be written, before a server starts or anything is sent: a file is made in its folder, and removed.
 *
 * @throws `FOLDER_NOT_WRITABLE` (exit 2).
 */
export async function assertRecordable({ loaded, plans }: PreparedRun): Promise<void> {
  if (!plans.some(({ action }) => action === 'record')) return;
  const folder = bankFolderOf(loaded);
  await ensureFolder(folder, PRIVATE_FOLDER_MODE);
  // A try rather than a look at modes: those say nothing of a file system that is mounted read-only.
  const probe = join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    await writeExclusive(probe, '');
    await unlink(probe);
  } catch (cause) {
    throw invalidInput('FOLDER_NOT_WRITABLE', `cannot record into ${folder}: ${messageOf(cause)}`, {
      location: loaded.locate(['formation', 'formation_bank_directory']),
      remedy:
        'name a bank folder that you may write to, on a disk with space and hard links; --bank-directory replaces it',
      cause,
    });
  }
}
