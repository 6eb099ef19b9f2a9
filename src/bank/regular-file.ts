import { lstat } from 'node:fs/promises';
import { readBounded } from '../core/durable-files.js';
import { bankRefused, messageOf, RecallMatrixError } from '../core/errors.js';

/**
 * Reads a bounded file of a bank folder, which others may have filled: a pipe or a device would block or never end, a link could leave the
 * folder (RS-4).
 *
 * @returns null where there is no such file.
 * @throws `BANK_UNREADABLE` (exit 5), or what `tooLarge` makes.
 */
export async function readRegularFile(
  path: string,
  limitBytes: number,
  tooLarge: (bytes: number) => Error,
): Promise<Buffer | null> {
  try {
    if (!(await lstat(path)).isFile()) throw new Error('it is no regular file');
    return await readBounded(path, limitBytes, tooLarge);
  } catch (cause) {
    if (cause instanceof RecallMatrixError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw bankRefused('BANK_UNREADABLE', `cannot read ${path}: ${messageOf(cause)}`, {
      remedy: 'make it a file that you may read, or move it away',
      cause,
    });
  }
}
