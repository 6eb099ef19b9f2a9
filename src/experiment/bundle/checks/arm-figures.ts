import { programDigest } from '../../program-digest.js';
import type { RunRecord } from '../../run-record.js';
import { scoredBy } from '../../scored-by.js';
import { analysisResult } from '../../summary/analysis-result.js';
import { lessonPairs } from '../../summary/lesson-pairs.js';
import { fullHistoryRows, matrixFacts } from '../../summary/matrix-facts.js';
import { recordedSample } from '../../summary/recorded-sample.js';
import { summariseArm } from '../../summary/summarise.js';
import type { SummaryRow } from '../../summary/summary-row.js';
import { RUN_RESULT } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';
import { differences } from './differences.js';

/** Rows of a run by arm, in its order. */
export interface ArmRows {
  readonly byArm: ReadonlyMap<string, readonly SummaryRow[]>;
  /** Arms of which cells were not finished: nothing can be reckoned of them. */
  readonly unfinished: ReadonlySet<string>;
}

/**
 * Whatever a run says of its arms, a reader of it takes for what its rows give: intervals, categories, causes of misses, tokens, costs, lessons. All of it is
 * made again from the rows as the run made it; and the plan that it is judged by is the matrix's.
 */
export function checkArmFigures({ record, findings }: CheckedBundle, rows: ArmRows): void {
  const { result, matrix, manifest } = record;
  const { program, version } = scoredBy(manifest);
  const isSameProgram = program === programDigest();
  let otherwise = 0;
  const same = (what: string, found: unknown, expected: unknown): void => {
    for (const at of differences(found, expected))
      if (isSameProgram) findings.fault(RUN_RESULT, `${what}${at} is not what its rows and its matrix give`);
      else otherwise += 1;
  };
  for (const arm of result.arms) {
    const expected = rows.unfinished.has(arm.arm) ? null : armOf(record, arm.arm, rows);
    if (expected === null) continue;
    const { costs, ...figures } = expected;
    // Whether an arm breaks even needs the rows of full-history too.
    const { costs: saidCosts, ...said } = arm;
    same(`the arm ${arm.arm}`, said, figures);
    if (rows.unfinished.size === 0) same(`the arm ${arm.arm}.costs`, saidCosts, costs);
  }
  same('analysis', result.analysis, analysisResult(matrix));
  const sample = recordedSample(result);
  if (sample !== null && rows.unfinished.size === 0) {
    const pairs = lessonPairs(matrix.arms, (arm) => rows.byArm.get(arm) ?? [], sample, matrix.analysis.primary);
    same('lessons.pairs', result.lessons?.pairs, pairs);
  }
  if (otherwise > 0)
    findings.skipped(
      `${otherwise} figures of arms, which this program reckons otherwise`,
      `another program summed them up, version ${version}: verify with that one`,
    );
}

/** Null where the matrix has no such arm, or the arm no row. */
function armOf({ result, matrix, manifest }: RunRecord, name: string, { byArm }: ArmRows) {
  const arm = matrix.arms.find((one) => one.name === name);
  const said = result.arms.find((one) => one.arm === name);
  const rows = byArm.get(name) ?? [];
  if (arm === undefined || said === undefined || rows.length === 0) return null;
  const datasets = new Map(manifest.fixtures.map(({ id, dataset }) => [id, dataset ?? '']));
  return summariseArm(
    {
      ...said,
      sample: recordedSample(result),
      ...matrixFacts(matrix, arm, result.ledger.by_arm_and_stage, datasets),
    },
    rows,
    matrix.scoring,
    fullHistoryRows(matrix, (one) => byArm.get(one) ?? []),
  );
}
