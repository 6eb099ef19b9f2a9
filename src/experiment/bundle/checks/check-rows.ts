import type { Fixture } from '../../../fixture/fixture.js';
import { blockTitle } from '../../block-id.js';
import type { RecordedCell } from '../../run-record.js';
import { type SummaryRow, summaryRow } from '../../summary/summary-row.js';
import { RUN_FOLDER } from '../bundle-format.js';
import { checkArmFigures } from './arm-figures.js';
import { checkArmSums } from './arm-sums.js';
import { hasFixture } from './check-fixtures.js';
import type { CheckedBundle } from './checked-bundle.js';
import { checkBindings } from './row-bindings.js';
import { checkRowRequest } from './row-request.js';
import { RowScores } from './row-scores.js';

/** Every row: what it is bound to, what was sent for it, what it scores; then the sums over all of them. One cell is in memory at a time, and of each row its figures. */
export async function checkRows(bundle: CheckedBundle): Promise<void> {
  const { record, paths, findings } = bundle;
  const byArm = new Map<string, SummaryRow[]>(record.matrix.arms.map(({ name }) => [name, []]));
  const unfinished = new Set<string>();
  const scores = new RowScores(bundle);
  let fixture: Fixture | null = null;
  for await (const cell of cellsOf(bundle)) {
    if (!cell.is_finished) {
      findings.skipped(`rows of ${cell.arm} over ${blockTitle(cell)}`, 'the cell was not finished');
      unfinished.add(cell.arm);
      continue;
    }
    const file = paths.observationsPath(cell.arm, cell);
    if (fixture?.manifest.id !== cell.fixture) fixture = await fixtureOf(bundle, cell.fixture);
    await checkState(bundle, cell, file);
    for (const row of cell.rows) {
      checkBindings(bundle, row, file);
      await checkRowRequest(bundle, row, fixture, file);
      scores.check(row, fixture, file);
      byArm.get(row.arm)?.push(summaryRow(row));
    }
    findings.looked('rows by what they are bound to', cell.rows.length);
  }
  scores.end();
  if (record.manifest.rows_folder !== null)
    findings.skipped(
      'rows as they were before they were scored again',
      'they count no more: by the digests of their files alone',
    );
  for (const [arm, rows] of byArm) if (!unfinished.has(arm)) checkArmSums(bundle, arm, rows);
  checkArmFigures(bundle, { byArm, unfinished });
}

/** Rows that cannot be read end the reading. */
async function* cellsOf({ record, findings }: CheckedBundle): AsyncGenerator<RecordedCell> {
  const cells = record.cells();
  for (;;) {
    const next = await findings.reading(`${RUN_FOLDER}/arms`, () => cells.next());
    if (next === null || next.done === true) return;
    yield next.value;
  }
}

async function fixtureOf(bundle: CheckedBundle, id: string): Promise<Fixture | null> {
  if (!hasFixture(bundle, id)) return null;
  const found = await bundle.record.fixture(id);
  return 'missing' in found ? null : found;
}

/** What the rows were read from is there, and has the digest that the run names. */
async function checkState(
  { record, findings, manifest }: CheckedBundle,
  cell: RecordedCell,
  file: string,
): Promise<void> {
  const [first] = cell.rows;
  if (first === undefined || first.state === null || first.parity === 'not-applicable') return;
  if (manifest.redaction !== null) return findings.skipped('belief states', 'redacted');
  const state = await findings.reading(file, () => record.state(cell));
  if (state === null) findings.fault(file, `the belief state ${first.state} of its rows is not there`);
  findings.looked('belief states of cells by their digests');
}
