import { constants } from 'node:fs';
import { access, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { writeExclusive } from './durable-files.js';
import { invalidInput, messageOf, RecallMatrixError } from './errors.js';
import { type ProcessMark, systemProcesses } from './process-mark.js';

/** Who holds a lock, and since when (an ISO instant). */
export interface LockHolder extends ProcessMark {
  readonly since: string;
}

/** A place that one process at a time may have. */
export interface ProcessLock {
  release(): Promise<void>;
}

/** What a lock that cannot be had throws. */
export interface LockRefusals {
  inUse(holder: LockHolder): Error;
  /** The file names no process. */
  broken(path: string): Error;
}

const holderSchema = z.object({
  host: z.string(),
  pid: z.int().positive(),
  started: z.string().nullable(),
  since: z.iso.datetime(),
});

const MUTEX_RETRIES = { retries: 20, minTimeout: 10, maxTimeout: 1000 };

const heldHere = new Set<string>();

/**
 * Takes a lock, which a file that names its holder stands for. A holder that was killed is found to be dead at once, and replaced; one on
 * another machine is believed to live.
 *
 * @param now an ISO instant.
 * @throws what the refusals make; `LOCK_NOT_WRITABLE` (exit 2) where the file cannot be written or read.
 */
export async function lockForProcess(path: string, now: string, refusals: LockRefusals): Promise<ProcessLock> {
  await usable(path, () => access(dirname(path), constants.W_OK | constants.X_OK));
  // The mutex covers only the look at the holder and its replacement, so that two processes cannot both bury the same dead one.
  const unlock = await usable(path, () => lock(path, { realpath: false, retries: MUTEX_RETRIES }));
  try {
    const holder = await lockHolder(path, refusals.broken);
    if (holder !== null) throw refusals.inUse(holder);
    await usable(path, async () => {
      await removeIfThere(path);
      await writeExclusive(path, `${JSON.stringify({ ...systemProcesses.self(), since: now })}\n`);
    });
    heldHere.add(path);
  } finally {
    await unlock();
  }
  return {
    release: async () => {
      if (heldHere.delete(path)) await removeIfThere(path);
    },
  };
}

/** Who holds a lock now; null where nobody that lives does. */
export async function lockHolder(path: string, broken: LockRefusals['broken']): Promise<LockHolder | null> {
  const holder = await readHolder(path, broken);
  if (holder === null || heldHere.has(path)) return holder;
  const self = systemProcesses.self();
  // Our own id in a file that we did not write: an earlier process had the same one.
  if (holder.host === self.host && holder.pid === self.pid) return null;
  return systemProcesses.isAlive(holder) === false ? null : holder;
}

async function readHolder(path: string, broken: LockRefusals['broken']): Promise<LockHolder | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw notUsable(path, error);
  }
  const holder = holderSchema.safeParse(jsonOrNull(text));
  if (holder.success) return holder.data;
  throw broken(path);
}

async function usable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RecallMatrixError ? error : notUsable(path, error);
  }
}

function notUsable(path: string, cause: unknown): Error {
  return invalidInput('LOCK_NOT_WRITABLE', `cannot take the lock ${path}: ${messageOf(cause)}`, {
    remedy: 'make its folder writable, on a disk with space, and run the command as the user whose folder it is',
    cause,
  });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
