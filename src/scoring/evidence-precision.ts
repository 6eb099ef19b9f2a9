import { evidenceOf, RANKED_DENOMINATOR } from './ranked-evidence.js';
import type { Scorer } from './scoring.js';

/**
 * Precision at k on turns, each counted once (OB-6, R-39): |E ∩ T| / |T|, E the evidence turns, T the turns that the items of rank 1 to `k`
 * rest on. Of turns, that is the precision of the items. The divisor is what was retrieved, not `k`: a strategy that returns less than its limit
 * is not charged for what it left out. 0 where nothing was retrieved.
 */
export function evidencePrecisionAt(k: number): Scorer {
  return {
    name: `evidence-precision@${k}`,
    describes: `Share of evidence among the turns that the first ${k} retrieved items rest on, each turn counted once. ${RANKED_DENOMINATOR}`,
    score: (row) => {
      const ranked = evidenceOf(row);
      if (ranked === null) return null;
      const turns = ranked.sources.filter(({ rank }) => rank <= k);
      return turns.length === 0 ? 0 : turns.filter(({ turn }) => ranked.evidence.has(turn)).length / turns.length;
    },
  };
}
