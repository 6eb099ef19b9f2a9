import type { Digest } from '../../core/digest.js';
import type { Bootstrap, McNemar, MeanDifference, SignFlip, SmallestDetectable } from '../statistics/statistics.js';
import type { NoiseFloor } from './noise-floor.js';

/** What `compare --json` prints (RP-2, RP-3, RP-4). Differences are head - base, in the scorer's own unit; nothing is pooled over datasets. */
export interface Comparison {
  readonly format: 'comparison@1';
  readonly base: ComparedSide;
  readonly head: ComparedSide;
  /** `within-run`: two arms of one run, which share banks and everything else but the arm. */
  readonly kind: 'two-runs' | 'within-run';
  /** Everything that differs between the sides, the stated treatment included. */
  readonly factors: readonly Factor[];
  /** More differs than the stated treatment: a difference may come from any of it. */
  readonly confounded: boolean;
  /** Banks, or the states that were formed, differ: questions are paired, formation is not. */
  readonly formation_differs: boolean;
  readonly alpha: number;
  readonly power: number;
  readonly margin: number;
  /** The scorer that the plan tests. */
  readonly primary: string;
  /** One after another, never pooled. */
  readonly datasets: readonly DatasetComparison[];
  /** Of `--fail-if`; empty where none was asked for. */
  readonly gates: readonly GateResult[];
  /** Of all gates: `none` where there are none; `untestable` before `invalid`, and that before `regression`. */
  readonly gate: 'none' | 'passed' | 'regression' | 'invalid' | 'untestable';
  /** What a reader must know beside the numbers: plain sentences. */
  readonly notes: readonly string[];
}

export interface ComparedSide {
  readonly run: string;
  readonly path: string;
  readonly matrix: Digest;
  readonly started_at: string;
  readonly status: string;
}

/** One thing that differs. */
export interface Factor {
  /** `arm`, `corpus`, `bank`, `vector-bank`, `load`, `labels`, `scorers`, `reader`, `prompt`, `judge`, `reported-models`, `server`, `program`, … */
  readonly factor: string;
  /** Null where it is the whole run's. */
  readonly fixture: string | null;
  /** Null where it is every arm's. */
  readonly arm: string | null;
  readonly base: string;
  readonly head: string;
  /** What the comparison is about: no confounder. */
  readonly is_treatment: boolean;
}

export interface DatasetComparison {
  readonly dataset: string;
  /** The clusters, with the questions that are paired in the first contrast. */
  readonly conversations: readonly { readonly fixture: string; readonly questions: number }[];
  readonly contrasts: readonly ContrastResult[];
  /** How far arms of head that ran twice are from themselves, by the primary scorer (RP-8). */
  readonly noise_floors: readonly NoiseFloor[];
}

/** One scorer over one pair of arms. */
export interface ContrastResult {
  readonly head_arm: string;
  readonly base_arm: string;
  readonly scorer: string;
  /**
   * In the plan that was made before the run (MX-8), by its primary scorer; else exploratory. Between two runs: an arm that both have against itself, where
   * both matrices plan by the same primary scorer. Nothing is, where labels were changed after the answers.
   */
  readonly planned: boolean;
  readonly rows: { readonly base: RowCounts; readonly head: RowCounts };
  /** Questions that both have a score for. */
  readonly pairs: number;
  readonly only_base: number;
  readonly only_head: number;
  /** Means over the pairs; null without any. */
  readonly base_mean: number | null;
  readonly head_mean: number | null;
  /** Failures of an arm's own making are 0. */
  readonly new_conversations: MeanDifference;
  readonly these_conversations: MeanDifference;
  /** Failures left out: where it disagrees with the above on the verdict, none is given (OB-4). */
  readonly without_failures: {
    readonly pairs: number;
    readonly new_conversations: MeanDifference;
    readonly these_conversations: MeanDifference;
  };
  readonly sign_flip: SignFlip;
  /** A diagnostic, never the verdict. */
  readonly bootstrap: Bootstrap | NotComputed;
  /** Of the t test for new conversations. Its alpha is that of the verdict's strictest step: of a planned contrast the plan's, divided by the planned contrasts. */
  readonly smallest_detectable: SmallestDetectable;
  /** Of new conversations, by Holm over the planned contrasts of all datasets; null where it is not planned, or could not be tested. */
  readonly adjusted_p: number | null;
  /** Within these conversations alone. */
  readonly within: { readonly permutation: SignFlip | NotComputed; readonly mcnemar: McNemar };
  readonly verdict: Verdict;
}

/** A diagnostic that was not asked for, as by a report, which shows none. `compare` computes all. */
export interface NotComputed {
  readonly kind: 'not_computed';
}

export interface RowCounts {
  /** That the load asks for: those that were never made too. */
  readonly rows: number;
  readonly answered: number;
  /** Of the arm's own making. */
  readonly failed: number;
  /** To the provider or the budget, never made (of a cell that the run did not finish), or without the judge's score: in no mean. */
  readonly lost: number;
}

/**
 * `better`, `worse`: told apart for new conversations, at alpha, after Holm where planned. `not-told-apart`: it could have been, and was not.
 * `could-not-be-told`: no difference, however large, could have been found. `withheld`: the two means of OB-4 disagree, or labels, scorers or judges
 * differ, so that scores are not on one scale. `reference`: one of the arms is one, for scale and never ranked, whatever the difference.
 */
export interface Verdict {
  readonly kind: 'better' | 'worse' | 'not-told-apart' | 'could-not-be-told' | 'withheld' | 'reference';
  /** One plain sentence: who, told apart or not, the difference with its interval. */
  readonly sentence: string;
  /** What it rests on and what has to be known beside it, each a sentence of its own. Their order is fixed. */
  readonly basis: readonly string[];
}

/** One `--fail-if`. */
export interface GateResult {
  /** As it was given. */
  readonly condition: string;
  readonly dataset: string;
  readonly scorer: string;
  readonly base_arm: string;
  readonly head_arm: string;
  /** What is held against the threshold: the estimate, or a one-sided bound of confidence 1 - alpha. */
  readonly tests: 'estimate' | 'bound';
  readonly scope: 'new-conversations' | 'these-conversations';
  readonly threshold: number;
  /** Null where it could not be computed. */
  readonly value: number | null;
  readonly outcome: 'regression' | 'within-margin' | 'no-regression-shown' | 'invalid' | 'untestable';
  readonly sentence: string;
}
