import { evidenceOf, RANKED_DENOMINATOR } from './ranked-evidence.js';
import type { Scorer } from './scoring.js';

/**
 * The reciprocal rank at k (OB-6; Voorhees, TREC-8, 1999): 1 / r, r the rank of the first item that rests on an evidence turn; 0 where none of rank
 * 1 to `k` does. Its mean over questions is the MRR.
 */
export function reciprocalRankAt(k: number): Scorer {
  return {
    name: `mrr@${k}`,
    describes: `1 / the rank of the first retrieved item that rests on an evidence turn, 0 where none of the first ${k} does. ${RANKED_DENOMINATOR}`,
    score: (row) => {
      const ranked = evidenceOf(row);
      if (ranked === null) return null;
      const first = ranked.sources.find(({ turn, rank }) => rank <= k && ranked.evidence.has(turn));
      return first === undefined ? 0 : 1 / first.rank;
    },
  };
}
