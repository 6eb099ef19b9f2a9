import { readFile, unlink } from 'node:fs/promises';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { writeExclusive } from './durable-files.js';
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

const heldHere = new Set<string>();

/**
 * Takes a lock, which a file that names its holder stands for. A holder that was killed is found to be dead at once, and replaced; one on
 * another machine is believed to live.
 *
 * @param now an ISO instant.
 */
export async function lockForProcess(path: string, now: string, refusals: LockRefusals): Promise<ProcessLock> {
  // The mutex covers only the look at the holder and its replacement, so that two processes cannot both bury the same dead one.
  const unlock = await lock(path, { realpath: false, retries: { retries: 20, minTimeout: 10, maxTimeout: 1000 } });
  try {
    const holder = await lockHolder(path, refusals.broken);
    if (holder !== null) throw refusals.inUse(holder);
    await removeIfThere(path);
    await writeExclusive(path, `${JSON.stringify({ ...systemProcesses.self(), since: now })}\n`);
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
    throw error;
  }
  const holder = holderSchema.safeParse(jsonOrNull(text));
  if (holder.success) return holder.data;
  throw broken(path);
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
