import { chmod, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../src/core/process-mark.js';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** What must be free there: a whole run holds some hundred megabytes at once, most of it the server's log of changes. */
const NEEDED_BYTES = 4 * 2 ** 30;
const PREFIX = 'recall-matrix-tests-';

/**
 * Lets the temporary files of this process, and of those that it starts, lie in memory where there is room: hundreds of scratch databases are made
 * and dropped, and a disk's file system spends more on their files than the tests do. Nothing here survives a power cut anyway.
 *
 * @returns puts everything back.
 */
export async function useMemoryFolder(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR;
  if (tmpdir().startsWith(MEMORY) || !(await hasRoom())) return async () => {};
  await removeAbandoned();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  await mkdir(folder);
  // As open as any place for temporary files: tests start programs as other users.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Folders of our runs that were killed: memory is not cleaned up by anybody else. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    if (!name.startsWith(PREFIX) || isRunning(Number(name.slice(PREFIX.length)))) continue;
    const path = join(MEMORY, name);
    if ((await stat(path)).uid === process.getuid?.()) await rm(path, { recursive: true, force: true });
  }
}
