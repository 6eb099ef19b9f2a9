import type { Label } from '../fixture/label.js';

/** What a scorer may see of one row. */
export interface ScoredRow {
  readonly label: Label;
  readonly answer: string;
  readonly abstained: boolean;
  /** For retrieval scorers: turn ids in rank order, without repeats, each with the rank (from 1) of the item that brought it, and the context tokens of all items up to and with it. Null where nothing is ranked. */
  readonly ranked_sources: readonly { readonly turn: string; readonly rank: number; readonly tokens: number }[] | null;
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

/** The scorers that there are, as a matrix may name them; `K` stands for a whole number from 1 to 1,000, of tokens to 100,000. */
export const SCORER_NAMES = [
  'token-f1',
  'exact-match',
  'contains',
  'evidence-recall@K',
  'evidence-recall@K-tokens',
  'evidence-precision@K',
  'mrr@K',
  'ndcg@K',
  'coverage',
  'abstention',
  'right-abstention',
  'false-abstention',
] as const;

/** A scorer's name taken apart: `evidence-recall@10` is family `evidence-recall@K` with k 10. */
export interface ParsedScorerName {
  readonly family: (typeof SCORER_NAMES)[number];
  /** Null for families without a bound. */
  readonly k: number | null;
}

/** @returns null where no scorer has that name. */
export function parseScorerName(name: string): ParsedScorerName | null {
  const ranked = /^(.+)@([1-9]\d{0,5})(-tokens)?$/.exec(name);
  const sought = ranked === null ? name : `${ranked[1]}@K${ranked[3] ?? ''}`;
  const family = SCORER_NAMES.find((known) => known === sought);
  const k = ranked === null ? null : Number(ranked[2]);
  if (family === undefined || family.includes('@K') !== (k !== null)) return null;
  if (k !== null && k > (family.endsWith('-tokens') ? 100_000 : 1000)) return null;
  return { family, k };
}

/** The path of the user's own module that a scorer's name asks for, `module:PATH` (RT-6); null for every other scorer. */
export function moduleOfScorer(scorer: string): string | null {
  return scorer.startsWith('module:') ? scorer.slice('module:'.length) : null;
}

/** The judge that a scorer's name asks for, `judge:NAME` (OB-7); null for every other scorer. */
export function judgeOf(scorer: string): string | null {
  return scorer.startsWith('judge:') ? scorer.slice('judge:'.length) : null;
}
