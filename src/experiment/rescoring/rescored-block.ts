import type { JsonValue } from '../../core/canonical-json.js';
import { crashPoint } from '../../core/crash-points.js';
import { invalidInput } from '../../core/errors.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { Label } from '../../fixture/label.js';
import type { ArmSettings, LoadedMatrix } from '../../matrix/matrix.js';
import type { BeliefState } from '../../parity/parity.js';
import type { Scorer } from '../../scoring/scoring.js';
import { readsBeliefs } from '../arm-needs.js';
import type { Observation } from '../asking/observation.js';
import type { RunFolder } from '../run-folder.js';
import type { RecordedCell, RunRecord } from '../run-record.js';
import { missScorer } from '../summary/arm-misses.js';
import { missTeller } from '../summary/misses.js';
import type { RecordedBlock } from './recorded-blocks.js';
import { type ModuleScores, scoreRow } from './score-row.js';

/** What a block is scored with. */
export interface BlockScoring {
  readonly record: RunRecord;
  readonly loaded: LoadedMatrix;
  readonly fixture: Fixture;
  /** The digest of its labels. */
  readonly labels: Observation['labels'];
  readonly scorers: readonly Scorer[];
  readonly byModules: ModuleScores;
}

/** One arm's rows of a block. */
export interface ScoredCell {
  readonly cell: RecordedCell;
  /** In load order, as `cell.rows` are. */
  readonly rows: readonly Observation[];
}

/** Scores the answers of a block again by everything but judges, whose verdicts and the misses that they tell are laid after. */
export async function scoreBlock(block: RecordedBlock, scoring: BlockScoring): Promise<ScoredCell[]> {
  const cells: ScoredCell[] = [];
  for (const cell of block.cells) {
    const arm = armOf(scoring.loaded, cell.arm);
    const rows: Observation[] = [];
    for (const row of cell.rows) {
      const label = scoring.fixture.labels.get(row.question) as Label;
      const scored = await scoreRow(row, arm, label, scoring.scorers, scoring.byModules);
      rows.push({ ...scored, labels: scoring.labels });
    }
    cells.push({ cell, rows });
  }
  return cells;
}

/**
 * Lays verdicts and causes of misses on scored rows, and writes them where rows that are scored again lie.
 *
 * @param folder with that place.
 * @returns the rows as they were written.
 * @throws `RUN_STATE_MISSING` (exit 2) where the beliefs that the rows were read from are no longer in the run folder.
 */
export async function finishCell(
  { cell, rows }: ScoredCell,
  { record, loaded, fixture }: BlockScoring,
  judged: (row: Observation) => Observation,
  folder: RunFolder,
): Promise<readonly Observation[]> {
  const arm = armOf(loaded, cell.arm);
  const { analysis, scoring } = loaded.matrix;
  const state = (await record.state(cell)) ?? withoutState(record, cell, arm);
  const told = missTeller(missScorer(analysis, scoring), fixture, { arm, state: { state } });
  const whole = rows.map(judged).map(told);
  await folder.prepareArm(cell.arm);
  await folder.finaliseRows(cell.arm, cell, whole as unknown as JsonValue[]);
  crashPoint('cell-finalised');
  return whole;
}

const NO_STATE: BeliefState = { format: 'belief-state@1', tables: {} };

/** Of arms that read no belief, nothing is asked of a state. */
function withoutState({ path }: RunRecord, cell: RecordedCell, arm: ArmSettings): BeliefState {
  if (!readsBeliefs(arm) || cell.rows.every(({ parity }) => parity === 'not-applicable')) return NO_STATE;
  throw invalidInput(
    'RUN_STATE_MISSING',
    `${path} no longer holds the belief state that ${cell.arm} read: where its answers were lost cannot be told`,
    { remedy: 'restore its folder `state` from a copy' },
  );
}

function armOf({ matrix }: LoadedMatrix, name: string): ArmSettings {
  return matrix.arms.find((arm) => arm.name === name) as ArmSettings;
}
