import { RecallMatrixError } from '../../core/errors.js';
import type { RunResult } from '../../experiment/experiment.js';
import type { RunManifest, RunRecord } from '../../experiment/run-record.js';
import type { ResolvedMatrix } from '../../matrix/matrix.js';
import { compareArms } from '../comparison/compare.js';
import type { Comparison } from '../comparison/comparison.js';
import { type RunVerdict, runVerdict } from '../comparison/verdicts/run-verdict.js';
import type { DatasetFigures } from '../figures/figures.js';
import { runFigures } from '../figures/run-figures.js';

/** What the sections of a report read. Rows are not in it: their figures are. */
export interface ReportModel {
  readonly result: RunResult;
  readonly manifest: RunManifest;
  readonly matrix: ResolvedMatrix;
  /** One after another, never pooled. */
  readonly datasets: readonly DatasetFigures[];
  /** Planned contrasts, then every other arm against the baseline; null where the run has nothing to compare, which `not_compared` explains. */
  readonly comparison: Comparison | null;
  readonly not_compared: string | null;
  readonly verdict: RunVerdict;
}

/** Reads a run's rows twice: once for the figures, once for what compares arms. */
export async function reportModel(record: RunRecord): Promise<ReportModel> {
  const { result, manifest, matrix } = record;
  const datasets = await runFigures(record);
  const { comparison, not_compared } = await compared(record);
  return {
    result,
    manifest,
    matrix,
    datasets,
    comparison,
    not_compared,
    verdict: runVerdict(result, matrix, datasets, comparison),
  };
}

/** A degraded arm is shown, and said to be one; a run that has nothing to compare has a report all the same. */
async function compared(record: RunRecord): Promise<Pick<ReportModel, 'comparison' | 'not_compared'>> {
  try {
    const asked = { scorers: 'all', allow_degraded: true, diagnostics: false } as const;
    return { comparison: await compareArms(record, asked), not_compared: null };
  } catch (error) {
    if (error instanceof RecallMatrixError && error.code === 'COMPARE_NOTHING')
      return { comparison: null, not_compared: error.message };
    throw error;
  }
}
