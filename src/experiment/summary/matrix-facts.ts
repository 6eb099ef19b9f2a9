import type { ArmSettings, ResolvedMatrix } from '../../matrix/matrix.js';
import { missScorer } from './arm-misses.js';
import type { ArmFacts } from './summarise.js';

type MatrixFacts = Pick<
  ArmFacts,
  | 'reference'
  | 'oracle'
  | 'aa_of'
  | 'recall'
  | 'unit'
  | 'miss_scorer'
  | 'replicates'
  | 'primary'
  | 'intervals'
  | 'actual_nano_usd'
  | 'uncertain_nano_usd'
>;

/** One line of a ledger's sums; amounts are nano-dollars. */
interface ArmAndStageSums {
  readonly arm: string | null;
  readonly spent_nano_usd: bigint | number;
  readonly uncertain_nano_usd: bigint | number;
}

/**
 * What a summary needs to know of an arm that its matrix and the ledger say, the same whoever sums up.
 *
 * @param datasets by fixture.
 */
export function matrixFacts(
  { analysis, scoring, formation }: ResolvedMatrix,
  arm: ArmSettings,
  sums: readonly ArmAndStageSums[],
  datasets: ReadonlyMap<string, string>,
): MatrixFacts {
  const own = sums.filter((one) => one.arm === arm.name);
  const { strategy, unit } = arm.retrieval;
  return {
    reference: arm.reference,
    oracle: strategy === 'evidence',
    aa_of: arm.aa_of ?? null,
    recall: arm.recall ?? 'automatic',
    unit: strategy === 'none' ? null : unit,
    miss_scorer: missScorer(analysis, scoring),
    replicates: formation?.replicates ?? 1,
    primary: analysis.primary,
    intervals: { alpha: analysis.alpha, datasetOf: (fixture) => datasets.get(fixture) as string },
    actual_nano_usd: own.reduce((sum, { spent_nano_usd }) => sum + BigInt(spent_nano_usd), 0n),
    uncertain_nano_usd: own.reduce((sum, { uncertain_nano_usd }) => sum + BigInt(uncertain_nano_usd), 0n),
  };
}

/** What every arm's break-even is reckoned against; null where no arm is full-history. */
export function fullHistoryRows<Row>(
  { arms }: Pick<ResolvedMatrix, 'arms'>,
  rowsOf: (arm: string) => readonly Row[],
): readonly Row[] | null {
  const arm = arms.find(({ retrieval }) => retrieval.strategy === 'full-history');
  return arm === undefined ? null : rowsOf(arm.name);
}
