import type { Digest } from '../../core/digest.js';
import type { Owner, Sensitivity } from '../../fixture/history.js';
import type { EmbeddingTuple } from '../../provider/embedding.js';
import { ADMISSION_CEILINGS } from './admission.js';

/** The mechanism's version: part of every cache identity (SQ-3). */
export const SEMANTIC_QUERY_MECHANISM = 'semantic-query@1';

/** The complete recall query that a vector is prepared for (SQ-3). */
export interface SemanticQuery {
  readonly owner: Owner;
  readonly scope: 'standard' | 'core' | 'historical' | 'people';
  /** How the items that are scored are chosen: by what the store permits, or by an earlier selection that does not ask it (SQ-6). */
  readonly candidates: 'permitted' | 'legacy';
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
  readonly pricing: Digest;
  readonly egress: EgressRules;
}

/** Where a query's text would go, and where it may (SQ-7). */
export interface EgressRules {
  /** Whether it leaves this process. What stays is looked over for its length and the caller's floor alone. */
  readonly leaves_process: boolean;
  /** The region in which the provider keeps and handles it, as configured; null where none is stated. */
  readonly region: string | null;
  /** The regions that the owner allows; null where the owner has no rule. */
  readonly residency: readonly string[] | null;
}

/** What keeps a query from being prepared at all (SQ-6). */
export const INELIGIBLE_REASONS = ['owner', 'scope', 'selection', 'empty'] as const;
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number];

/** What keeps a text from leaving, in the order in which they are asked: the first that withholds is named (SQ-7). */
export const WITHHOLDING_GUARDS = ['length', 'sensitivity', 'residency', 'injection', 'credential'] as const;
export type WithholdingGuard = (typeof WITHHOLDING_GUARDS)[number];

/**
 * Why a prepared vector was missing (SQ-1). `unprepared`: nothing was prepared, or it failed; why, the run's metadata counts. `off`: an
 * experiment's own choice, and no degradation (SQ-2).
 */
export const LOOKUP_MISSES = [
  'expired',
  'evicted',
  ...INELIGIBLE_REASONS.map((reason) => `ineligible:${reason}` as const),
  ...WITHHOLDING_GUARDS.map((guard) => `withheld:${guard}` as const),
  ...ADMISSION_CEILINGS.map((ceiling) => `refused:${ceiling}` as const),
  'unprepared',
  'off',
] as const;
export type LookupMiss = (typeof LOOKUP_MISSES)[number];

/** Why a query is `unprepared`: counted, and no part of the word (SQ-8, SQ-10). */
export const UNPREPARED_REASONS = [
  'deadline',
  'context-changed',
  'lease-lost',
  'malformed',
  'provider-failure',
] as const;
export type UnpreparedReason = (typeof UNPREPARED_REASONS)[number];

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
