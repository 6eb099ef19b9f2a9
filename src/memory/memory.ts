import type { CivilTime } from '../core/civil-time.js';
import type { HistoryEvent, Owner, Sensitivity } from '../fixture/history.js';
import type { Question } from '../fixture/question.js';
import type { CompletionProvider } from '../provider/completion.js';
import type { FormationOutcome, FormationSettings } from './formation/formation.js';
import type { LookupMiss, SemanticQueryLookup } from './query-preparation/query-preparation.js';

/** What an arm retrieves: formed beliefs, or the original turns. */
export type RecallUnit = 'beliefs' | 'turns';

/**
 * How an arm retrieves (RT-1). `full-history` and `evidence` are references: never called best, never ranked. `module` and `file` are ranked
 * from outside: by a user's own module, or by another system's list (RT-6, RT-7).
 */
export const STRATEGIES = [
  'none',
  'full-history',
  'evidence',
  'recency',
  'full-text',
  'bm25',
  'semantic',
  'hybrid',
  'module',
  'file',
] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** The names of the recall modes (RT-1; docs/recall-modes.md). */
export const RECALL_MODES = ['standard', 'core', 'historical', 'people'] as const;

/** What of a store a recall may return, beside what owner, ceiling, time, corrections and erasures allow in every mode (RT-1). */
export type RecallMode =
  | { readonly name: 'standard' }
  /** The most supported current beliefs alone. */
  | { readonly name: 'core'; readonly size: number }
  /** Superseded beliefs too. A time later than the question's present counts as that present (FX-7). */
  | { readonly name: 'historical'; readonly as_of: 'question' | CivilTime }
  /** What is about the question's subjects, or was said by them, under any name that they are known by. */
  | { readonly name: 'people' };

/** A question as recall sees it. */
export interface RecallQuery {
  readonly owner: Owner;
  readonly question: Question;
  /** The highest sensitivity that may be read. */
  readonly read_ceiling: Sensitivity;
  /**
   * Ids of the evidence turns: for the `evidence` strategy alone, null for every other (FX-3).
   */
  readonly oracle_turns: readonly string[] | null;
}

/** How to recall. */
export interface RecallSettings {
  readonly strategy: Strategy;
  readonly unit: RecallUnit;
  /** The most items; null for strategies without a limit (`none`, `full-history`, `evidence`). */
  readonly limit: number | null;
  readonly mode: RecallMode;
}

/** One recalled item: a belief or a turn, in its current permitted form. */
export interface RecalledItem {
  readonly id: string;
  /** From 1. */
  readonly rank: number;
  /** Quantised to 1e-6 (RT-2); null for strategies that do not score. */
  readonly score: number | null;
  /** The turns it rests on; a turn rests on itself. In stated order, without repeats. */
  readonly sources: readonly string[];
  readonly text: string;
  /** When it was said or observed. */
  readonly at: CivilTime;
  /** A turn's speaker, a belief's subjects joined; for the context's line. */
  readonly who: string;
  /** What kind of item it is: the two have different lines in a context. */
  readonly unit: RecallUnit;
  /** Its place in the store: orders what was said at one time. Absolute values differ between stores; their order does not (ST-2). */
  readonly position: number;
}

/** What a recall gave. */
export interface RecallResult {
  /** The strategy that really ran: `bm25` where a semantic lookup missed, since a miss keeps sparse recall. `none` where nothing ran. */
  readonly effective_strategy: Strategy;
  readonly lookup_miss: LookupMiss | null;
  readonly items: readonly RecalledItem[];
}

/** The runtime under test (DESIGN: ports). It does not know that it is being tested. */
export interface MemoryRuntime {
  /**
   * Forms a whole history into an empty store, in order (FB-4, FX-2).
   *
   * @param onCall told after each formation call, with the number done and the number in all.
   * @throws what the provider throws; `FORMATION_*` errors of kind `provider` where a completion cites what it was not shown.
   */
  form(
    history: readonly HistoryEvent[],
    settings: FormationSettings,
    provider: CompletionProvider,
    signal: AbortSignal,
    onCall?: (done: number, total: number) => void,
  ): Promise<FormationOutcome>;
  /** Builds what an arm's strategy searches, once, after formation. `lookup` is null for strategies without vectors. */
  openRecall(
    settings: RecallSettings,
    owner: Owner,
    vectors: ItemVectors | null,
    lookup: SemanticQueryLookup | null,
    signal: AbortSignal,
  ): Promise<Recall>;
}

/** Recall over one formed store. */
export interface Recall {
  recall(query: RecallQuery, signal: AbortSignal): Promise<RecallResult>;
}

/** Vectors of stored items, by the digest of their text: handed in, so that the runtime neither sends nor pays. */
export interface ItemVectors {
  /** @returns one vector per text, in order; all of equal length. Embeds what it does not hold yet. */
  vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
