import { evidenceOf, RANKED_DENOMINATOR } from './ranked-evidence.js';
import type { ScoredRow, Scorer } from './scoring.js';

/** The share of a question's evidence turns that items of rank 1 to `k` bring (OB-6, R-39). */
export function evidenceRecallAt(k: number): Scorer {
  return {
    name: `evidence-recall@${k}`,
    describes: `Share of the evidence turns that the first ${k} retrieved items rest on. ${RANKED_DENOMINATOR}`,
    score: (row) => evidenceRecall(row, ({ rank }) => rank <= k),
  };
}

/** The share of a question's evidence turns that the first items bring which fit a context of so many tokens (RT-4). */
export function evidenceRecallWithin(tokens: number): Scorer {
  return {
    name: `evidence-recall@${tokens}-tokens`,
    describes: `Share of the evidence turns that the first retrieved items rest on whose context lines take at most ${tokens} tokens together. ${RANKED_DENOMINATOR}`,
    score: (row) => evidenceRecall(row, (source) => source.tokens <= tokens),
  };
}

/** Evidence recall without a bound: what retrieval returned at all. */
export const coverage: Scorer = {
  name: 'coverage',
  describes: `Share of the evidence turns that any retrieved item rests on. ${RANKED_DENOMINATOR}`,
  score: (row) => evidenceRecall(row, () => true),
};

type RankedSource = NonNullable<ScoredRow['ranked_sources']>[number];

function evidenceRecall(row: ScoredRow, counts: (source: RankedSource) => boolean): number | null {
  const ranked = evidenceOf(row);
  if (ranked === null) return null;
  const found = ranked.sources.filter((source) => counts(source) && ranked.evidence.has(source.turn));
  return found.length / ranked.evidence.size;
}
