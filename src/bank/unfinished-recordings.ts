import { link, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '../core/canonical-json.js';
import { canonicalJson } from '../core/canonical-json.js';
import { ensureFolder, PRIVATE_FOLDER_MODE, syncFolder } from '../core/durable-files.js';
import { bankRefused, type RecallMatrixError } from '../core/errors.js';
import type { ProcessTable } from '../core/process-mark.js';
import type { PendingRecording } from './bank.js';
import { failedPath } from './bank-names.js';
import { endOf, type PendingContent } from './pending-journal.js';

/** How a journal stands: still being written, left by an ended process, or decided. A mark of another host counts as ended: it says so. */
export function standingOf(content: PendingContent, processes: ProcessTable): PendingRecording['status'] {
  const end = endOf(content)?.kind;
  if (end === 'failed' || end === 'abandoned') return 'failed';
  if (end === 'interrupted') return 'interrupted';
  return processes.isAlive(content.header.process) === true ? 'recording' : 'interrupted';
}

/** A journal as `bank list` shows it. */
export function describePending(content: PendingContent, status: PendingRecording['status']): PendingRecording {
  const end = endOf(content);
  return {
    path: content.path,
    fixture: content.header.fixture,
    identity: content.header.identity,
    reserved: content.lines.filter((line) => line.kind === 'reserved').length,
    completed: content.lines.filter((line) => line.kind === 'completed').length,
    status,
    reason: end !== null && 'reason' in end ? end.reason : null,
    header: content.header as unknown as JsonObject,
  };
}

/** Why a recording cannot start beside a journal (FB-9, FB-13): `BANK_RECORDING_IN_PROGRESS` or `BANK_RECORDING_INTERRUPTED`. */
export function refusePending(content: PendingContent, processes: ProcessTable): RecallMatrixError {
  const { host, pid } = content.header.process;
  const shown = describePending(content, standingOf(content, processes));
  if (shown.status === 'recording') {
    return bankRefused(
      'BANK_RECORDING_IN_PROGRESS',
      `${shown.fixture} is being recorded by process ${pid} on ${host}: ${shown.path}`,
      { remedy: 'wait until it is done, then start again: its bank will be replayed' },
    );
  }
  const whose =
    processes.isAlive(content.header.process) === null
      ? `process ${pid} on ${host} (another host: see there whether it still runs)`
      : `process ${pid} on ${host}, which no longer records`;
  const why = shown.reason === null ? '' : `; it says: ${shown.reason}`;
  return bankRefused(
    'BANK_RECORDING_INTERRUPTED',
    `an interrupted recording of ${shown.fixture} stands at ${shown.completed} completions: ${shown.path}, by ${whose}${why}`,
    {
      remedy: `recall-matrix bank abandon ${shown.path} --reason "..." moves it to the failed ones; then record anew (bank continue, which takes over its completions, is not built yet)`,
    },
  );
}

/**
 * Moves a journal to `failed/<name>-<n>.jsonl`, the first n that is free; nothing is replaced. A move that a crash cut short is finished.
 *
 * @returns the new path.
 */
export async function moveToFailed(folder: string, pending: string): Promise<string> {
  const source = await stat(pending);
  for (let n = 1; ; n += 1) {
    const target = failedPath(folder, pending, n);
    await ensureFolder(dirname(target), PRIVATE_FOLDER_MODE);
    try {
      await link(pending, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const there = await stat(target);
      if (there.ino !== source.ino || there.dev !== source.dev) continue;
    }
    await syncFolder(dirname(target));
    await unlink(pending);
    await syncFolder(folder);
    return target;
  }
}

/** Adds a line to a file that may be broken: after whatever it holds, on a line of its own, nothing cut off. */
export async function appendReason(path: string, line: JsonObject): Promise<void> {
  const handle = await open(path, 'a');
  try {
    await handle.appendFile(`\n${canonicalJson(line)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a finished journal; another process may have done it already. */
export async function removeJournal(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await syncFolder(dirname(path));
}
