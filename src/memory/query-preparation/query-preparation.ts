import type { Digest } from '../../core/digest.js';
import type { Owner, Sensitivity } from '../../fixture/history.js';
import type { EmbeddingTuple } from '../../provider/embedding.js';

/** The mechanism's version: part of every cache identity (SQ-3). */
export const SEMANTIC_QUERY_MECHANISM = 'semantic-query@1';

/** The complete recall query that a vector is prepared for (SQ-3). */
export interface SemanticQuery {
  readonly owner: Owner;
  readonly scope: 'standard' | 'core' | 'historical' | 'people';
  readonly read_ceiling: Sensitivity;
  readonly question: string;
  readonly subjects: readonly string[];
}

/** What the caller supplies, and what clears the cache when it changes (SQ-3, SQ-4). */
export interface PreparationContext {
  readonly policy_version: string;
  readonly retrieval_policy_version: string;
  readonly surface: string;
  readonly task: Digest;
  readonly sensitivity_floor: Sensitivity;
  readonly embedding: EmbeddingTuple;
  /** Digests of the pricing, and of the egress and residency configuration. */
  readonly pricing: Digest;
  readonly egress: Digest;
}

/** Why a prepared vector was missing (SQ-1). */
export type LookupMiss =
  | 'not-prepared'
  | 'expired'
  | 'evicted'
  | 'withheld'
  | 'ineligible'
  | 'off'
  | 'context-changed'
  | 'preparation-failed';

/** What a lookup found. */
export type LookupResult =
  | { readonly vector: Float32Array; readonly miss: null }
  | { readonly vector: null; readonly miss: LookupMiss };

/** Local: a lookup sends nothing, schedules nothing and reserves nothing (SQ-1). A hit is no evidence that a source is visible (SQ-5). */
export interface SemanticQueryLookup {
  lookup(query: SemanticQuery): LookupResult;
}

/** What became of each query of one preparation, in order. */
export type PreparationOutcome = 'prepared' | 'already-cached' | 'duplicate' | LookupMiss;

/** Explicit preparation (SQ-2): at most four queries and at most one provider request. */
export interface SemanticQueryPreparer extends SemanticQueryLookup {
  prepare(queries: readonly SemanticQuery[], signal: AbortSignal): Promise<readonly PreparationOutcome[]>;
}
