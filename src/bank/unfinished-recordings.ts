import { link, open, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '../core/canonical-json.js';
import { canonicalJson } from '../core/canonical-json.js';
import { counted } from '../core/counted.js';
import { ensureFolder, PRIVATE_FOLDER_MODE, syncFolder } from '../core/durable-files.js';
import { bankRefused, type RecallMatrixError } from '../core/errors.js';
import type { ProcessTable } from '../core/process-mark.js';
import { shellWord } from '../core/shell-word.js';
import type { PendingRecording } from './bank.js';
import { failedPath } from './bank-names.js';
import { endOf, type PendingContent, type PendingLine, recorderOf } from './pending-journal.js';

/** How a journal stands: still being written, left by an ended process, or decided. A mark of another host counts as ended: it says so. */
export function standingOf(content: PendingContent, processes: ProcessTable): PendingRecording['status'] {
  const end = endOf(content)?.kind;
  if (end === 'failed' || end === 'abandoned') return 'failed';
  if (end === 'interrupted') return 'interrupted';
  return processes.isAlive(recorderOf(content)) === true ? 'recording' : 'interrupted';
}

/** A journal as `bank list` shows it. */
export function describePending(content: PendingContent, status: PendingRecording['status']): PendingRecording {
  const end = endOf(content);
  return {
    path: content.path,
    fixture: content.header.fixture,
    identity: content.header.identity,
    reserved: content.lines.filter(({ kind }) => kind === 'reserved' || kind === 'taken-over').length,
    completed: content.lines.filter(({ kind }) => kind === 'completed' || kind === 'taken-over').length,
    status,
    reason: reasonOf(end),
    header: content.header as unknown as JsonObject,
  };
}

function reasonOf(end: PendingLine | null): string | null {
  if (end === null) return null;
  if (end.kind === 'continued') return `taken over at ${end.at} by process ${end.process.pid} on ${end.process.host}`;
  return 'reason' in end ? end.reason : null;
}

/** Why a recording cannot start beside a journal (FB-9, FB-13): `BANK_RECORDING_IN_PROGRESS` or `BANK_RECORDING_INTERRUPTED`. */
export function refusePending(content: PendingContent, processes: ProcessTable): RecallMatrixError {
  const recorder = recorderOf(content);
  const { host, pid } = recorder;
  const shown = describePending(content, standingOf(content, processes));
  if (shown.status === 'recording') {
    return bankRefused(
      'BANK_RECORDING_IN_PROGRESS',
      `${shown.fixture} is being recorded by process ${pid} on ${host}: ${shown.path}`,
      {
        remedy: 'wait until it is done, then start again: its bank will be replayed',
        details: { journal: shown.path, pid, host },
      },
    );
  }
  const whose =
    processes.isAlive(recorder) === null
      ? `process ${pid} on ${host} (another host: see there whether it still runs)`
      : `process ${pid} on ${host}, which no longer records`;
  const why = shown.reason === null ? '' : `; it says: ${shown.reason}`;
  return bankRefused(
    'BANK_RECORDING_INTERRUPTED',
    `an interrupted recording of ${shown.fixture} stands at ${counted(shown.completed, 'completion')}: ${shown.path}, by ${whose}${why}`,
    {
      remedy: `recall-matrix bank continue ${shellWord(shown.path)} --matrix FILE takes over its completions and asks only for what is missing; recall-matrix bank abandon ${shellWord(shown.path)} --reason "..." moves it to the failed ones, and the next recording begins anew`,
      details: { journal: shown.path, completions: shown.completed },
    },
  );
}

/**
 * Moves a journal to `failed/<name>-<n>.jsonl`, the first n that is free; nothing is replaced. A move that a crash cut short is finished.
 *
 * @returns the new path.
 */
export async function moveToFailed(folder: string, pending: string): Promise<string> {
  const target = await keepInFailed(folder, pending);
  await unlink(pending);
  await syncFolder(folder);
  return target;
}

/** The first half of a move: the journal's second name, in `failed/`. The same one again after a crash between the halves. */
export async function keepInFailed(folder: string, pending: string): Promise<string> {
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
