import { isOwnFailure } from '../../asking/row-score.js';
import type { ArmResult, ScoreDetail } from '../../experiment.js';
import { sumKnown } from '../../summary/amounts.js';
import { scoreDetails } from '../../summary/score-detail.js';
import type { SummaryRow } from '../../summary/summary-row.js';
import { RUN_RESULT } from '../bundle-format.js';
import type { CheckedBundle } from './checked-bundle.js';
import { isSame } from './differences.js';

const FIGURES = ['mean', 'mean_without_failures', 'n', 'questions', 'failed'] as const;
/** What the run says of an arm is what its rows give: counts, denominators, means, and what they cost. */
export function checkArmSums({ record, findings }: CheckedBundle, arm: string, rows: readonly SummaryRow[]): void {
  const said = record.result.arms.find((one) => one.arm === arm);
  if (said === undefined) {
    findings.fault(RUN_RESULT, `it says nothing of the arm ${arm}`);
    return;
  }
  if (said.status !== 'complete' && rows.length === 0) return;
  findings.looked('arms by counts, denominators, means and costs');
  const same = (what: string, found: unknown, expected: unknown) => {
    if (!isSame(found, expected))
      findings.fault(
        RUN_RESULT,
        `${what} of the arm ${arm} is ${String(found)}, and its rows give ${String(expected)}`,
      );
  };
  for (const [what, count] of Object.entries(countsOf(rows))) same(what, said[what as keyof ArmResult], count);
  if (said.status === 'complete') same('questions', said.questions, rows.length);
  const attributed = sumKnown(
    rows.map(({ attributed: { nano_usd } }) => (nano_usd === null ? null : BigInt(nano_usd))),
  );
  if (rows.length > 0)
    same('attributed_nano_usd', said.attributed_nano_usd, attributed === null ? null : Number(attributed));
  // Of these details the figures alone are looked at: an interval is reckoned from the means.
  const details = scoreDetails(rows, record.matrix.scoring, { alpha: 0.5, datasetOf: () => '' });
  for (const [scorer, detail] of Object.entries(details)) {
    same(`scores.${scorer}`, said.scores[scorer], detail.mean);
    for (const figure of FIGURES)
      same(
        `score_details.${scorer}.${figure}`,
        said.score_details[scorer]?.[figure satisfies keyof ScoreDetail],
        detail[figure],
      );
  }
}

function countsOf(rows: readonly SummaryRow[]) {
  return {
    answered: rows.filter(({ outcome }) => outcome.kind === 'answered').length,
    failed: rows.filter(isOwnFailure).length,
    lost: rows.filter((row) => row.outcome.kind !== 'answered' && !isOwnFailure(row)).length,
    abstained: rows.filter(({ abstained }) => abstained === true).length,
  };
}
