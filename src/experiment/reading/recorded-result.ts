import { join } from 'node:path';
import type { RunResult } from '../experiment.js';
import { brokenManifest, type RunManifest } from '../run-manifest.js';
import { runResultSchema } from './run-result-schema.js';

/**
 * The result that a finished run's manifest holds: what `--json` printed then.
 *
 * @param path the run folder, absolute: where it lies now.
 * @throws `RUN_MANIFEST_BROKEN` (exit 2).
 */
export function recordedResult(manifest: RunManifest, path: string): RunResult {
  const {
    tool,
    matrices,
    sessions,
    postgres,
    ledger_home,
    prices,
    prices_digest,
    seed,
    order,
    fixtures,
    banks,
    vector_banks,
    lesson_projection,
    rows_folder,
    stopped_by_budget,
    started_at,
    finished_at,
    ...results
  } = manifest;
  const parsed = runResultSchema.safeParse({
    ...results,
    format: 'run-result@1',
    path,
    matrix: manifest.matrix.digest,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw brokenManifest(join(path, 'run.json'), `${issue?.path.join('.')}: ${issue?.message}`);
}
