import { invalidInput } from '../core/errors.js';
import { type LockHolder, lockForProcess, lockHolder, type ProcessLock } from '../core/process-lock.js';

/** Held while a process writes a ledger: two writers would each pass their own check and overspend together. */
export type WriterLock = ProcessLock;

/**
 * Takes the one writer's place of a ledger. A holder that was killed is found to be dead at once, and replaced.
 *
 * @param now an ISO instant.
 * @throws `LEDGER_IN_USE` (exit 2) where a process that lives, or one on another machine, writes it; `LEDGER_LOCK_BROKEN` (exit 2).
 */
export function lockWriter(ledgerPath: string, now: string): Promise<WriterLock> {
  const path = lockPath(ledgerPath);
  return lockForProcess(path, now, { broken, inUse: (holder) => inUse(ledgerPath, holder) });
}

/** Whether some process writes this ledger now. */
export async function hasWriter(ledgerPath: string): Promise<boolean> {
  return (await lockHolder(lockPath(ledgerPath), broken)) !== null;
}

/** Beside the ledger: names the process that writes it; gone when it ends well. */
function lockPath(ledgerPath: string): string {
  return `${ledgerPath}.writer`;
}

function broken(path: string): Error {
  return invalidInput('LEDGER_LOCK_BROKEN', `${path} does not name a process`, {
    remedy: `make sure that no recall-matrix runs there, and remove ${path}`,
  });
}

function inUse(ledgerPath: string, holder: LockHolder): Error {
  return invalidInput('LEDGER_IN_USE', `process ${holder.pid} on ${holder.host} writes the ledger ${ledgerPath}`, {
    remedy: `wait for it to end; if it is no recall-matrix, remove ${lockPath(ledgerPath)}`,
  });
}
