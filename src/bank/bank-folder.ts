import { basename, dirname, join, resolve } from 'node:path';
import type { Digest } from '../core/digest.js';
import { bankRefused, invalidInput, RecallMatrixError } from '../core/errors.js';
import { isThere } from '../core/is-there.js';
import { openJournal } from '../core/journal.js';
import { type ProcessTable, systemProcesses } from '../core/process-mark.js';
import type { BankFile, BankIdentity, BankLookup, PendingRecording } from './bank.js';
import { FAILED_FOLDER, parseBankName, parseFailedName, parsePendingName, pendingPath } from './bank-names.js';
import { completedBanks, isFinished, namesIn, readBankFile } from './completed-banks.js';
import { identityDifferences } from './identity-difference.js';
import { withJournalMutex } from './journal-mutex.js';
import { appendPending, endOf, type PendingContent, readPendingJournal } from './pending-journal.js';
import {
  appendReason,
  describePending,
  moveToFailed,
  refusePending,
  removeJournal,
  standingOf,
} from './unfinished-recordings.js';

/** Everything in a bank folder that bears a bank's or a recording's name, sorted by file name. */
export interface BankListing {
  readonly completed: readonly BankFile[];
  /** Interrupted, or still being recorded. */
  readonly pending: readonly PendingRecording[];
  /** Failed or abandoned: never replayed, always listed (FB-11, R-17). */
  readonly failed: readonly PendingRecording[];
  /** Files that bear such a name and are not what it says. */
  readonly broken: readonly { readonly path: string; readonly error: RecallMatrixError }[];
}

/** A folder of banks (FB-10, FB-15). Files of other names, temporary ones too, are passed over. It need not exist yet. */
export interface BankFolder {
  readonly path: string;
  list(): Promise<BankListing>;
  /**
   * The bank of a fixture and identity (FB-2, FB-12).
   *
   * @param pinned a bank's digest: then only that bank counts, and it must fit.
   * @throws exit 5: `BANK_AMBIGUOUS` where two fit and none is pinned; `BANK_PINNED_MISSING`; `BANK_PINNED_DIFFERS`, naming the fields; and
   * what `parseBank` throws where a file of this fixture is broken. Where none fits and a recording of this identity is under way or was
   * interrupted: `BANK_RECORDING_IN_PROGRESS` or `BANK_RECORDING_INTERRUPTED` (FB-9).
   */
  find(fixture: string, identity: BankIdentity, pinned: Digest | null): Promise<BankLookup>;
  /**
   * A bank by its digest, or by at least the first 12 hexadecimal digits of it, with or without `sha256:`; whatever its identity (RP-1).
   *
   * @throws `BANK_DIGEST_MALFORMED` (exit 2), `BANK_PINNED_MISSING`, `BANK_AMBIGUOUS` (exit 5).
   */
  byDigest(digest: string): Promise<BankFile>;
  /**
   * Moves an interrupted recording to the failed ones, with a reason (FB-9).
   *
   * @param at ISO instant.
   * @returns where it lies now; null where its bank is there, so that it was finished and is removed.
   * @throws `BANK_RECORDING_IN_PROGRESS` (exit 5) while its process lives; `JOURNAL_NOT_FOUND` (exit 2).
   */
  abandon(journal: string, reason: string, at: string): Promise<string | null>;
}

/** Opens a bank folder; reads nothing yet. */
export function openBankFolder(path: string, processes: ProcessTable = systemProcesses): BankFolder {
  return new FileBankFolder(path, processes);
}

class FileBankFolder implements BankFolder {
  readonly path: string;
  readonly #processes: ProcessTable;

  constructor(path: string, processes: ProcessTable) {
    this.path = path;
    this.#processes = processes;
  }

