import { readFile, unlink } from 'node:fs/promises';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { writeExclusive } from '../core/durable-files.js';
import { invalidInput } from '../core/errors.js';
import { type ProcessMark, systemProcesses } from '../core/process-mark.js';

/** Held while a process writes a ledger: two writers would each pass their own check and overspend together. */
export interface WriterLock {
  release(): Promise<void>;
}

const markSchema = z.object({ host: z.string(), pid: z.int().positive(), started: z.string().nullable() });

const heldHere = new Set<string>();

/**
 * Takes the one writer's place of a ledger. A holder that was killed is found to be dead at once, and replaced.
 *
 * @throws `LEDGER_IN_USE` (exit 2) where a process that lives, or one on another machine, writes it; `LEDGER_LOCK_BROKEN` (exit 2).
 */
export async function lockWriter(ledgerPath: string): Promise<WriterLock> {
  const path = lockPath(ledgerPath);
  // The mutex covers only the look at the holder and its replacement, so that two processes cannot both bury the same dead one.
  const unlock = await lock(path, { realpath: false, retries: { retries: 20, minTimeout: 10, maxTimeout: 1000 } });
  try {
    const holder = await liveHolder(path);
    if (holder !== null) throw inUse(ledgerPath, holder);
    await removeIfThere(path);
    await writeExclusive(path, `${JSON.stringify(systemProcesses.self())}\n`);
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

/** Whether some process writes this ledger now. */
export async function hasWriter(ledgerPath: string): Promise<boolean> {
  return (await liveHolder(lockPath(ledgerPath))) !== null;
}

/** Beside the ledger: names the process that writes it; gone when it ends well. */
function lockPath(ledgerPath: string): string {
  return `${ledgerPath}.writer`;
}

async function liveHolder(path: string): Promise<ProcessMark | null> {
  const holder = await readHolder(path);
  if (holder === null || heldHere.has(path)) return holder;
  const self = systemProcesses.self();
  // Our own id in a file that we did not write: an earlier process had the same one.
  if (holder.host === self.host && holder.pid === self.pid) return null;
  return systemProcesses.isAlive(holder) === false ? null : holder;
}

async function readHolder(path: string): Promise<ProcessMark | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const mark = markSchema.safeParse(jsonOrNull(text));
  if (mark.success) return mark.data;
  throw invalidInput('LEDGER_LOCK_BROKEN', `${path} does not name a process`, {
    remedy: `make sure that no recall-matrix runs there, and remove ${path}`,
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

function inUse(ledgerPath: string, holder: ProcessMark): Error {
  return invalidInput('LEDGER_IN_USE', `process ${holder.pid} on ${holder.host} writes the ledger ${ledgerPath}`, {
    remedy: `wait for it to end; if it is no recall-matrix, remove ${lockPath(ledgerPath)}`,
  });
}
