import { basename } from 'node:path';
import { bankRefused, invalidInput } from '../core/errors.js';
import { type Journal, openJournal } from '../core/journal.js';
import { type ProcessTable, systemProcesses } from '../core/process-mark.js';
import { scanForSecrets } from '../core/secret-scan.js';
import { AdoptingJournal } from './adopting-journal.js';
import type { BankIdentity } from './bank.js';
import { parsePendingName, pendingPath } from './bank-names.js';
import { isFinished } from './completed-banks.js';
import { type EarlierCalls, earlierCalls } from './earlier-calls.js';
import { holdsSecret } from './holds-secret.js';
import { identityDifferences } from './identity-difference.js';
import { withJournalMutex } from './journal-mutex.js';
import { appendPending, type PendingContent, readPendingJournal } from './pending-journal.js';
import { type Recording, type RecordingOptions, RecordingProvider } from './recording.js';
import { headerOf, refuseExisting } from './recording-provider.js';
import { refusePending, standingOf } from './unfinished-recordings.js';

/** An interrupted recording that could be continued now. */
export interface Continuable {
  readonly content: PendingContent;
  readonly earlier: Omit<EarlierCalls, 'continues'>;
}

/**
 * Reads a pending journal, whoever's it is.
 *
 * @throws `JOURNAL_NOT_FOUND` (exit 2) where the path is none; `BANK_JOURNAL_BROKEN` (exit 5).
 */
export async function readInterrupted(journal: string): Promise<PendingContent> {
  const content = parsePendingName(journal) === null ? null : await readPendingJournal(journal);
  if (content !== null) return content;
  throw invalidInput('JOURNAL_NOT_FOUND', `${journal} is no pending recording`, {
    remedy: 'recall-matrix bank list FOLDER names them',
  });
}

/**
 * Checks that an interrupted recording can be continued as one of a fixture and identity (FB-9). Changes nothing.
 *
 * @throws exit 5: `BANK_CONTINUE_IDENTITY_DIFFERS`, naming the fields; `BANK_RECORDING_IN_PROGRESS` while its recorder lives;
 * `BANK_EXISTS` where its bank is there; `BANK_RECORDING_FAILED` where it was decided; `BANK_JOURNAL_BROKEN`.
 */
export async function checkContinuable(
  journal: string,
  as: { readonly folder: string; readonly fixture: string; readonly identity: BankIdentity },
  processes: ProcessTable = systemProcesses,
): Promise<Continuable> {
  const content = await readInterrupted(journal);
  const { header } = content;
  const differs = [
    ...(header.fixture === as.fixture ? [] : ['fixture']),
    ...identityDifferences(header.identity, as.identity),
  ];
  if (differs.length > 0 || basename(journal) !== basename(pendingPath(as.folder, as.fixture, as.identity))) {
    const what = differs.join(', ') || 'the name of its file';
    throw bankRefused('BANK_CONTINUE_IDENTITY_DIFFERS', `${journal} was begun as another recording; ${what} differs`, {
      remedy:
        'restore the matrix, fixture and version that it was begun with, or abandon it with recall-matrix bank abandon and record anew',
      details: { differs: what },
    });
  }
  const standing = standingOf(content, processes);
  if (standing === 'recording') throw refusePending(content, processes);
  if (standing === 'failed') {
    throw bankRefused('BANK_RECORDING_FAILED', `${journal} failed or was abandoned: it is not eligible for a bank`, {
      remedy: 'record anew: recall-matrix record moves it to the failed ones',
    });
  }
  if (!(await isFinished(as.folder, content))) await refuseExisting(as);
  else
    throw bankRefused('BANK_EXISTS', `the bank of ${journal} is complete: nothing is left to continue`, {
      remedy: 'run or record as before: the bank is replayed',
    });
  return { content, earlier: earlierCalls(content) };
}

/**
 * Continues an interrupted recording (FB-9): its durable completions are taken over, each once its request was found to be the same, and
 * only what is missing is asked, through `options.inner`. A reservation without a completion may have been billed, and is asked again.
 *
 * Of two processes one claims the journal, by a line in it; while that process lives, the other is refused. A continuation that stops
 * before it has sent or sealed anything leaves the journal where it was; later, one of its own stands in its place. Either can be continued.
 *
 * @throws what `checkContinuable` throws. The recording then throws `BANK_CONTINUE_REQUEST_CHANGED` or `BANK_CONTINUE_CALLS_LEFT` (exit 5).
 */
export async function continueRecording(
  options: RecordingOptions,
  journal: string,
  processes: ProcessTable = systemProcesses,
): Promise<Recording> {
  const findings = await scanForSecrets(options.identity, options.secrets);
  if (findings.length > 0) throw holdsSecret('what the bank would bind', findings);
  await readInterrupted(journal);
  const { earlier, claimed } = await withJournalMutex(journal, async () => {
    const { earlier } = await checkContinuable(journal, options, processes);
    const claimed = await openJournal(journal, 'append');
    await closeOnFailure(claimed, () =>
      appendPending(claimed, { kind: 'continued', process: processes.self(), at: options.clock.now() }),
    );
    return { earlier, claimed };
  });
  const adopting = await closeOnFailure(claimed, () =>
    AdoptingJournal.open(claimed, {
      folder: options.folder,
      header: headerOf(options, processes),
      earlier,
      onAdopted: async () => options.onStep?.('adopted'),
    }),
  );
  return new RecordingProvider(options, adopting, { ...earlier, continues: adopting.cited });
}

async function closeOnFailure<T>(journal: Journal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await journal.close();
    throw error;
  }
}
