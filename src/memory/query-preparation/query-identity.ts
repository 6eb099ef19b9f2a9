import { canonicalJson } from '../../core/canonical-json.js';
import { type Digest, digestJson, digestText } from '../../core/digest.js';
import type { Owner, Sensitivity } from '../../fixture/history.js';
import {
  type LookupMiss,
  type PreparationContext,
  SEMANTIC_QUERY_MECHANISM,
  type SemanticQuery,
} from './query-preparation.js';

/** Longer canonical texts are withheld, never cut (SQ-7). */
export const QUERY_TEXT_LIMIT_BYTES = 4096;

/** Whether text of a sensitivity is eligible: public and internal alone (SQ-7). */
export function mayLeave(sensitivity: Sensitivity): boolean {
  return sensitivity === 'public' || sensitivity === 'internal';
}

/** The canonical text of a query: a JSON array of the question and its explicit subjects (SQ-7). Nothing else of it is ever sent. */
export function queryText(query: Pick<SemanticQuery, 'question' | 'subjects'>): string {
  return canonicalJson([query.question, ...query.subjects]);
}

/** What a prepared vector depends on beside its space: the text that was embedded, and the mechanism that made the text (VB-3). */
export function queryTextDigest(query: Pick<SemanticQuery, 'question' | 'subjects'>): Digest {
  return digestText(`${SEMANTIC_QUERY_MECHANISM}\0${queryText(query)}`);
}

/** The key of a vector: the complete recall query, the complete context and the mechanism's version (SQ-3). */
export function queryIdentity(query: SemanticQuery, context: PreparationContext): Digest {
  return digestJson({ mechanism: SEMANTIC_QUERY_MECHANISM, context, query });
}

/**
 * Why a query may not be prepared, whoever embeds it: another owner's, another scope than standard, legacy candidate selection or empty
 * text is ineligible (SQ-6); text over the bound, or under a floor above internal, is withheld (SQ-7). The read ceiling has no say: it
 * cannot lower the floor. Null where it may be prepared.
 */
export function preparationBar(
  query: SemanticQuery,
  owner: Owner | null,
  context: PreparationContext,
): LookupMiss | null {
  const isOwners = owner === null || (query.owner.tenant === owner.tenant && query.owner.principal === owner.principal);
  if (!isOwners) return 'ineligible:owner';
  if (query.scope !== 'standard') return 'ineligible:scope';
  if (query.candidates !== 'permitted') return 'ineligible:selection';
  if (query.question.trim() === '') return 'ineligible:empty';
  if (Buffer.byteLength(queryText(query)) > QUERY_TEXT_LIMIT_BYTES) return 'withheld:length';
  return mayLeave(context.sensitivity_floor) ? null : 'withheld:sensitivity';
}
