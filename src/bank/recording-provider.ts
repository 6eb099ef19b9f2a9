import { bankRefused, type RecallMatrixError } from '../core/errors.js';
import { type ProcessTable, systemProcesses } from '../core/process-mark.js';
import { scanForSecrets } from '../core/secret-scan.js';
import { DEFAULT_ATTEMPTS } from './attempts.js';
import type { BankFile } from './bank.js';
import { pendingPath } from './bank-names.js';
import { completedBanks, isFinished } from './completed-banks.js';
import { holdsSecret } from './holds-secret.js';
import { createPendingJournal, type PendingHeader, readPendingJournal } from './pending-journal.js';
import { type Recording, type RecordingOptions, RecordingProvider } from './recording.js';
import { REQUEST_IDENTITY_ALGORITHM } from './request-identity.js';
import { moveToFailed, refusePending, removeJournal, standingOf } from './unfinished-recordings.js';

export type { Recording, RecordingOptions } from './recording.js';

/**
 * Starts a recording (FB-9, FB-13). The journal's name is its identity's: of two processes one makes it, the other is refused.
 *
 * @throws exit 5: `BANK_EXISTS` where the folder holds a bank of this identity; `BANK_RECORDING_IN_PROGRESS`; `BANK_RECORDING_INTERRUPTED`, naming
 * the journal and the commands; `BANK_JOURNAL_BROKEN`; `BANK_HOLDS_SECRET` where the endpoint carries one.
 */
export async function openRecording(
  options: RecordingOptions,
  processes: ProcessTable = systemProcesses,
): Promise<Recording> {
  const path = pendingPath(options.folder, options.fixture, options.identity);
  await refuseExisting(options);
  const findings = await scanForSecrets(options.identity, options.secrets);
  if (findings.length > 0) throw holdsSecret('what the bank would bind', findings);
  await clearDecided(options.folder, path, processes);
  const journal = await createPendingJournal(path, headerOf(options, processes));
  if (journal === null) {
    const content = await readPendingJournal(path);
    if (content !== null) throw refusePending(content, processes);
    throw bankRefused('BANK_RECORDING_IN_PROGRESS', `another process recorded ${options.fixture} a moment ago`, {
      remedy: 'start again: its bank will be replayed',
    });
  }
  try {
    // Another process may have recorded, sealed and gone between the first look and the journal.
    await refuseExisting(options);
  } catch (error) {
    await journal.close();
    await removeJournal(path);
    throw error;
  }
  return new RecordingProvider(options, journal);
}

/** The first line of a recording that starts now. */
export function headerOf(options: RecordingOptions, processes: ProcessTable): PendingHeader {
  return {
    kind: 'header',
    format: 'pending-recording@1',
    identity_algorithm: REQUEST_IDENTITY_ALGORITHM,
    fixture: options.fixture,
    identity: options.identity,
    attempts: options.attempts ?? DEFAULT_ATTEMPTS,
    process: processes.self(),
    started_at: options.clock.now(),
  };
}

/** @throws `BANK_EXISTS` (exit 5) where the folder holds a bank of this identity. */
export async function refuseExisting({
  folder,
  fixture,
  identity,
}: Pick<RecordingOptions, 'folder' | 'fixture' | 'identity'>): Promise<void> {
  const [file] = (await completedBanks(folder, fixture, identity)).fitting;
  if (file !== undefined) throw exists(file);
}

/** Finishes what a crash left half done: a journal whose bank is there, or one that was decided and not moved yet. */
async function clearDecided(folder: string, path: string, processes: ProcessTable): Promise<void> {
  const content = await readPendingJournal(path);
  if (content === null) return;
  if (await isFinished(folder, content)) await removeJournal(path);
  else if (standingOf(content, processes) === 'failed') await moveToFailed(folder, path);
}

function exists(file: BankFile): RecallMatrixError {
  return bankRefused('BANK_EXISTS', `a bank of this identity is there already: ${file.path}`, {
    remedy: 'replay it, raise the replicate number to record another, or move it away',
    details: { bank: file.bank.digest },
  });
}
