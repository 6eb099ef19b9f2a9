import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { JudgeLabels } from '../judging/judge-labels.js';
import type { PastRun } from '../resuming/continued-run.js';
import type { RunRecord } from '../run-record.js';
import type { RescoredFixture } from './rescored-fixtures.js';

/** A run, and what it is scored by. */
export interface RescoredParts {
  readonly past: PastRun;
  readonly record: RunRecord;
  readonly loaded: LoadedMatrix;
  readonly fixtures: readonly RescoredFixture[];
  /** People's verdicts, by judge. */
  readonly judgeLabels: ReadonlyMap<string, JudgeLabels>;
}
