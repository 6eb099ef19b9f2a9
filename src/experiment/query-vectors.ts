import type { PinnedQuery } from '../bank/vector-bank.js';
import type { Clock } from '../core/clock.js';
import { type Digest, digestJson } from '../core/digest.js';
import type { Owner, Sensitivity } from '../fixture/history.js';
import type { Question } from '../fixture/question.js';
import { queryTextDigest } from '../memory/query-preparation/query-identity.js';
import type {
  PreparationContext,
  PreparationOutcome,
  SemanticQuery,
  SemanticQueryLookup,
} from '../memory/query-preparation/query-preparation.js';
import {
  type ContextualQueryPreparer,
  createQueryPreparer,
  type QueryGuard,
} from '../memory/query-preparation/query-preparer.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../provider/embedding.js';
import { type PriceEntry, priceOf } from '../provider/prices.js';
import type { Usage } from '../provider/usage.js';
import type { CallAccount } from './call-account.js';
import type { QueryPins } from './query-pins.js';

/** What preparing one question's vector takes, whoever's preparation it was. */
export interface QueryCost {
  readonly outcome: PreparationOutcome;
  readonly usage: Usage | null;
  readonly attributed_nano_usd: bigint | null;
}

/**
 * Prepares each question's vector just before it is asked, once for all arms (SQ-2, SQ-9): one preparation at a time, so that no
 * result depends on scheduling. A vector that is pinned, in a vector bank or in the run's folder, is preloaded instead (VB-3). Each arm
 * that uses it is charged what it would have cost alone.
 */
export class QueryVectors {
  #last: Promise<unknown> = Promise.resolve();
  readonly #account: CallAccount;
  readonly #pins: QueryPins;
  readonly #price: PriceEntry | null;
  readonly #preparer: ContextualQueryPreparer;

  constructor(parts: {
    readonly provider: EmbeddingProvider;
    readonly context: PreparationContext;
    readonly clock: Clock;
    readonly owner: Owner;
    /** Hears of the calls of `provider`. */
    readonly account: CallAccount;
    readonly pins: QueryPins;
    readonly price: PriceEntry | null;
    /** Asked where a question's text leaves this process. */
    readonly guard: QueryGuard;
  }) {
    const { provider, context, clock, owner } = parts;
    this.#account = parts.account;
    this.#pins = parts.pins;
    this.#price = parts.price;
    const leaves = provider.tuple.endpoint !== 'in-process';
    this.#preparer = createQueryPreparer({ owner, provider, context, clock, ...(leaves && { guard: parts.guard }) });
  }

  get lookup(): SemanticQueryLookup {
    return this.#preparer;
  }

  /** Puts a question's vector where the lookup finds it: pinned, or prepared now and pinned in the run's folder. */
  prepare(owner: Owner, question: Question, readCeiling: Sensitivity, signal: AbortSignal): Promise<QueryCost> {
    return this.#inTurn(() => this.#prepareOne(queryOf(owner, question, readCeiling), signal));
  }

  /** Prepares a question's vector for a bank; null where it may not be prepared, or the provider failed. */
  prepareToPin(
    owner: Owner,
    question: Question,
    readCeiling: Sensitivity,
    signal: AbortSignal,
  ): Promise<PinnedQuery | null> {
    return this.#inTurn(async () => {
      const query = queryOf(owner, question, readCeiling);
      return this.#pins.get(queryTextDigest(query)) ?? (await this.#prepareNow(query, signal)).pin;
    });
  }

  /** Takes over what a vector bank pins. */
  pin(queries: ReadonlyMap<Digest, PinnedQuery>): void {
    this.#pins.addAll(queries);
  }

  /** Keeps a vector that was prepared for a bank, and that the bank does not pin after all. */
  keep(text: Digest, pin: PinnedQuery): Promise<void> {
    return this.#pins.keep(text, pin);
  }

  close(): Promise<void> {
    return this.#pins.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #prepareOne(query: SemanticQuery, signal: AbortSignal): Promise<QueryCost> {
    const key = queryTextDigest(query);
    const pinned = this.#pins.get(key);
    if (pinned !== null) {
      const outcome = this.#preparer.preload(query, pinned.vector);
      return { outcome, usage: pinned.usage, attributed_nano_usd: priceOf(this.#price, pinned.usage) };
    }
    const { cost, pin } = await this.#prepareNow(query, signal);
    if (pin !== null) await this.#pins.keep(key, pin);
    return cost;
  }

  async #prepareNow(query: SemanticQuery, signal: AbortSignal): Promise<{ cost: QueryCost; pin: PinnedQuery | null }> {
    const before = this.#account.mark();
    const [outcome] = await this.#preparer.prepare([query], signal);
    const { usage, attributed_nano_usd } = this.#account.since(before);
    const { vector } = this.#preparer.lookup(query);
    return {
      cost: { outcome: outcome as PreparationOutcome, usage, attributed_nano_usd },
      pin: vector === null ? null : { vector, usage },
    };
  }
}

function queryOf(owner: Owner, { question, subjects }: Question, readCeiling: Sensitivity): SemanticQuery {
  return { owner, scope: 'standard', candidates: 'permitted', read_ceiling: readCeiling, question, subjects };
}

/** What the experiment supplies for every preparation of a run (SQ-3). */
export function preparationContext(
  matrix: Digest,
  embedding: EmbeddingTuple,
  pricing: Digest,
  floor: Sensitivity,
): PreparationContext {
  return {
    policy_version: 'facts@1',
    retrieval_policy_version: 'recall@1',
    surface: 'recall-matrix/run',
    task: matrix,
    sensitivity_floor: floor,
    embedding,
    pricing,
    egress: digestJson({ leaves_process: embedding.endpoint !== 'in-process' }),
  };
}
