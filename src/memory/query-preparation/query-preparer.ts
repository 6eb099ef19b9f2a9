import { canonicalJson } from '../../core/canonical-json.js';
import type { Clock } from '../../core/clock.js';
import type { Digest } from '../../core/digest.js';
import { internalFault, kindOf, RecallMatrixError } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type { EmbeddingProvider } from '../../provider/embedding.js';
import { AdmissionRefused } from './admission-refused.js';
import { credentialWithholding, type Withholding } from './guards/withholding.js';
import { preparationBar } from './preparation-bar.js';
import { queryIdentity, queryText } from './query-identity.js';
import type {
  LookupMiss,
  LookupResult,
  PreparationContext,
  PreparationOutcome,
  SemanticQuery,
  SemanticQueryLookup,
  SemanticQueryPreparer,
} from './query-preparation.js';
import { VectorCache } from './vector-cache.js';

/** The most queries of one preparation (SQ-2). */
export const PREPARATION_LIMIT = 4;

/** What preparation needs; all handed in. */
export interface QueryPreparerParts {
  /** Whose queries are eligible (SQ-6); left out where the caller prepares for owners whom it has chosen itself. */
  readonly owner?: Owner;
  readonly provider: EmbeddingProvider;
  readonly context: PreparationContext;
  readonly clock: Clock;
  /** Configured secrets, which no query may hold (SQ-7). */
  readonly secrets?: readonly string[];
  /** Told of each query that a guard withholds from a preparation; what it found is in words of the guard's own. */
  readonly onWithheld?: (withheld: Withholding) => void;
  /**
   * Told of each failure of the provider: the queries become misses, and the run goes on with sparse recall (SQ-1). Left out where
   * the provider is metered, which accounts for its failures itself.
   */
  readonly onFailure?: (error: unknown) => void;
}

/** A lookup where preparation is off: every query misses, which is an experiment of its own (SQ-2). */
export const lookupOff: SemanticQueryLookup = { lookup: () => ({ vector: null, miss: 'off' }) };

/** A lookup where nothing is prepared, since the context bars every query: each misses by what bars it. */
export function barredLookup(owner: Owner, context: PreparationContext): SemanticQueryLookup {
  return {
    lookup: (query) => ({ vector: null, miss: preparationBar(query, owner, context)?.miss ?? 'unprepared' }),
  };
}

interface Group {
  readonly outcomes: PreparationOutcome[];
  /** What is to be embedded: the place in the group, and the key. */
  readonly wanted: { place: number; key: Digest; query: SemanticQuery }[];
}

/** A preparer whose context can change (SQ-4). */
export interface ContextualQueryPreparer extends SemanticQueryPreparer {
  /** Changes the context, or withdraws admission with null: the cache is cleared. An equal context changes nothing. */
  changeContext(context: PreparationContext | null): void;
  /**
   * Puts a vector that was prepared before into the cache, for its lifetime anew (VB-3): eligibility and the cache's bounds are those of
   * a preparation; nothing is sent.
   *
   * @throws kind `provider`, `EMBEDDING_MALFORMED`, for a vector of another length.
   */
  preload(query: SemanticQuery, vector: Float32Array): PreparationOutcome;
}

/** @throws internal fault `EMBEDDING_TUPLE_DIFFERS` where the provider makes other vectors than the context says. */
export function createQueryPreparer(parts: QueryPreparerParts): ContextualQueryPreparer {
  return new CachingQueryPreparer(parts);
}

/** Explicit preparation of query vectors with a local cache (SQ-1 to SQ-5). A lookup touches the cache and nothing else. */
class CachingQueryPreparer implements ContextualQueryPreparer {
  readonly #owner: Owner | null;
  readonly #embedder: EmbeddingProvider;
  readonly #onFailure: ((error: unknown) => void) | null;
  readonly #secrets: readonly string[];
  readonly #onWithheld: (withheld: Withholding) => void;
  readonly #cache: VectorCache;
  /** Null once admission was withdrawn. */
  #context: PreparationContext | null;
  /** One more at each change of context: what was asked before it may not enter the cache after it (SQ-4). */
  #epoch = 0;

  constructor(parts: QueryPreparerParts) {
    this.#owner = parts.owner ?? null;
    this.#embedder = parts.provider;
    this.#onFailure = parts.onFailure ?? null;
    this.#secrets = parts.secrets ?? [];
    this.#onWithheld = parts.onWithheld ?? (() => {});
    this.#cache = new VectorCache(parts.clock);
    this.#context = parts.context;
    this.#assertTuple(parts.context);
  }

