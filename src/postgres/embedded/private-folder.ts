import { chmod, lstat, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../core/durable-files.js';

/** Writable by somebody else. */
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Why a folder cannot be trusted or used; null where it can. */
export type Objection = string | null;

/**
 * Makes a folder where it is missing and says why it may not be trusted: it must be a real folder (no link), our own, and
 * writable by nobody else. A folder that another user prepared under a guessable name is so refused.
 *
 * @param mode of a folder that is made; an existing one keeps its own.
 */
export async function preparePrivateFolder(path: string, mode: number): Promise<Objection> {
  try {
    await makeFolder(dirname(path));
    await mkdir(path, { mode });
    // The process's umask may have taken more than was meant.
    await chmod(path, mode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return message;
  }
  return objectionTo(path);
}

/** Why an existing path is not a folder of our own that only we can change; null where it is. */
export async function objectionTo(path: string): Promise<Objection> {
  const info = await lstat(path);
  if (!info.isDirectory()) return `${path} is not a folder`;
  const uid = process.getuid?.();
  if (uid === undefined) return null;
  if (info.uid !== uid) return `${path} belongs to user ${info.uid}`;
  if ((info.mode & OTHERS_WRITE) !== 0) return `${path} may be changed by other users`;
  return objectionToParents(path);
}

async function objectionToParents(path: string): Promise<Objection> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o002) !== 0 && (mode & STICKY) === 0) return `${folder} may be changed by other users`;
    if (folder === dirname(folder)) return null;
  }
}

/** Whether an unprivileged user can enter a folder: it and all above it let anybody pass. */
export async function anybodyCanEnter(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
