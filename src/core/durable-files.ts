import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { invalidInput, messageOf } from './errors.js';
import { regularFile } from './text-file.js';

/** Private files: readable and writable by their owner alone. */
export const PRIVATE_FILE_MODE = 0o600;
/** Private folders: of histories, banks and answers. */
export const PRIVATE_FOLDER_MODE = 0o700;

/** Syncs a folder, so that a name made in it survives a crash. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and its parents. An unwritable place is the user's to mend (exit 2). */
export async function ensureFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await makeFolder(path, mode);
  } catch (cause) {
    throw invalidInput('FOLDER_NOT_WRITABLE', `cannot make the folder ${path}: ${messageOf(cause)}`, {
      remedy: 'name a folder that you may write to',
      cause,
    });
  }
}

/**
 * Makes a folder and its parents, each tried at most twice. Node's own recursive `mkdir` never returns where a folder answers that a child of
 * it is not there (ENOENT), as /proc does: it makes the parent again for ever.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const problem = await tryToMake(path, mode);
  if (problem === null) return;
  const parent = dirname(path);
  if (problem.code !== 'ENOENT' || parent === path) throw problem;
  await makeFolder(parent, mode);
  const still = await tryToMake(path, mode);
  if (still !== null) throw still;
}

/** @returns null where the folder is there, or is there now. */
async function tryToMake(path: string, mode: number): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, { mode });
    return null;
  } catch (problem) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isThere ? null : (problem as NodeJS.ErrnoException);
  }
}

/**
 * Writes a file that must not exist yet (FB-10): aside, synced, linked into place, the folder synced. A crash leaves the whole
 * file or none.
 *
 * @returns false where the name is taken already; the existing file is untouched.
 */
export async function writeExclusive(
  path: string,
  bytes: Uint8Array | string,
  mode = PRIVATE_FILE_MODE,
): Promise<boolean> {
  const aside = asidePath(path);
  await writeSynced(aside, bytes, mode);
  try {
    await link(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(aside);
  }
  await syncFolder(dirname(path));
  return true;
}

/**
 * Replaces a file whole, or makes it: aside, synced, renamed, the folder synced.
 *
 * @param bytes in pieces where the whole would not fit into memory; where making one fails, the file is as it was.
 */
export async function writeReplacing(
  path: string,
  bytes: Uint8Array | string | AsyncIterable<string>,
  mode = PRIVATE_FILE_MODE,
): Promise<void> {
  const aside = asidePath(path);
  await writeSynced(aside, bytes, mode);
  try {
    await rename(aside, path);
  } catch (error) {
    await unlink(aside);
    throw error;
  }
  await syncFolder(dirname(path));
}

const ASIDE = /^\..+\.[0-9a-f]{12}\.tmp$/;

/** Removes what a crash left aside, in a folder and below. Only for a folder that nobody else writes to. */
export async function removeLeftAsides(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isFile() && ASIDE.test(entry.name)) await unlink(join(entry.parentPath, entry.name));
  }
}

function asidePath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
}

async function writeSynced(
  path: string,
  bytes: Uint8Array | string | AsyncIterable<string>,
  mode: number,
): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', mode);
  try {
    if (typeof bytes === 'string' || bytes instanceof Uint8Array) await handle.writeFile(bytes);
    // Each goes on where the last one ended.
    else for await (const piece of bytes) await handle.writeFile(piece);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await unlink(path);
    throw error;
  }
  await handle.close();
}

/**
 * Reads a whole file of at most `limitBytes`, its size checked before a byte is read.
 *
 * @returns null where there is no such file.
 * @throws the error that `tooLarge` makes, where it is larger; `NOT_A_FILE` for a device, a pipe or a folder.
 */
export async function readBounded(
  path: string,
  limitBytes: number,
  tooLarge: (bytes: number) => Error,
): Promise<Buffer | null> {
  let handle: FileHandle;
  try {
    await regularFile(path);
    handle = await open(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size } = await handle.stat();
    if (size > limitBytes) throw tooLarge(size);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
