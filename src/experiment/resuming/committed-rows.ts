import { readFile } from 'node:fs/promises';
import { invalidInput } from '../../core/errors.js';
import { isThere } from '../../core/is-there.js';
import { readJournal } from '../../core/journal.js';
import { type Observation, observationSchema } from '../asking/observation.js';
import { type BlockId, blockName } from '../block-id.js';
import type { RunFolder } from '../run-folder.js';
import type { SummaryRow } from '../summary/summary-row.js';

/** The durable rows of one cell: what a resumed run never asks again (OB-5). */
export interface CommittedRows {
  /** Answered and failed rows by `rowKey`. A refused or skipped question was never asked, and is no result. */
  readonly rows: ReadonlyMap<string, Observation>;
  /** Of the finalised file: questions that the budget refused, and that have no result since. */
  readonly refused: readonly Observation[];
  /** Whether the cell's finalised file holds all of them, with the cell's shared costs laid. */
  readonly finalised: boolean;
  /** Whether there is a journal of commits to be continued. */
  readonly hasJournal: boolean;
}

/** A cell that nobody has asked. */
export const NO_ROWS: CommittedRows = { rows: new Map(), refused: [], finalised: false, hasJournal: false };

/** A row by what was asked, never by its place: an extension moves places. */
export function rowKey({ question, repeat }: Pick<Observation, 'question' | 'repeat'>): string {
  return JSON.stringify([question, repeat]);
}

/** A row that the provider lost: an outcome, but not of the arm's making. `--retry-failed` asks it again. */
export function isLost(row: Pick<SummaryRow, 'outcome'>): boolean {
  return row.outcome.kind === 'failed' && row.outcome.cause?.own_making !== true;
}

/** A row that a judge gave no verdict on: the judge is asked again, the reader is not (OB-7). */
export function isUnjudged(row: Observation): boolean {
  return Object.values(row.judgements).some(({ by }) => by === null);
}

/**
 * Reads what is durable of a cell: its finalised file, and the journal of commits since. The journal's torn end was promised to nobody.
 *
 * @throws `RUN_ROWS_BROKEN` (exit 2) for a line that is no row of this cell, or a question that has two results.
 */
export async function readCommittedRows(folder: RunFolder, arm: string, block: BlockId): Promise<CommittedRows> {
  const finalisedPath = folder.observationsPath(arm, block);
  const journalPath = folder.rowsPath(arm, block);
  const finalised = await linesOf(finalisedPath, false);
  const journal = await linesOf(journalPath, true);
  const read = (path: string, lines: readonly unknown[]) => placedRows(path, lines, folder, arm, block);
  const inFile = read(finalisedPath, finalised ?? []);
  const settled = lastResults(inFile, () => false);
  // A lost row may be followed by that of a later try; the journal's last word is what counts.
  const committed = lastResults(read(journalPath, journal ?? []), follows);
  // A crash between the finalised file and the removal of its journal leaves both.
  const all = lastResults([...settled, ...committed], follows);
  const rows = new Map(all.map(({ row }) => [rowKey(row), row]));
  return {
    rows,
    refused: inFile.map(({ row }) => row).filter((row) => row.outcome.kind === 'refused' && !rows.has(rowKey(row))),
    finalised: finalised !== null && journal === null,
    hasJournal: journal !== null,
  };
}

/**
 * A finished cell's rows as its finalised file holds them, in load order, those that were never asked too; null where the cell is not finished.
 *
 * @throws `RUN_ROWS_BROKEN` (exit 2).
 */
export async function readFinalisedRows(
  folder: RunFolder,
  arm: string,
  block: BlockId,
): Promise<readonly Observation[] | null> {
  const path = folder.observationsPath(arm, block);
  const lines = (await isThere(folder.rowsPath(arm, block))) ? null : await linesOf(path, false);
  if (lines === null) return null;
  const rows = placedRows(path, lines, folder, arm, block);
  lastResults(rows, () => false);
  return rows.map(({ row }) => row);
}

interface Placed {
  readonly place: string;
  readonly row: Observation;
}

/** One result of each question, the last; refused where another may not take the place of one before it. */
function lastResults(
  rows: readonly Placed[],
  mayReplace: (earlier: Observation, row: Observation) => boolean,
): readonly Placed[] {
  const results = new Map<string, Placed>();
  for (const { place, row } of rows) {
    if (row.outcome.kind !== 'answered' && row.outcome.kind !== 'failed') continue;
    const earlier = results.get(rowKey(row));
    if (earlier !== undefined && !mayReplace(earlier.row, row))
      throw brokenRows(place, `a second result of ${row.question}, repeat ${row.repeat}`);
    results.set(rowKey(row), { place, row });
  }
  return [...results.values()];
}

function follows(earlier: Observation, row: Observation): boolean {
  return isLost(earlier) || isSameCommit(earlier, row);
}

function isSameCommit(earlier: Observation, row: Observation): boolean {
  return earlier.request === row.request && earlier.answer === row.answer && earlier.outcome.kind === row.outcome.kind;
}

/** The lines of a file; null where there is none. */
async function linesOf(path: string, isJournal: boolean): Promise<readonly unknown[] | null> {
  try {
    if (isJournal) return (await readJournal(path)).entries;
    const text = await readFile(path, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof SyntaxError) throw brokenRows(path, 'a line that is no JSON');
    throw error;
  }
}

function placedRows(
  path: string,
  lines: readonly unknown[],
  folder: RunFolder,
  arm: string,
  block: BlockId,
): readonly Placed[] {
  return lines.map((line, index) => {
    const place = `${path}:${index + 1}`;
    return { place, row: asRow(line, place, folder, arm, block) };
  });
}

function asRow(line: unknown, place: string, folder: RunFolder, arm: string, block: BlockId): Observation {
  const parsed = observationSchema.safeParse(line);
  if (!parsed.success) throw brokenRows(place, `no observation: ${parsed.error.issues[0]?.message}`);
  const row = parsed.data;
  if (row.run !== folder.id || row.arm !== arm || blockName(row) !== blockName(block))
    throw brokenRows(place, `a row of ${row.run}, ${row.arm}, ${blockName(row)}`);
  return row;
}

/** The refusal of a file of rows, or of a line of it (exit 2). */
export function brokenRows(place: string, what: string): Error {
  return invalidInput('RUN_ROWS_BROKEN', `${place} holds ${what}`, {
    remedy: 'restore the file from a copy, or start a new run',
  });
}
