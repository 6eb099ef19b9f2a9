import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { invalidInput, RecallMatrixError } from '../core/errors.js';
import { type LockHolder, lockForProcess, type ProcessLock } from '../core/process-lock.js';

/** How long a writer waits for another: a harvest of a large run is done by then. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 25;

/**
 * Takes the one writer's place of a log: two writers would each add what the other adds too. Another writer is waited for, a bounded time; one that
 * was killed is replaced at once.
 *
 * @throws exit 2: `LESSON_LOG_IN_USE`, naming the process; `LESSON_LOCK_BROKEN`; what the signal was aborted with.
 */
export async function lockLog(
  folder: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ProcessLock> {
  const path = join(folder, 'lessons.lock');
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    try {
      return await lockForProcess(path, clock.now(), { inUse: (holder) => inUse(folder, path, holder), broken });
    } catch (error) {
      const isHeld = error instanceof RecallMatrixError && error.code === 'LESSON_LOG_IN_USE';
      if (!isHeld || clock.monotonicMs() >= deadline) throw error;
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

function inUse(folder: string, path: string, { pid, host, since }: LockHolder): Error {
  return invalidInput(
    'LESSON_LOG_IN_USE',
    `process ${pid} on ${host} has written the log in ${folder} since ${since}`,
    {
      remedy: `wait for it to end; if it is no recall-matrix, remove ${path}`,
      details: { pid, host, since },
    },
  );
}

function broken(path: string): Error {
  return invalidInput('LESSON_LOCK_BROKEN', `${path} does not name a process`, {
    remedy: `make sure that no recall-matrix writes lessons there, and remove ${path}`,
  });
}
