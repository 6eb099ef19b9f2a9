import { lockVectorRecording } from '../../bank/vector-recorder.js';
import { RecallMatrixError } from '../../core/errors.js';
import type { ProcessLock } from '../../core/process-lock.js';
import type { RecorderWait } from '../formation/await-recorder.js';

/** How often another process's lock is looked at. */
const LOOK_EVERY_MS = 500;

/** Whom the next one of this process waits for, by the recording's file. */
const here = new Map<string, Promise<unknown>>();

/**
 * Does the work of recording vectors while nobody else records the same: neither another block of this process, which is waited for, nor
 * another process, which is waited for as long as the session does (FB-13). The work looks first whether they have been recorded meanwhile.
 *
 * @param pending the recording's file, whether it is there or not.
 * @throws `VECTOR_RECORDING_IN_PROGRESS` (exit 5) once the wait is over; what the signal was aborted with; what the work throws.
 */
export async function asOnlyRecorder<T>(pending: string, wait: RecorderWait, work: () => Promise<T>): Promise<T> {
  const before = here.get(pending) ?? Promise.resolve();
  const turn = before.then(() => underLock(pending, wait, work));
  const ended = turn.catch(() => {});
  here.set(pending, ended);
  try {
    return await turn;
  } finally {
    if (here.get(pending) === ended) here.delete(pending);
  }
}

async function underLock<T>(pending: string, wait: RecorderWait, work: () => Promise<T>): Promise<T> {
  const lock = await awaitLock(pending, wait);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function awaitLock(pending: string, wait: RecorderWait): Promise<ProcessLock> {
  const { clock, signal, recorder_wait_ms, progress } = wait;
  const deadline = clock.monotonicMs() + recorder_wait_ms;
  for (let waited = false; ; waited = true) {
    try {
      return await lockVectorRecording(pending, clock.now());
    } catch (error) {
      if (!isInProgress(error) || clock.monotonicMs() >= deadline) throw error;
      const text = `${error.message}; waiting for its vector bank, up to ${recorder_wait_ms / 1000} s`;
      if (!waited) progress({ kind: 'note', text });
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

function isInProgress(error: unknown): error is RecallMatrixError {
  return error instanceof RecallMatrixError && error.code === 'VECTOR_RECORDING_IN_PROGRESS';
}
