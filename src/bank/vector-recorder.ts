import { basename, dirname, join } from 'node:path';
import { ensureFolder, PRIVATE_FOLDER_MODE } from '../core/durable-files.js';
import { bankRefused, invalidInput } from '../core/errors.js';
import { type LockHolder, lockForProcess, lockHolder, type ProcessLock } from '../core/process-lock.js';

/**
 * Takes a pending recording of vectors for this process, whether its file is there yet or not; a dead holder is replaced (FB-13).
 *
 * @param now an ISO instant.
 * @throws `VECTOR_RECORDING_IN_PROGRESS` (exit 5), naming the process that has it; `VECTOR_LOCK_BROKEN`, `LOCK_NOT_WRITABLE` (exit 2).
 */
export async function lockVectorRecording(pending: string, now: string): Promise<ProcessLock> {
  await ensureFolder(dirname(pending), PRIVATE_FOLDER_MODE);
  return lockForProcess(lockPath(pending), now, { inUse: (holder) => inProgress(pending, holder), broken });
}

/** The process that records into a file now; null where none does. */
export function vectorRecorder(pending: string): Promise<LockHolder | null> {
  return lockHolder(lockPath(pending), broken);
}

function lockPath(pending: string): string {
  return join(dirname(pending), `.${basename(pending)}.lock`);
}

function inProgress(pending: string, { pid, host, since }: LockHolder): Error {
  return bankRefused(
    'VECTOR_RECORDING_IN_PROGRESS',
    `vectors are being recorded by process ${pid} on ${host} since ${since}: ${pending}`,
    {
      remedy: `wait until it is done, then start again: its vector bank will be replayed; if it is no recall-matrix, remove ${lockPath(pending)}`,
      details: { journal: pending, pid, host },
    },
  );
}

function broken(path: string): Error {
  return invalidInput('VECTOR_LOCK_BROKEN', `${path} does not name a process`, {
    remedy: `make sure that no recall-matrix records there, and remove ${path}`,
  });
}
