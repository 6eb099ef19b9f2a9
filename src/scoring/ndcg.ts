import { evidenceOf, RANKED_DENOMINATOR } from './ranked-evidence.js';
import type { Scorer } from './scoring.js';

/**
 * NDCG at k with binary gains, on evidence turns counted once (OB-6, R-39; Järvelin and Kekäläinen, 2002, with the discount 1 / log2(rank + 1)):
 * DCG / IDCG.
 *
 * - DCG: the sum, over the evidence turns found, of 1 / log2(p + 1). The j-th one found stands at p = max(j, the rank of the item that brought it),
 *   and counts where p ≤ k. So an item that rests on several turns counts for no more than as many items of one turn each, and
 *   NDCG never exceeds 1. Of turns, p is the rank.
 * - IDCG: the same sum for evidence at the ranks 1 to min(|E|, k).
 */
export function ndcgAt(k: number): Scorer {
  return {
    name: `ndcg@${k}`,
    describes: `Discounted gain of the evidence turns that the first ${k} retrieved items bring, each turn counted once, over that of an ideal order; gain 1, discount 1/log2(rank + 1). ${RANKED_DENOMINATOR}`,
    score: (row) => {
      const ranked = evidenceOf(row);
      if (ranked === null) return null;
      const places = ranked.sources
        .filter(({ turn }) => ranked.evidence.has(turn))
        .map(({ rank }, index) => Math.max(rank, index + 1));
      const ideal = Array.from({ length: Math.min(ranked.evidence.size, k) }, (_, index) => index + 1);
      return gain(places.filter((place) => place <= k)) / gain(ideal);
    },
  };
}

function gain(places: readonly number[]): number {
  return places.reduce((sum, place) => sum + 1 / Math.log2(place + 1), 0);
}
