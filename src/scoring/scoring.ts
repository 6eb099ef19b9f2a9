import type { Label } from '../fixture/label.js';

/** What a scorer may see of one row. */
export interface ScoredRow {
  readonly label: Label;
  readonly answer: string;
  readonly abstained: boolean;
  /** For retrieval scorers: turn ids in rank order, without repeats, each with the rank (from 1) of the item that brought it. Null where nothing is ranked. */
  readonly ranked_sources: readonly { readonly turn: string; readonly rank: number }[] | null;
}

/** One scorer (one file each). */
export interface Scorer {
  /** As the matrix names it, e.g. `evidence-recall@10`. */
  readonly name: string;
  /** In words, for reports: the formula and its denominator. */
  readonly describes: string;
  /** @returns a score from 0 to 1; null where it does not apply to the row (n/a), which leaves the denominator. */
  score(row: ScoredRow): number | null;
}
