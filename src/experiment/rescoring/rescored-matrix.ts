import { invalidInput } from '../../core/errors.js';
import { aaOf } from '../../matrix/aa-arm.js';
import type { LoadedMatrix, ResolvedMatrix } from '../../matrix/matrix.js';
import { matrixDifferences } from '../../matrix/matrix-difference.js';
import { matrixDigest } from '../../matrix/resolve-matrix.js';
import { judgeOf, moduleOfScorer } from '../../scoring/scoring.js';
import { KNOWN_PARTS, prepareMatrix } from '../prepare-run.js';

/** Where the added scorers are named. */
export interface AddedScorers {
  /** A matrix file, absolute, with more under `scoring`; null: the run's own matrix. */
  readonly matrixPath: string | null;
  /** Names of built-in scorers. */
  readonly scorers: readonly string[];
}

/**
 * The matrix by which a run is scored again (RP-6): its own, with more scorers, and the judges, prices, providers and modules that these need. What
 * scored before stays as it was, and so does the plan of the analysis: it was made before the run (MX-8).
 *
 * @throws exit 2: every fault of the matrix file; `RUN_MATRIX_CHANGED`, naming what else it changes; `SCORER_UNKNOWN`, `JUDGE_UNKNOWN`, `MODULE_NOT_BOUND`.
 */
export async function rescoredMatrix(
  run: string,
  before: LoadedMatrix,
  { matrixPath, scorers }: AddedScorers,
): Promise<LoadedMatrix> {
  const named = matrixPath === null ? before : await prepareMatrix(matrixPath, { aaOfRun: aaOf(before.matrix) });
  refuseOtherChanges(run, before.matrix, named);
  const added = [...new Set(scorers)].filter((name) => !named.matrix.scoring.includes(name));
  for (const name of added) refuseUnknown(name);
  if (added.length === 0) return named;
  const matrix = { ...named.matrix, scoring: [...named.matrix.scoring, ...added] };
  return { ...named, matrix, digest: matrixDigest(matrix) };
}

function refuseOtherChanges(run: string, before: ResolvedMatrix, { matrix: after, path: file }: LoadedMatrix): void {
  const refused = matrixDifferences(before, after).filter((path) => !isAddition(path, before, after));
  if (refused.length === 0) return;
  throw invalidInput(
    'RUN_MATRIX_CHANGED',
    `scoring ${run} again adds scorers and judges; ${refused.join(', ')} changed`,
    {
      remedy: remedyOf(refused),
      location: { file },
    },
  );
}

function remedyOf(refused: readonly string[]): string {
  if (refused.includes('budget_nano_usd')) return 'keep budget_usd as it was, and name the higher limit with --budget';
  if (refused.some((path) => path.startsWith('analysis.')))
    return 'put the plan back: it was made before the run, and other scores are looked at as exploratory ones';
  if (refused.some((path) => path.startsWith('judges.')))
    return 'give the changed judge a name of its own, beside the one that the run had: its verdicts then stand beside the earlier ones';
  return 'put back what changed, or start a new run';
}

/** Maps that may have more entries than before; none that was there may be changed or left out. */
const GROWING = ['judges', 'prices', 'providers', 'modules.scorers'];

function isAddition(path: string, before: ResolvedMatrix, after: ResolvedMatrix): boolean {
  if (path === 'scoring') return before.scoring.every((name) => after.scoring.includes(name));
  if (path === 'modules') return before.modules === undefined;
  const map = GROWING.find((one) => path.startsWith(`${one}.`));
  if (map === undefined) return false;
  // What differs of an entry that was there is a field of it; what is named whole was added, or left out.
  return Object.hasOwn(mapIn(after, map), path.slice(map.length + 1));
}

function mapIn(matrix: ResolvedMatrix, map: string): object {
  const found = map
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], matrix);
  return (found as object | undefined) ?? {};
}

function refuseUnknown(name: string): void {
  const judge = judgeOf(name);
  if (judge !== null)
    throw invalidInput('JUDGE_UNKNOWN', `the run's matrix has no judge ${judge}`, {
      remedy: 'name a matrix that configures it under `judges`: recall-matrix rescore RUN MATRIX',
    });
  if (moduleOfScorer(name) !== null)
    throw invalidInput('MODULE_NOT_BOUND', `a scorer that is a module (${name}) is bound by a matrix`, {
      remedy: 'put it under `scoring` of a matrix, and name that: recall-matrix rescore RUN MATRIX',
    });
  const problem = KNOWN_PARTS.scorerProblem(name);
  if (problem !== null)
    throw invalidInput('SCORER_UNKNOWN', problem, { remedy: 'see docs/formats/matrix.md for the scorers' });
}
