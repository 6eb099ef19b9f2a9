import type { Digest } from '../../core/digest.js';
import type { Confusion, Estimate } from '../../scoring/judge/agreement.js';
import type { CorrectedShare } from '../../scoring/judge/bias-correction.js';
import type { RankChange } from '../../scoring/judge/rank-changes.js';

/** What judges made of one arm's rows. */
export interface JudgedRows {
  /** Answers with a verdict of the judge, and how many of them it holds to be correct. */
  readonly judged: number;
  readonly correct: number;
  /** Abstentions, decided by rule, and how many of them scored. */
  readonly by_rule: number;
  readonly correct_by_rule: number;
  /** Answers whose judge failed or was not asked: in no mean. */
  readonly unjudged: number;
  /** What judging this arm alone would have cost: no part of the arm's attributed cost (OB-2). Null: unknown, or unpriced. */
  readonly attributed_nano_usd: number | null;
}

/** The judges of a run (OB-7). */
export interface JudgingResult {
  /** Intervals are of confidence 1 - alpha. */
  readonly alpha: number;
  readonly judges: readonly JudgeResult[];
  /** What this run paid for verdicts, by all judges, those that came to nothing too (LG-12). */
  readonly actual_nano_usd: number;
  readonly uncertain_nano_usd: number;
  /** Pairs of arms that two judges put in opposite orders; reference arms are not ranked. */
  readonly rank_changes: readonly RankChange[];
}

/** One judge. */
export interface JudgeResult {
  readonly judge: string;
  readonly provider: string;
  readonly model: string;
  readonly prompt: { readonly name: string; readonly digest: Digest };
  readonly repeats: number;
  /** Different (question, expected, answer) that it gave all its verdicts on, those of labels included. */
  readonly items: number;
  /** Verdicts in `judgements.jsonl`. */
  readonly verdicts: number;
  /** Items on which all repeats agree. */
  readonly unanimous: number;
  /** The mean share of the repeats that are the majority's; null where there is no item. */
  readonly agreement: number | null;
  /** What the verdicts cost, each once. Null: unknown, or unpriced. */
  readonly attributed_nano_usd: number | null;
  readonly reported_models: readonly string[];
  /** Null where the judge has no labels. */
  readonly labels: LabelAgreement | null;
  readonly arms: readonly JudgedArm[];
}

/** A judge against people. */
export interface LabelAgreement {
  readonly lines: number;
  /** Answers that both judged. */
  readonly n: number;
  readonly left_out: { readonly stale: number; readonly tied: number; readonly unjudged: number };
  readonly confusion: Confusion;
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  readonly kappa: Estimate;
}

/** An arm by one judge. */
export interface JudgedArm extends JudgedRows {
  readonly arm: string;
  readonly mean: number | null;
  /** From 1, equal means sharing one; null for references, and without a verdict. */
  readonly rank: number | null;
  /** The mean that people's labels lead to, with its interval; null where the judge has no labels. */
  readonly corrected: CorrectedShare | null;
}
