import { canonicalJson } from '../../core/canonical-json.js';
import { type Digest, digestJson, digestText } from '../../core/digest.js';
import { type PreparationContext, SEMANTIC_QUERY_MECHANISM, type SemanticQuery } from './query-preparation.js';

/** What of a query is ever sent (SQ-7). */
export type QueryText = Pick<SemanticQuery, 'question' | 'subjects'>;

/** The canonical text of a query: a JSON array of the question and its explicit subjects (SQ-7). Nothing else of it is ever sent. */
export function queryText(query: QueryText): string {
  return canonicalJson([query.question, ...query.subjects]);
}

/** What a prepared vector depends on beside its space: the text that was embedded, and the mechanism that made the text (VB-3). */
export function queryTextDigest(query: QueryText): Digest {
  return digestText(`${SEMANTIC_QUERY_MECHANISM}\0${queryText(query)}`);
}

/** The key of a vector: the complete recall query, the complete context and the mechanism's version (SQ-3). */
export function queryIdentity(query: SemanticQuery, context: PreparationContext): Digest {
  return digestJson({ mechanism: SEMANTIC_QUERY_MECHANISM, context, query });
}
