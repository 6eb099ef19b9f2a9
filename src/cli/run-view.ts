import { RecallMatrixError } from '../core/errors.js';
import type { RunResult } from '../experiment/experiment.js';
import type { PlannedContrast } from '../report/tables/conclusion.js';
import type { RunView } from '../report/tables/run-table.js';
import type { CliIo } from './io.js';

/** How a run that has ended is shown here (CL-1): its planned contrasts compared, painted where the terminal is. */
export async function runView(io: CliIo, result: RunResult, details = false): Promise<RunView> {
  const { paintFor } = await import('./colours.js');
  return { details, contrasts: await plannedContrasts(result), paint: paintFor(io.stdout, io.environment) };
}

/** The contrasts that were planned before the run; null where its arms cannot be compared, which is no fault of the run. */
async function plannedContrasts({ path, analysis }: RunResult): Promise<readonly PlannedContrast[] | null> {
  if (analysis.contrasts.length === 0) return [];
  const { openRunRecord } = await import('../experiment/reading/open-run-record.js');
  const { compareArms } = await import('../report/comparison/compare.js');
  try {
    const { datasets } = await compareArms(await openRunRecord(path), { allow_degraded: true, diagnostics: false });
    return datasets.flatMap(({ contrasts }) => contrasts.filter(({ planned }) => planned));
  } catch (error) {
    if (error instanceof RecallMatrixError && error.kind === 'invalid-input') return null;
    throw error;
  }
}
