import type { Digest } from '../../../core/digest.js';
import { queryTextDigest } from '../../../memory/query-preparation/query-identity.js';
import type { SemanticQuery } from '../../../memory/query-preparation/query-preparation.js';
import { PREPARATION_LIMIT } from '../../../memory/query-preparation/query-preparer.js';

/** Queries of one preparation, in load order. */
export type QueryGroup = readonly SemanticQuery[];

/**
 * The groups in which queries are prepared (SQ-2, SQ-9): of at most four, filled from the front, in load order, over what is not settled;
 * each text once. Nothing but that decides them, so that no result depends on who asks first. A query that turns out to be withheld keeps
 * its place: its group's request is the shorter by one.
 */
export function queryGroups(queries: readonly SemanticQuery[], isSettled: (text: Digest) => boolean): QueryGroup[] {
  const due = new Map<Digest, SemanticQuery>();
  for (const query of queries) {
    const text = queryTextDigest(query);
    if (!due.has(text) && !isSettled(text)) due.set(text, query);
  }
  const all = [...due.values()];
  return Array.from({ length: Math.ceil(all.length / PREPARATION_LIMIT) }, (_, index) =>
    all.slice(index * PREPARATION_LIMIT, (index + 1) * PREPARATION_LIMIT),
  );
}
