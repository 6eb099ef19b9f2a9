import type { Question } from '../fixture/question.js';
import type { ArmSettings } from '../matrix/matrix.js';
import type { AskingTools } from './asking/asking-tools.js';
import type { Observation } from './asking/observation.js';
import type { RowContext, SharedCosts } from './asking/row.js';
import type { Cause } from './asking/row-cause.js';
import type { BudgetGate } from './budget-gate.js';
import type { Cell } from './cell.js';
import type { FixtureFormation } from './formation/formation-bank.js';
import type { CommittedRows } from './resuming/committed-rows.js';
import type { FixtureVectors } from './vectors/fixture-vectors.js';

/** One fixture, formed from one bank, under all arms (the unit of scheduling). */
export interface Block extends AskingTools {
  readonly arms: readonly ArmSettings[];
  readonly formed: FixtureFormation;
  readonly load: readonly { readonly question: Question; readonly repeat: number }[];
  readonly rows: RowContext;
  /** Null where no arm scores vectors. */
  readonly vectors: FixtureVectors | null;
  readonly gate: BudgetGate;
  /** What keeps every further question of the run from being asked; null while nothing does. */
  readonly stop: { cause: Cause | null };
  /** What earlier sessions of the run committed, by arm; empty for a new run. */
  readonly committed: ReadonlyMap<string, CommittedRows>;
  /** Whether rows that the provider lost are asked again. */
  readonly retryFailed: boolean;
  /** Judges the answers of all arms, when they are read; gives what lays the verdicts on a row (OB-7). */
  judge(rows: readonly Observation[]): Promise<(row: Observation) => Observation>;
  /** What the bank's, or the cell's own live, formation and the index cost alone. */
  sharedCosts(cell: Cell): SharedCosts;
}
