import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { invalidInput } from '../core/errors.js';
import { type LockHolder, lockForProcess, type ProcessLock } from '../core/process-lock.js';

/**
 * Takes a run folder for this process: a run, or its resumption or extension, is continued by one process at a time (OB-5). A dead
 * holder is replaced.
 *
 * @throws `RUN_IN_USE` (exit 2), naming the process that has it; `RUN_LOCK_BROKEN` (exit 2).
 */
export function lockRun(folder: string, clock: Clock): Promise<ProcessLock> {
  const path = join(folder, 'run.lock');
  return lockForProcess(path, clock.now(), {
    inUse: (holder) => inUse(folder, path, holder),
    broken: () =>
      invalidInput('RUN_LOCK_BROKEN', `${path} does not name a process`, {
        remedy: `make sure that no recall-matrix runs there, and remove ${path}`,
      }),
  });
}

function inUse(folder: string, path: string, { pid, host, since }: LockHolder): Error {
  return invalidInput('RUN_IN_USE', `process ${pid} on ${host} has worked on ${folder} since ${since}`, {
    remedy: `wait for it to end; if it is no recall-matrix, remove ${path}`,
    details: { pid, host, since },
  });
}
