import type { ScoredRow, Scorer } from './scoring.js';

const DENOMINATOR =
  'Denominator: scored questions with evidence, of arms that rank; n/a where nothing is ranked or the question has no evidence.';

/** The share of a question's evidence turns that items of rank 1 to `k` bring (OB-6, R-39). */
export function evidenceRecallAt(k: number): Scorer {
  return {
    name: `evidence-recall@${k}`,
    describes: `Share of the evidence turns that the first ${k} retrieved items rest on. ${DENOMINATOR}`,
    score: (row) => evidenceRecall(row, k),
  };
}

/** Evidence recall without a bound: what retrieval returned at all. */
export const coverage: Scorer = {
  name: 'coverage',
  describes: `Share of the evidence turns that any retrieved item rests on. ${DENOMINATOR}`,
  score: (row) => evidenceRecall(row, Number.POSITIVE_INFINITY),
};

function evidenceRecall(row: ScoredRow, bound: number): number | null {
  const evidence = new Set(row.label.evidence);
  if (row.ranked_sources === null || evidence.size === 0) return null;
  const found = new Set<string>();
  for (const { turn, rank } of row.ranked_sources) if (rank <= bound && evidence.has(turn)) found.add(turn);
  return found.size / evidence.size;
}
