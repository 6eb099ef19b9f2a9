import type { ResolvedMatrix } from '../../matrix/matrix.js';
import { replicatesOf } from '../../matrix/replicates.js';
import { readFinalisedRows } from '../resuming/committed-rows.js';
import type { RunFolder } from '../run-folder.js';
import type { RecordedCell } from '../run-record.js';

/**
 * The cells of some fixtures, one after another in the order of fixtures, replicates and arms; none is kept in memory.
 *
 * @throws `RUN_ROWS_BROKEN` (exit 2).
 */
export async function* recordedCells(
  folder: RunFolder,
  fixtures: readonly string[],
  matrix: ResolvedMatrix,
): AsyncGenerator<RecordedCell> {
  for (const fixture of fixtures)
    for (const replicate of replicatesOf(matrix))
      for (const { name: arm } of matrix.arms) {
        const rows = await readFinalisedRows(folder, arm, { fixture, replicate });
        yield { arm, fixture, replicate, is_finished: rows !== null, rows: rows ?? [] };
      }
}
