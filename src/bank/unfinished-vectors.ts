import { dirname, join } from 'node:path';
import { invalidInput, RecallMatrixError } from '../core/errors.js';
import { isThere } from '../core/is-there.js';
import { openJournal } from '../core/journal.js';
import { FAILED_FOLDER } from './bank-names.js';
import { namesIn } from './completed-banks.js';
import { readPendingVectors } from './pending-vectors.js';
import { abandonedLine, type PendingVectorsContent } from './pending-vectors-format.js';
import { appendReason, moveToFailed, removeJournal } from './unfinished-recordings.js';
import type { VectorBankIdentity } from './vector-bank.js';
import { findVectorBank } from './vector-bank-folder.js';
import { isFailedVectorsName, isPendingVectorsName } from './vector-bank-names.js';
import { lockVectorRecording, vectorRecorder } from './vector-recorder.js';

/** A recording of vectors that is not sealed, as `bank list` shows it. */
export interface PendingVectorRecording {
  readonly path: string;
  readonly fixture: string;
  readonly identity: VectorBankIdentity;
  /** Texts whose vectors are kept, of all. */
  readonly items: number;
  readonly of: number;
  /** Questions whose vectors are kept. */
  readonly queries: number;
  /** `finished` where its vector bank lies beside it; `abandoned` in `failed/`. */
  readonly status: 'recording' | 'interrupted' | 'finished' | 'abandoned';
  readonly reason: string | null;
}

/** The recordings of vectors in a folder, and the abandoned ones, sorted by file name. Files that cannot be read are broken. */
export async function listPendingVectors(folder: string): Promise<{
  readonly pending: readonly PendingVectorRecording[];
  readonly broken: readonly { readonly path: string; readonly error: RecallMatrixError }[];
}> {
  const here = (await namesIn(folder)).filter(isPendingVectorsName);
  const failed = (await namesIn(join(folder, FAILED_FOLDER))).filter(isFailedVectorsName);
  const pending: PendingVectorRecording[] = [];
  const broken: { path: string; error: RecallMatrixError }[] = [];
  for (const path of [...here, ...failed]) {
    try {
      const content = await readPendingVectors(path);
      if (content !== null) pending.push(await describe(path, content));
    } catch (error) {
      if (!(error instanceof RecallMatrixError)) throw error;
      broken.push({ path, error });
    }
  }
  return { pending, broken };
}

/**
 * Moves a recording of vectors to the failed ones, with a reason; a broken one too. The next recording begins anew.
 *
 * @param at an ISO instant.
 * @returns where it lies now; null where its vector bank is there, so that it was finished and is removed.
 * @throws `VECTOR_RECORDING_IN_PROGRESS` (exit 5) while its process lives; `JOURNAL_NOT_FOUND` (exit 2).
 */
export async function abandonVectors(pending: string, reason: string, at: string): Promise<string | null> {
  if (!isPendingVectorsName(pending) || !(await isThere(pending))) {
    throw invalidInput('JOURNAL_NOT_FOUND', `${pending} is no pending recording of vectors`, {
      remedy: 'recall-matrix bank list names them',
    });
  }
  const lock = await lockVectorRecording(pending, at);
  try {
    const content = await readForAbandon(pending);
    if (content !== null && (await isSealed(pending, content))) {
      await removeJournal(pending);
      return null;
    }
    if (content === null) await appendReason(pending, abandonedLine(reason, at));
    else if (content.abandoned === null) {
      const journal = await openJournal(pending, 'append');
      await journal.append(abandonedLine(reason, at)).finally(() => journal.close());
    }
    return await moveToFailed(dirname(pending), pending);
  } finally {
    await lock.release();
  }
}

async function readForAbandon(pending: string): Promise<PendingVectorsContent | null> {
  try {
    return await readPendingVectors(pending);
  } catch (error) {
    if (error instanceof RecallMatrixError && error.code === 'VECTOR_JOURNAL_BROKEN') return null;
    throw error;
  }
}

async function describe(path: string, content: PendingVectorsContent): Promise<PendingVectorRecording> {
  const { header, items, queries, abandoned } = content;
  return {
    path,
    fixture: header.fixture,
    identity: header.identity,
    items: items.length,
    of: header.items,
    queries: queries.size,
    status: await statusOf(path, content),
    reason: abandoned?.reason ?? null,
  };
}

async function statusOf(path: string, content: PendingVectorsContent): Promise<PendingVectorRecording['status']> {
  if (content.abandoned !== null) return 'abandoned';
  if ((await vectorRecorder(path)) !== null) return 'recording';
  return (await isSealed(path, content)) ? 'finished' : 'interrupted';
}

/** Killed between the seal and the removal of its file, a recording is finished. */
async function isSealed(path: string, { header }: PendingVectorsContent): Promise<boolean> {
  try {
    return (await findVectorBank(dirname(path), header.fixture, header.identity, null)).found !== null;
  } catch (error) {
    // Its banks are broken, or two are one too many: `bank list` says that of them.
    if (error instanceof RecallMatrixError) return false;
    throw error;
  }
}