  changeContext(context: PreparationContext | null): void {
    if (canonicalJson(context) === canonicalJson(this.#context)) return;
    if (context !== null) this.#assertTuple(context);
    this.#context = context;
    this.#epoch += 1;
    this.#cache.clear();
  }

  lookup(query: SemanticQuery): LookupResult {
    const context = this.#context;
    if (context === null) return { vector: null, miss: 'unprepared' };
    const bar = preparationBar(query, this.#owner, context);
    if (bar !== null) return { vector: null, miss: bar.miss };
    const key = queryIdentity(query, context);
    const vector = this.#cache.get(key);
    return vector === null ? { vector, miss: this.#cache.missOf(key) } : { vector, miss: null };
  }

  preload(query: SemanticQuery, vector: Float32Array): PreparationOutcome {
    const context = this.#context;
    if (context === null) return 'unprepared';
    const bar = preparationBar(query, this.#owner, context);
    if (bar !== null) return bar.miss;
    const [checked] = this.#checked([vector], 1);
    const key = queryIdentity(query, context);
    const outcome = this.#cache.get(key) === null ? 'prepared' : 'already-cached';
    this.#cache.put(key, checked as Float32Array);
    return outcome;
  }

  /**
   * Prepares a group: at most one provider request, for what is neither barred, nor a duplicate, nor live in the cache (SQ-2).
   *
   * @throws internal fault `PREPARATION_TOO_LARGE` for more than four queries; the signal's reason once it is aborted; what the
   * provider throws, unless it is its own failure (kind `provider`), which makes the outcome `unprepared`, or a refusal of the owner's
   * ledger, `refused:<ceiling>`.
   */
  async prepare(queries: readonly SemanticQuery[], signal: AbortSignal): Promise<readonly PreparationOutcome[]> {
    if (queries.length > PREPARATION_LIMIT) {
      throw internalFault(
        'PREPARATION_TOO_LARGE',
        `${queries.length} queries in one preparation of ${PREPARATION_LIMIT}`,
      );
    }
    signal.throwIfAborted();
    const context = this.#context;
    if (context === null) return queries.map(() => 'unprepared');
    const group = this.#sort(queries, context);
    if (group.wanted.length > 0) await this.#embed(group, signal);
    return group.outcomes;
  }

  #sort(queries: readonly SemanticQuery[], context: PreparationContext): Group {
    const seen = new Set<Digest>();
    const group: Group = { outcomes: [], wanted: [] };
    for (const [place, query] of queries.entries()) {
      const bar = preparationBar(query, this.#owner, context);
      if (bar !== null) {
        group.outcomes.push(bar.miss);
        if (bar.withheld !== null) this.#onWithheld(bar.withheld);
        continue;
      }
      const key = queryIdentity(query, context);
      if (seen.has(key)) group.outcomes.push('duplicate');
      else if (this.#cache.get(key) !== null) group.outcomes.push('already-cached');
      else {
        group.wanted.push({ place, key, query });
        group.outcomes.push('unprepared');
      }
      seen.add(key);
    }
    return group;
  }

  async #embed(group: Group, signal: AbortSignal): Promise<void> {
    const epoch = this.#epoch;
    const { outcomes } = group;
    const wanted = await this.#withoutCredentials(group);
    signal.throwIfAborted();
    if (epoch !== this.#epoch) {
      // What was admitted under the old context is not sent under the new one (SQ-4).
      for (const { place } of wanted) outcomes[place] = 'unprepared';
      return;
    }
    if (wanted.length === 0) return;
    let vectors: readonly Float32Array[] | null = null;
    let miss: LookupMiss = 'unprepared';
    try {
      const result = await this.#embedder.embed(
        wanted.map(({ query }) => queryText(query)),
        signal,
      );
      vectors = this.#checked(result.vectors, wanted.length);
    } catch (error) {
      if (error instanceof AdmissionRefused) miss = `refused:${error.ceiling}`;
      else if (signal.aborted || kindOf(error) !== 'provider') throw error;
      else this.#onFailure?.(error);
    }
    const isCurrent = epoch === this.#epoch;
    for (const [index, { place, key }] of wanted.entries()) {
      const vector = vectors?.[index];
      if (!isCurrent) outcomes[place] = 'unprepared';
      else if (vector === undefined) {
        this.#cache.noteMiss(key, miss);
        outcomes[place] = miss;
      } else {
        this.#cache.put(key, vector);
        outcomes[place] = 'prepared';
      }
    }
  }

  async #withoutCredentials({ outcomes, wanted }: Group): Promise<Group['wanted']> {
    if (this.#context?.egress.leaves_process !== true) return wanted;
    const passed: Group['wanted'] = [];
    for (const one of wanted) {
      const withheld = await credentialWithholding(one.query, this.#secrets);
      if (withheld === null) {
        passed.push(one);
        continue;
      }
      const miss = `withheld:${withheld.guard}` as const;
      outcomes[one.place] = miss;
      this.#cache.noteMiss(one.key, miss);
      this.#onWithheld(withheld);
    }
    return passed;
  }

  #checked(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
    const { dimensions } = this.#embedder.tuple;
    const isSound = (vector: Float32Array): boolean => vector.length === dimensions && vector.every(Number.isFinite);
    if (vectors.length === count && vectors.every(isSound)) return vectors;
    throw new RecallMatrixError({
      kind: 'provider',
      code: 'EMBEDDING_MALFORMED',
      message: `expected ${count} finite vectors of ${dimensions} dimensions from ${this.#embedder.tuple.model}`,
      remedy: 'check that the provider serves this model, with this many dimensions',
    });
  }

  #assertTuple(context: PreparationContext): void {
    if (canonicalJson(context.embedding) === canonicalJson(this.#embedder.tuple)) return;
    throw internalFault(
      'EMBEDDING_TUPLE_DIFFERS',
      `the context names ${context.embedding.model}, the embedder is ${this.#embedder.tuple.model}`,
    );
  }
}
