import { implementationDigest } from '../../bank/implementation-digest.js';
import { counted } from '../../core/counted.js';
import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../../core/errors.js';
import { selectQuestions } from '../../fixture/select-questions.js';
import { aaOf } from '../../matrix/aa-arm.js';
import type { ResolvedMatrix } from '../../matrix/matrix.js';
import { matrixDifferences } from '../../matrix/matrix-difference.js';
import { type PreparedInput, planBanks, prepareLoaded, prepareMatrix } from '../prepare-run.js';
import type { RunOutcome } from '../run.js';
import { refuseChangedVectorBanks } from '../vectors/run-vector-banks.js';
import { type ContinueOptions, continueRun, ownBanks, type PastRun, withPastRun } from './continued-run.js';
import { nextMatrix, refuseUnfinished } from './finished-run.js';
import { fixtureFacts, refuseChangedBanks, refuseChangedFixtures, refuseChangedProgram } from './run-changes.js';

/**
 * Adds arms, questions or repeats to a finished run (OB-8), under the same corpus, banks and ledger: only what is new is sent. Every cell
 * that grows is finalised again, its shared costs laid anew (OB-2).
 *
 * @throws what `withPastRun` throws; exit 2: `RUN_NOT_FINISHED`, `NOTHING_TO_EXTEND`, `RUN_MATRIX_CHANGED` for whatever is changed or taken
 * away, `RUN_PROGRAM_CHANGED`, `RUN_FIXTURE_CHANGED`, `BUDGET_LOWERED`; exit 5: `RUN_BANK_CHANGED`, `RUN_VECTOR_BANK_CHANGED`.
 */
export function extendRun(options: ContinueOptions): Promise<RunOutcome> {
  return withPastRun(options, async (past) => {
    const { manifest, loaded: before } = past;
    refuseUnfinished(past, 'extended');
    const overrides = { ...options.overrides, aaOfRun: aaOf(before.matrix) };
    const after = await prepareMatrix(options.matrixPath ?? manifest.matrix.path, overrides);
    refuseOtherChanges(past, before.matrix, after.matrix, after.path);
    refuseChangedProgram(manifest, implementationDigest());
    const input = await prepareLoaded(after);
    const selectedBefore = selectQuestions(input.fixtures, before.matrix.load);
    const { repeats } = before.matrix.load;
    const facts = input.fixtures.map((one) => fixtureFacts(one, selectedBefore.get(one.manifest.id) ?? [], repeats));
    refuseChangedFixtures(manifest.fixtures, facts);
    refuseSmallerLoad(selectedBefore, repeats, input);
    const prepared = await planBanks(input, options, ownBanks(manifest));
    refuseChangedBanks(manifest.banks, prepared.plans);
    refuseChangedVectorBanks(manifest.vector_banks, prepared);
    return continueRun(options, past, prepared, { kind: 'extend', matrices: nextMatrix(manifest, after.digest) });
  });
}

/** `load` and `arms` may grow; the budget is raised by its flag, and stays what the first matrix says. */
function refuseOtherChanges({ manifest }: PastRun, before: ResolvedMatrix, after: ResolvedMatrix, file: string): void {
  const changed = matrixDifferences(before, after);
  const names = new Set(before.arms.map(({ name }) => name));
  const isAddition = (path: string): boolean => {
    const [, arm] = /^arms\.(.+)$/.exec(path) ?? [];
    return arm === undefined
      ? path.startsWith('load.')
      : !names.has(arm) && after.arms.some(({ name }) => name === arm);
  };
  const refused = changed.filter((path) => !isAddition(path));
  if (refused.length > 0)
    throw invalidInput(
      'RUN_MATRIX_CHANGED',
      `an extension of ${manifest.run} adds arms, questions or repeats; ${refused.join(', ')} changed`,
      {
        remedy: refused.includes('budget_nano_usd')
          ? 'keep budget_usd as it was, and name the higher limit with --budget'
          : 'put back what changed, or start a new run',
        location: { file },
      },
    );
  if (changed.length === 0)
    throw invalidInput('NOTHING_TO_EXTEND', `the matrix adds nothing to ${manifest.run}`, {
      remedy: 'add arms, questions or repeats to it, or resume the run',
      location: { file },
    });
}

function refuseSmallerLoad(
  before: ReadonlyMap<string, readonly string[]>,
  repeats: number,
  { loaded, selected, fixtures }: PreparedInput,
): void {
  const faults: RecallMatrixError[] = [];
  const fewer = (what: string): void => {
    faults.push(
      invalidInput('RUN_MATRIX_CHANGED', `the load no longer asks ${what}: an extension takes nothing away`, {
        remedy: 'put back what is missing, or start a new run',
        location: loaded.locate(['load']),
      }),
    );
  };
  if (loaded.matrix.load.repeats < repeats) fewer(`${counted(repeats, 'time')}`);
  for (const { manifest } of fixtures) {
    const now = new Set(selected.get(manifest.id));
    const lost = (before.get(manifest.id) ?? []).filter((id) => !now.has(id));
    if (lost.length > 0) fewer(lost.join(', '));
  }
  if (faults.length > 0) throw new InvalidInputErrors(faults);
}
