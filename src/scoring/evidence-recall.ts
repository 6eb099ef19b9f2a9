import type { ScoredRow, Scorer } from './scoring.js';

const DENOMINATOR =
  'Denominator: scored questions with evidence, of arms that rank; n/a where nothing is ranked or the question has no evidence.';

/** The share of a question's evidence turns that items of rank 1 to `k` bring (OB-6, R-39). */
export function evidenceRecallAt(k: number): Scorer {
  return {
    name: `evidence-recall@${k}`,
    describes: `Share of the evidence turns that the first ${k} retrieved items rest on. ${DENOMINATOR}`,
    score: (row) => evidenceRecall(row, ({ rank }) => rank <= k),
  };
}

/** The share of a question's evidence turns that the first items bring which fit a context of so many tokens (RT-4). */
export function evidenceRecallWithin(tokens: number): Scorer {
  return {
    name: `evidence-recall@${tokens}-tokens`,
    describes: `Share of the evidence turns that the first retrieved items rest on whose context lines take at most ${tokens} tokens together. ${DENOMINATOR}`,
    score: (row) => evidenceRecall(row, (source) => source.tokens <= tokens),
  };
}

/** Evidence recall without a bound: what retrieval returned at all. */
export const coverage: Scorer = {
  name: 'coverage',
  describes: `Share of the evidence turns that any retrieved item rests on. ${DENOMINATOR}`,
  score: (row) => evidenceRecall(row, () => true),
};

type RankedSource = NonNullable<ScoredRow['ranked_sources']>[number];

function evidenceRecall(row: ScoredRow, counts: (source: RankedSource) => boolean): number | null {
  const evidence = new Set(row.label.evidence);
  if (row.ranked_sources === null || evidence.size === 0) return null;
  const found = new Set<string>();
  for (const source of row.ranked_sources) if (counts(source) && evidence.has(source.turn)) found.add(source.turn);
  return found.size / evidence.size;
}
