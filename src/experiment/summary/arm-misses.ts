import { MISS_BELOW, MISS_CAUSES, type MissCause } from '../../scoring/miss.js';
import { judgeOf } from '../../scoring/scoring.js';
import type { SummaryRow } from './summary-row.js';

/** An arm's wrong answers by cause (OB-6). */
export interface ArmMisses {
  /** The score that says what is wrong; null where no scorer of the matrix looks at answers: nothing is told then. */
  readonly scorer: string | null;
  /** A score below this is a miss. */
  readonly below: number;
  /** Answers with that score. */
  readonly n: number;
  readonly causes: { readonly [Cause in MissCause]: number };
}

/** The score by which answers are wrong: the primary one if it looks at answers, else the first that does. */
export function missScorer(analysis: { readonly primary: string }, scoring: readonly string[]): string | null {
  const looks = (name: string): boolean =>
    ['token-f1', 'exact-match', 'contains'].includes(name) || judgeOf(name) !== null;
  return [analysis.primary, ...scoring].find(looks) ?? null;
}

/** Counts an arm's misses. */
export function armMisses(scorer: string | null, rows: readonly SummaryRow[]): ArmMisses {
  const count = (cause: MissCause): number => rows.filter(({ miss }) => miss?.cause === cause).length;
  return {
    scorer,
    below: MISS_BELOW,
    n: rows.filter(
      (row) => row.outcome.kind === 'answered' && scorer !== null && typeof row.scores[scorer] === 'number',
    ).length,
    causes: Object.fromEntries(MISS_CAUSES.map((cause) => [cause, count(cause)])) as ArmMisses['causes'],
  };
}
