import { invalidInput } from '../../core/errors.js';
import { type BlockId, blockName, blockTitle } from '../block-id.js';
import { resumeCommand } from '../resuming/resume-command.js';
import type { RecordedCell, RunRecord } from '../run-record.js';

/** One fixture's bank under all arms, as it was asked. */
export interface RecordedBlock {
  readonly id: BlockId;
  /** In the order of the arms; those that have rows. */
  readonly cells: readonly RecordedCell[];
}

/** The blocks of a run, one after another; none is kept. */
export async function* recordedBlocks(record: RunRecord): AsyncGenerator<RecordedBlock> {
  let block: { readonly id: BlockId; readonly cells: RecordedCell[] } | null = null;
  for await (const cell of record.cells()) {
    if (block === null || blockName(block.id) !== blockName(cell)) {
      if (block !== null) yield block;
      block = { id: { fixture: cell.fixture, replicate: cell.replicate }, cells: [] };
    }
    if (cell.rows.length > 0) block.cells.push(cell);
  }
  if (block !== null) yield block;
}

/** What a run asked and paid, from its rows. */
export interface RowSurvey {
  /** Question ids by fixture, in load order; none of a fixture without rows. */
  readonly asked: ReadonlyMap<string, readonly string[]>;
  /** Reader's calls by arm. */
  readonly paid: ReadonlyMap<string, { readonly calls: number; readonly nano_usd: bigint }>;
}

/**
 * Looks all rows of a run through before anything is done with them.
 *
 * @throws `RUN_ROWS_BROKEN`, `RUN_NOT_FINISHED` (exit 2): arms of one block that were asked other questions were stopped on the way.
 */
export async function surveyRows(record: RunRecord): Promise<RowSurvey> {
  const asked = new Map<string, readonly string[]>();
  const paid = new Map<string, { calls: number; nano_usd: bigint }>();
  for await (const { id, cells } of recordedBlocks(record)) {
    for (const { arm, rows } of cells) {
      const ids = [...new Set(rows.map(({ question }) => question))];
      const known = asked.get(id.fixture) ?? ids;
      if (known.join('\0') !== ids.join('\0')) throw unequalLoads(record, id, arm);
      asked.set(id.fixture, known);
      const sums = paid.get(arm) ?? { calls: 0, nano_usd: 0n };
      for (const { actual } of rows) {
        sums.calls += actual.calls;
        sums.nano_usd += BigInt(actual.nano_usd);
      }
      paid.set(arm, sums);
    }
  }
  return { asked, paid };
}

function unequalLoads({ run, path }: RunRecord, id: BlockId, arm: string): Error {
  return invalidInput(
    'RUN_NOT_FINISHED',
    `${run}: ${arm} was asked other questions of ${blockTitle(id)} than other arms`,
    { remedy: `finish the run first: ${resumeCommand(path)}` },
  );
}
