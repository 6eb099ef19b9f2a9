import type { FixtureOutline } from '../../fixture/fixture.js';
import type { LedgerTotals } from '../../ledger/ledger.js';
import type { JudgeChoice, LoadedMatrix } from '../../matrix/matrix.js';
import { type Confusion, kappaOf, sensitivityOf, specificityOf } from '../../scoring/judge/agreement.js';
import { type CorrectedShare, correctedShare } from '../../scoring/judge/bias-correction.js';
import { majorityOf } from '../../scoring/judge/judge.js';
import { criticalValue } from '../../scoring/judge/normal-quantile.js';
import { rankChanges, ranksOf } from '../../scoring/judge/rank-changes.js';
import type { ArmResult } from '../experiment.js';
import { unique } from '../resuming/model-changes.js';
import { jsonAmount, sumKnown } from '../summary/amounts.js';
import type { JudgementFile } from './judgement-file.js';
import type { Judging } from './judging.js';
import type { JudgedArm, JudgedRows, JudgeResult, JudgingResult, LabelAgreement } from './judging-report.js';

/** What the run says of its judges (OB-7); null where no scorer is one. */
export async function judgingResult(
  judging: Judging,
  loaded: LoadedMatrix,
  arms: readonly ArmResult[],
  fixtures: readonly FixtureOutline[],
  totals: LedgerTotals,
): Promise<JudgingResult | null> {
  if (judging.judges.length === 0) return null;
  const file = await judging.file();
  const { alpha } = loaded.matrix.analysis;
  const judges = Object.entries(loaded.matrix.judges).map(([judge, choice]) => {
    const labels = labelAgreement(judging, file, judge, fixtures, criticalValue(alpha));
    return judgeResult(file, judge, choice, labels, arms, criticalValue(alpha));
  });
  const paid = totals.by_arm_and_stage.find(({ arm, stage }) => arm === null && stage === 'judge');
  return {
    alpha,
    judges,
    actual_nano_usd: jsonAmount(paid?.spent_nano_usd ?? 0n),
    uncertain_nano_usd: jsonAmount(paid?.uncertain_nano_usd ?? 0n),
    rank_changes: rankChanges(
      new Map(judges.map(({ judge, arms: ranked }) => [judge, ranked.filter(({ rank }) => rank !== null)])),
    ),
  };
}

/** Whether every answer, and every labelled one, has its verdict. */
export function isWhollyJudged(judging: JudgingResult | null): boolean {
  return (judging?.judges ?? []).every(
    ({ arms, labels }) => arms.every(({ unjudged }) => unjudged === 0) && (labels?.left_out.unjudged ?? 0) === 0,
  );
}

function judgeResult(
  file: JudgementFile,
  judge: string,
  choice: JudgeChoice,
  labels: LabelAgreement | null,
  arms: readonly ArmResult[],
  z: number,
): JudgeResult {
  const kept = file.itemsOf(judge);
  const whole = kept.filter((verdicts) => verdicts.length >= choice.repeats).map(majorityOf);
  const verdicts = kept.flat();
  const cost = sumKnown(verdicts.map(({ nano_usd }) => (nano_usd === null ? null : BigInt(nano_usd))));
  return {
    judge,
    provider: choice.provider,
    model: choice.model,
    prompt: { name: choice.prompt.name, digest: choice.prompt.digest },
    repeats: choice.repeats,
    items: whole.length,
    verdicts: verdicts.length,
    unanimous: whole.filter(({ agreement }) => agreement === 1).length,
    agreement: whole.length === 0 ? null : whole.reduce((sum, { agreement }) => sum + agreement, 0) / whole.length,
    attributed_nano_usd: cost === null ? null : jsonAmount(cost),
    reported_models: unique(verdicts.flatMap(({ reported_models }) => reported_models)),
    labels,
    arms: judgedArms(judge, arms, labels?.confusion ?? null, z),
  };
}

function judgedArms(judge: string, arms: readonly ArmResult[], labels: Confusion | null, z: number): JudgedArm[] {
  const means = arms.map((arm) => ({ arm: arm.arm, mean: arm.scores[`judge:${judge}`] ?? null }));
  const unranked = new Set(arms.filter(({ reference, aa_of }) => reference || aa_of !== null).map(({ arm }) => arm));
  const ranks = new Map(ranksOf(means.filter(({ arm }) => !unranked.has(arm))).map(({ arm, rank }) => [arm, rank]));
  return arms.map((arm) => {
    const rows = arm.judging[judge] as JudgedRows;
    const n = arm.score_details[`judge:${judge}`]?.n ?? 0;
    return {
      arm: arm.arm,
      mean: arm.scores[`judge:${judge}`] ?? null,
      rank: ranks.get(arm.arm) ?? null,
      ...rows,
      corrected: labels === null ? null : correctedMean(rows, n, labels, z),
    };
  });
}

/** The judged part corrected, with what is known without the judge: abstentions by rule, and the arm's own failures as 0. */
function correctedMean(rows: JudgedRows, n: number, labels: Confusion, z: number): CorrectedShare {
  const share = correctedShare(rows.correct, rows.judged, labels, z);
  const whole = (value: number | null): number | null =>
    value === null ? null : (rows.correct_by_rule + rows.judged * value) / n;
  return { ...share, estimate: whole(share.estimate), lo: whole(share.lo), hi: whole(share.hi), n };
}

function labelAgreement(
  judging: Judging,
  file: JudgementFile,
  judge: string,
  fixtures: readonly FixtureOutline[],
  z: number,
): LabelAgreement | null {
  const labels = judging.labels.get(judge);
  if (labels === undefined) return null;
  const byId = new Map(fixtures.map((fixture) => [fixture.manifest.id, fixture]));
  const pairs = labels.answers.map(({ fixture, question, answer, correct }) => ({
    human: correct,
    judge: judging.verdictOn(file, byId.get(fixture) as FixtureOutline, judge, question, answer),
  }));
  const count = (human: boolean, verdict: boolean): number =>
    pairs.filter((pair) => pair.human === human && pair.judge === verdict).length;
  const confusion: Confusion = {
    both_correct: count(true, true),
    judge_only: count(false, true),
    human_only: count(true, false),
    both_incorrect: count(false, false),
  };
  const unjudged = pairs.filter((pair) => pair.judge === null).length;
  return {
    lines: labels.lines,
    n: pairs.length - unjudged,
    left_out: { stale: labels.stale, tied: labels.tied, unjudged },
    confusion,
    sensitivity: sensitivityOf(confusion, z),
    specificity: specificityOf(confusion, z),
    kappa: kappaOf(confusion, z),
  };
}