  async list(): Promise<BankListing> {
    const completed: BankFile[] = [];
    const pending: PendingRecording[] = [];
    const failed: PendingRecording[] = [];
    const broken: { path: string; error: RecallMatrixError }[] = [];
    const gather = async (path: string, read: () => Promise<void>): Promise<void> => {
      try {
        await read();
      } catch (error) {
        if (!(error instanceof RecallMatrixError)) throw error;
        broken.push({ path, error });
      }
    };
    for (const path of await namesIn(this.path)) {
      await gather(path, async () => {
        if (parseBankName(path) !== null) completed.push(await readBankFile(path));
        if (parsePendingName(path) === null) return;
        const found = await this.#pending(path);
        if (found !== null) (found.status === 'failed' ? failed : pending).push(found);
      });
    }
    for (const path of await namesIn(join(this.path, FAILED_FOLDER))) {
      await gather(path, async () => {
        if (parseFailedName(path) !== null) failed.push(await this.#failed(path));
      });
    }
    return { completed, pending, failed, broken };
  }

  async find(fixture: string, identity: BankIdentity, pinned: Digest | null): Promise<BankLookup> {
    if (pinned !== null) return await this.#findPinned(fixture, identity, pinned);
    const { fitting, nearest } = await completedBanks(this.path, fixture, identity);
    const [first] = fitting;
    if (fitting.length > 1) throw ambiguous(fixture, fitting);
    if (first !== undefined) return { kind: 'found', file: first };
    await this.#refusePending(pendingPath(this.path, fixture, identity));
    return { kind: 'none', nearest };
  }

  async byDigest(digest: string): Promise<BankFile> {
    const hex = digest.replace(/^sha256:/, '').toLowerCase();
    if (!/^[0-9a-f]{12,64}$/.test(hex)) throw malformedDigest(digest);
    const found: BankFile[] = [];
    for (const path of await namesIn(this.path)) {
      if (parseBankName(path)?.digest12 !== hex.slice(0, 12)) continue;
      const file = await readBankFile(path);
      if (file.bank.digest.startsWith(`sha256:${hex}`)) found.push(file);
    }
    const [first, ...others] = found;
    if (first === undefined) throw missing(digest, this.path);
    if (others.some(({ bank }) => bank.digest !== first.bank.digest)) throw prefixAmbiguous(digest, found);
    return first;
  }

  async abandon(journal: string, reason: string, at: string): Promise<string | null> {
    const path = join(this.path, basename(journal));
    const isHere = resolve(dirname(journal)) === resolve(this.path) || basename(journal) === journal;
    if (!isHere || parsePendingName(path) === null || !(await isThere(path))) {
      throw invalidInput('JOURNAL_NOT_FOUND', `${journal} is no pending recording in ${this.path}`, {
        remedy: 'recall-matrix bank list names them',
      });
    }
    return await withJournalMutex(path, () => this.#abandonLocked(path, reason, at));
  }

  async #abandonLocked(path: string, reason: string, at: string): Promise<string | null> {
    const content = await this.#readForAbandon(path);
    if (content === null) {
      await appendReason(path, { kind: 'abandoned', reason, at });
      return await moveToFailed(this.path, path);
    }
    if (await isFinished(this.path, content)) {
      await removeJournal(path);
      return null;
    }
    const standing = standingOf(content, this.#processes);
    if (standing === 'recording') throw refusePending(content, this.#processes);
    if (standing !== 'failed') {
      const open = await openJournal(path, 'append');
      try {
        await appendPending(open, { kind: 'abandoned', reason, at });
      } finally {
        await open.close();
      }
    }
    return await moveToFailed(this.path, path);
  }

  /** A broken journal can be abandoned too: null. */
  async #readForAbandon(path: string): Promise<PendingContent | null> {
    try {
      return await readPendingJournal(path);
    } catch (error) {
      if (error instanceof RecallMatrixError && error.code === 'BANK_JOURNAL_BROKEN') return null;
      throw error;
    }
  }

  async #findPinned(fixture: string, identity: BankIdentity, pinned: Digest): Promise<BankLookup> {
    const file = await this.byDigest(pinned);
    const isOther = parseBankName(file.path)?.fixture !== fixture;
    const differs = [...(isOther ? ['fixture'] : []), ...identityDifferences(file.bank.identity, identity)];
    if (differs.length === 0) return { kind: 'found', file };
    throw bankRefused(
      'BANK_PINNED_DIFFERS',
      `the pinned bank ${pinned} is not of this formation of ${fixture}; it differs in ${differs.join(', ')}`,
      {
        remedy: 'pin a bank of this identity, or restore the configuration and version that it was recorded with',
        details: { bank: pinned, differs: differs.join(', ') },
      },
    );
  }

  async #refusePending(path: string): Promise<void> {
    const content = await readPendingJournal(path);
    if (content === null || (await isFinished(this.path, content))) return;
    if (standingOf(content, this.#processes) !== 'failed') throw refusePending(content, this.#processes);
  }

  async #pending(path: string): Promise<PendingRecording | null> {
    const content = await readPendingJournal(path);
    if (content === null || (await isFinished(this.path, content))) return null;
    return describePending(content, standingOf(content, this.#processes));
  }

  async #failed(path: string): Promise<PendingRecording> {
    const content = await readPendingJournal(path);
    if (content === null) throw bankRefused('BANK_MISSING', `${path} is gone`, { remedy: 'start again' });
    // Beside failed and abandoned ones lie those that a continuation took over.
    return describePending(content, endOf(content)?.kind === 'continued' ? 'continued' : 'failed');
  }
}

function malformedDigest(prefix: string): RecallMatrixError {
  return invalidInput('BANK_DIGEST_MALFORMED', `${JSON.stringify(prefix)} is no digest of a bank`, {
    remedy:
      'give sha256: and its 64 hexadecimal digits, or at least the first 12 of them; recall-matrix bank list shows them',
  });
}

function missing(digest: string, folder: string): RecallMatrixError {
  return bankRefused('BANK_PINNED_MISSING', `no bank ${digest} lies in ${folder}`, {
    remedy:
      'recall-matrix bank list shows what lies there; correct the digest, or copy the bank and its state into the folder',
    details: { bank: digest },
  });
}

function prefixAmbiguous(prefix: string, files: readonly BankFile[]): RecallMatrixError {
  const digests = files.map((file) => file.bank.digest);
  return bankRefused('BANK_AMBIGUOUS', `${prefix} begins the digests of ${digests.join(', ')}`, {
    remedy: 'give more digits',
  });
}

function ambiguous(fixture: string, files: readonly BankFile[]): RecallMatrixError {
  const digests = files.map((file) => file.bank.digest);
  return bankRefused('BANK_AMBIGUOUS', `${files.length} banks of ${fixture} have one identity: ${digests.join(', ')}`, {
    remedy: 'pin one by its digest, or move the others away',
  });
}
