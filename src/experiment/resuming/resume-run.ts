import { implementationDigest } from '../../bank/implementation-digest.js';
import { invalidInput } from '../../core/errors.js';
import { aaOf } from '../../matrix/aa-arm.js';
import { matrixDifferences } from '../../matrix/matrix-difference.js';
import { planBanks, prepareLoaded, prepareMatrix } from '../prepare-run.js';
import { recordedResult } from '../reading/recorded-result.js';
import type { RunOutcome } from '../run.js';
import { refuseChangedVectorBanks } from '../vectors/run-vector-banks.js';
import { type ContinueOptions, continueRun, ownBanks, type PastRun, withPastRun } from './continued-run.js';
import { fixtureFacts, refuseChangedBanks, refuseChangedFixtures, refuseChangedProgram } from './run-changes.js';

/**
 * Continues a run that was killed, interrupted, stopped by its budget or by its server (OB-5): what has a durable row is not asked again,
 * calls whose bill is unknown stay held, and what was settled without a row is asked again, as a new send. A complete run is left as it is.
 *
 * @throws what `withPastRun` throws; exit 2: `RUN_MATRIX_CHANGED`, `RUN_PROGRAM_CHANGED`, `RUN_FIXTURE_CHANGED`, `BUDGET_LOWERED`; exit 5:
 * `RUN_BANK_CHANGED`, `RUN_VECTOR_BANK_CHANGED`, and what `planBank` throws: a recording that was killed is continued or abandoned first.
 */
export function resumeRun(options: ContinueOptions): Promise<RunOutcome> {
  return withPastRun(options, async (past) => {
    const { folder, manifest, loaded } = past;
    await refuseChangedMatrix(options, past);
    if (manifest.status === 'complete') {
      const limit = options.budget === null ? '' : '; its limit stays as it was';
      options.progress({ kind: 'note', text: `${folder.id} is complete: nothing is asked, nothing is sent${limit}` });
      options.onFolder(folder.path);
      return { result: recordedResult(manifest, folder.path), kinds: [] };
    }
    refuseChangedProgram(manifest, implementationDigest());
    const input = await prepareLoaded(loaded);
    const { repeats } = loaded.matrix.load;
    const facts = input.fixtures.map((one) => fixtureFacts(one, input.selected.get(one.manifest.id) ?? [], repeats));
    refuseChangedFixtures(manifest.fixtures, facts);
    const prepared = await planBanks(input, options, ownBanks(manifest));
    refuseChangedBanks(manifest.banks, prepared.plans);
    refuseChangedVectorBanks(manifest.vector_banks, prepared);
    return continueRun(options, past, prepared, { kind: 'resume', matrices: manifest.matrices });
  });
}

/** A matrix that is named again must be the run's, whole; the one thing that may be raised is the limit, and that by its flag (LG-10). */
async function refuseChangedMatrix(
  { matrixPath, overrides }: ContinueOptions,
  { manifest, loaded }: PastRun,
): Promise<void> {
  if (matrixPath === null) return;
  const named = await prepareMatrix(matrixPath, { ...overrides, aaOfRun: aaOf(loaded.matrix) });
  const changed = matrixDifferences(loaded.matrix, named.matrix);
  if (changed.length === 0) return;
  const isBudget = changed.length === 1 && changed[0] === 'budget_nano_usd';
  throw invalidInput(
    'RUN_MATRIX_CHANGED',
    `${matrixPath} is not the matrix of ${manifest.run}: ${changed.join(', ')} changed`,
    {
      remedy: isBudget
        ? 'leave the matrix out, and name the higher limit with --budget'
        : 'leave the matrix out to resume under the old one, add to it with --extend, or start a new run',
      location: { file: matrixPath },
    },
  );
}
