import type { MeanDifference, Score } from '../statistics/statistics.js';
import type { AbstentionFigures } from './abstention-counts.js';
import type { CostFigures } from './cost-counts.js';
import type { EvidenceFigures } from './evidence-curve.js';
import type { FateCounts } from './fate.js';
import type { MeanFigure } from './question-means.js';

/** What a report shows of the rows of one dataset: datasets are never pooled (RP-3). */
export interface DatasetFigures {
  readonly dataset: string;
  /** Fixtures, in the order of the run. */
  readonly conversations: readonly string[];
  /** By code units. */
  readonly categories: readonly string[];
  /** Those whose labels could not be read any more, each with why: evidence recall by k leaves them out. */
  readonly without_labels: readonly { readonly conversation: string; readonly why: string }[];
  /** Every arm of the run, in the order of the matrix. */
  readonly arms: readonly ArmFigures[];
}

/** One arm's rows of one dataset. Means are over questions, failures of the arm's own making as zero, lost rows in none (OB-4). */
export interface ArmFigures {
  readonly arm: string;
  /** How many rows there are to be: questions, repeats and replicates. */
  readonly expected: number;
  /** By scorer of the matrix. */
  readonly scores: ReadonlyMap<string, MeanFigure>;
  /** The mean of the primary scorer with its two intervals (RP-3). */
  readonly new_conversations: MeanDifference;
  readonly these_conversations: MeanDifference;
  /** Of the primary scorer, one a category and one a conversation, in the dataset's order; null where the arm has no such row. */
  readonly by_category: readonly (MeanFigure | null)[];
  readonly by_conversation: readonly (MeanFigure | null)[];
  /** What became of every row: the counts add up to `expected`. */
  readonly fates: FateCounts;
  readonly abstention: AbstentionFigures;
  readonly cost: CostFigures;
  /** The median of the contexts that its reader was given; null where it was given none of ours. */
  readonly context_tokens: number | null;
  /** Null where the arm ranks nothing, or no label could be read. */
  readonly evidence: EvidenceFigures | null;
  /** The primary scores to be paired with another arm's, without the questions that lessons were learnt from (LE-6). */
  readonly paired: readonly CountedScore[];
}

/** A row's primary score as it counts: 0 for a failure of the arm's own making, null for a lost row (OB-4). */
export interface CountedScore extends Score {
  readonly is_failure: boolean;
}
