import { canonicalJson } from '../../core/canonical-json.js';
import type { Clock } from '../../core/clock.js';
import type { Digest } from '../../core/digest.js';
import { internalFault } from '../../core/errors.js';
import type { Owner } from '../../fixture/history.js';
import type { EmbeddingProvider } from '../../provider/embedding.js';
import { credentialWithholding, type Withholding } from './guards/withholding.js';
import { preparationBar } from './preparation-bar.js';
import { PreparationWatch } from './preparation-watch.js';
import { checkedVectors, prepareVectors } from './prepared-vectors.js';
import { queryIdentity, queryText } from './query-identity.js';
import type {
  LookupResult,
  PreparationContext,
  PreparationOutcome,
  SemanticQuery,
  SemanticQueryLookup,
  SemanticQueryPreparer,
  UnpreparedReason,
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
  /** Told once of each preparation that left queries `unprepared`, and why. */
  readonly onUnprepared?: (reason: UnpreparedReason) => void;
}

/** A lookup where preparation is off: every query misses, which is an experiment of its own (SQ-2). */
export const lookupOff: SemanticQueryLookup = { lookup: () => ({ vector: null, miss: 'off' }) };

/** A lookup where nothing is prepared, since the context bars every query: each misses by what bars it. */
export function barredLookup(owner: Owner, context: PreparationContext): SemanticQueryLookup {
  return {
    lookup: (query) => ({ vector: null, miss: preparationBar(query, owner, context)?.miss ?? 'unprepared' }),
  };
}

/** What is to be embedded: its place in the group, and its key. */
interface Wanted {
  readonly place: number;
  readonly key: Digest;
  readonly query: SemanticQuery;
}

interface Group {
  readonly outcomes: PreparationOutcome[];
  readonly wanted: Wanted[];
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
  readonly #onFailure: (error: unknown) => void;
  readonly #onUnprepared: (reason: UnpreparedReason) => void;
  readonly #secrets: readonly string[];
  readonly #onWithheld: (withheld: Withholding) => void;
  readonly #clock: Clock;
  readonly #cache: VectorCache;
  #isPreparing = false;
  /** Null once admission was withdrawn. */
  #context: PreparationContext | null;
  /** One more at each change of context: what was asked before it may not enter the cache after it (SQ-4). */
  #epoch = 0;

  constructor(parts: QueryPreparerParts) {
    this.#owner = parts.owner ?? null;
    this.#embedder = parts.provider;
    this.#onFailure = parts.onFailure ?? (() => {});
    this.#onUnprepared = parts.onUnprepared ?? (() => {});
    this.#clock = parts.clock;
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
    const [checked] = checkedVectors([vector], 1, this.#embedder.tuple);
    const key = queryIdentity(query, context);
    const outcome = this.#cache.get(key) === null ? 'prepared' : 'already-cached';
    this.#cache.put(key, checked as Float32Array);
    return outcome;
  }

  /**
   * Prepares a group: at most one provider request, for what is neither barred, nor a duplicate, nor live in the cache (SQ-2), within ten
   * seconds, guards included (SQ-8). One preparation at a time: the caller serialises, and nothing is queued here.
   *
   * @throws internal faults `PREPARATION_TOO_LARGE` for more than four queries and `PREPARATION_UNDER_WAY` where another is; the signal's
   * reason where it is aborted before the request; what `prepareVectors` throws.
   */
  async prepare(queries: readonly SemanticQuery[], signal: AbortSignal): Promise<readonly PreparationOutcome[]> {
    if (queries.length > PREPARATION_LIMIT) {
      throw internalFault(
        'PREPARATION_TOO_LARGE',
        `${queries.length} queries in one preparation of ${PREPARATION_LIMIT}`,
      );
    }
    if (this.#isPreparing)
      throw internalFault('PREPARATION_UNDER_WAY', 'a preparation began while another was under way');
    signal.throwIfAborted();
    const context = this.#context;
    if (context === null) {
      this.#onUnprepared('context-changed');
      return queries.map(() => 'unprepared');
    }
    const epoch = this.#epoch;
    const watch = new PreparationWatch(this.#clock, () => epoch === this.#epoch);
    this.#isPreparing = true;
    try {
      const group = this.#sort(queries, context);
      if (group.wanted.length > 0) await this.#embed(group, context, watch, signal);
      return group.outcomes;
    } finally {
      watch.close();
      this.#isPreparing = false;
    }
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

  async #embed(
    { outcomes, wanted }: Group,
    context: PreparationContext,
    watch: PreparationWatch,
    signal: AbortSignal,
  ): Promise<void> {
    const findings = await watch.waitFor(this.#findCredentials(wanted, context));
    signal.throwIfAborted();
    // What was looked over too late, or under an old context, is not sent (SQ-4, SQ-8).
    const ended = watch.look();
    if (findings === null || ended !== null) return this.#onUnprepared(ended ?? 'deadline');
    const passed = wanted.filter((_, index) => {
      const withheld = findings[index] ?? null;
      if (withheld !== null) this.#withhold(wanted[index] as Wanted, outcomes, withheld);
      return withheld === null;
    });
    if (passed.length === 0) return;
    const texts = passed.map(({ query }) => queryText(query));
    const prepared = await prepareVectors(this.#embedder, texts, watch, signal);
    for (const [index, { place, key }] of passed.entries()) {
      if (prepared.kind === 'vectors') this.#cache.put(key, prepared.vectors[index] as Float32Array);
      else if (watch.look() !== 'context-changed') this.#cache.noteMiss(key, prepared.miss);
      outcomes[place] = prepared.kind === 'vectors' ? 'prepared' : prepared.miss;
    }
    if (prepared.kind === 'vectors') return;
    if (prepared.reason !== null) this.#onUnprepared(prepared.reason);
    if (prepared.error !== null && prepared.reason !== null) this.#onFailure(prepared.error);
  }

  async #findCredentials(wanted: readonly Wanted[], { egress }: PreparationContext): Promise<(Withholding | null)[]> {
    if (!egress.leaves_process) return wanted.map(() => null);
    const findings: (Withholding | null)[] = [];
    for (const { query } of wanted) findings.push(await credentialWithholding(query, this.#secrets));
    return findings;
  }

  #withhold({ place, key }: Wanted, outcomes: PreparationOutcome[], withheld: Withholding): void {
    const miss = `withheld:${withheld.guard}` as const;
    outcomes[place] = miss;
    this.#cache.noteMiss(key, miss);
    this.#onWithheld(withheld);
  }

  #assertTuple(context: PreparationContext): void {
    if (canonicalJson(context.embedding) === canonicalJson(this.#embedder.tuple)) return;
    throw internalFault(
      'EMBEDDING_TUPLE_DIFFERS',
      `the context names ${context.embedding.model}, the embedder is ${this.#embedder.tuple.model}`,
    );
  }
}
