import { type Digest, digestJson } from '../../core/digest.js';
import type { Observation } from '../asking/observation.js';

/** What of a row says which items were recalled, in which order. */
export type Recalled = Pick<Observation, 'effective_strategy' | 'lookup_miss' | 'retrieved' | 'recall' | 'searches'>;

/**
 * The digest of a retrieval (RP-1): the strategy that was really in effect, and the ids with their sources, in rank order; of a deliberate
 * reader also each of its searches. Scores are left
 * out: the last bits of a floating-point sum are the processor's, and what they decide, the order, is bound.
 */
export function retrievalDigest({ effective_strategy, lookup_miss, retrieved, recall, searches }: Recalled): Digest {
  const items = retrieved.map(({ id, sources }) => ({ id, sources }));
  const automatic = { format: 'retrieval@1', effective_strategy, lookup_miss, items };
  return digestJson(recall === 'automatic' ? automatic : { ...automatic, searches: searches.map(searchOf) });
}

function searchOf({ query, subjects, effective_strategy, lookup_miss, retrieved }: Recalled['searches'][number]) {
  return { query, subjects, effective_strategy, lookup_miss, retrieved };
}
