import type { BankIdentity, BankLookup } from '../../bank/bank.js';
import type { BankFolder } from '../../bank/bank-folder.js';
import type { Clock } from '../../core/clock.js';
import type { Digest } from '../../core/digest.js';
import { bankRefused, RecallMatrixError } from '../../core/errors.js';
import type { Progress } from '../experiment.js';

/** How long a command waits for another process that records a bank it needs, where nothing else is said. */
export const DEFAULT_RECORDER_WAIT_MS = 600_000;

/** How often the folder is looked at meanwhile. */
const LOOK_EVERY_MS = 500;

/** Patience with another process's recording (FB-13). */
export interface RecorderWait {
  /** 0: none. */
  readonly recorder_wait_ms: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Which bank is needed. */
export interface WantedBank {
  readonly fixture: string;
  readonly identity: BankIdentity;
  readonly pinned: Digest | null;
}

/**
 * Looks a bank up; while another process records it, waits for that process, and then finds what it sealed (FB-13). Nothing is sent.
 *
 * @throws exit 5: what `BankFolder.find` throws, so `BANK_RECORDING_INTERRUPTED` where the recorder died; `BANK_RECORDING_IN_PROGRESS` once the wait is over;
 * `BANK_RECORDING_FAILED` where the recording waited for failed. What the signal was aborted with.
 */
export async function findOrAwait(folder: BankFolder, wanted: WantedBank, wait: RecorderWait): Promise<BankLookup> {
  const { fixture, identity, pinned } = wanted;
  const deadline = wait.clock.monotonicMs() + wait.recorder_wait_ms;
  let waited = false;
  for (;;) {
    try {
      const lookup = await folder.find(fixture, identity, pinned);
      if (waited && lookup.kind === 'none') throw failedMeanwhile(fixture, folder.path);
      return lookup;
    } catch (error) {
      if (!isInProgress(error)) throw error;
      if (wait.clock.monotonicMs() >= deadline) throw stillInProgress(error, wait.recorder_wait_ms);
      if (!waited) {
        const text = `${error.message}; waiting for its bank, up to ${wait.recorder_wait_ms / 1000} s`;
        wait.progress({ kind: 'note', text });
      }
      waited = true;
    }
    await wait.clock.sleep(LOOK_EVERY_MS, wait.signal);
  }
}

/** Whether an error says that another process records at this moment. */
export function isInProgress(error: unknown): error is RecallMatrixError {
  return error instanceof RecallMatrixError && error.code === 'BANK_RECORDING_IN_PROGRESS';
}

function stillInProgress(error: RecallMatrixError, waitMs: number): RecallMatrixError {
  return bankRefused(error.code, error.message, {
    remedy: `start again once it is done: its bank will be replayed; or wait longer than ${waitMs / 1000} s with --wait`,
    details: error.details,
  });
}

function failedMeanwhile(fixture: string, folder: string): RecallMatrixError {
  return bankRefused('BANK_RECORDING_FAILED', `the recording of ${fixture} that was waited for failed`, {
    remedy: `recall-matrix bank list ${folder} says why; once that is mended, start again: nothing was sent here`,
  });
}
