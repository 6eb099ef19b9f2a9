import type { PinnedQuery } from '../../bank/vector-bank.js';
import type { Clock } from '../../core/clock.js';
import type { Digest } from '../../core/digest.js';
import type { Owner } from '../../fixture/history.js';
import type { Question } from '../../fixture/question.js';
import type { Withholding } from '../../memory/query-preparation/guards/withholding.js';
import { queryText, queryTextDigest } from '../../memory/query-preparation/query-identity.js';
import type {
  PreparationContext,
  PreparationOutcome,
  SemanticQuery,
  SemanticQueryLookup,
  UnpreparedReason,
} from '../../memory/query-preparation/query-preparation.js';
import { type ContextualQueryPreparer, createQueryPreparer } from '../../memory/query-preparation/query-preparer.js';
import type { EmbeddingProvider } from '../../provider/embedding.js';
import { type PriceEntry, priceOf } from '../../provider/prices.js';
import { countTokens } from '../../provider/tokenizer.js';
import { NO_USAGE, type Usage } from '../../provider/usage.js';
import type { CallAccount } from '../asking/call-account.js';
import { splitUsageByWeight } from '../summary/split-evenly.js';
import { type QueryGroup, queryGroups } from './query-groups/query-groups.js';
import type { MissedQuery, SessionQueries } from './query-groups/session-queries.js';
import { waitingForSlot } from './query-groups/slot-wait.js';
import type { QueryMisses } from './query-misses.js';
import type { QueryPins } from './query-pins.js';

/** What preparing one question's vector takes, whoever's preparation it was. */
export interface QueryCost {
  readonly usage: Usage | null;
  readonly attributed_nano_usd: bigint | null;
}

/** What query vectors are prepared with; all handed in. */
export interface QueryVectorParts {
  readonly provider: EmbeddingProvider;
  readonly context: PreparationContext;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly fixture: string;
  readonly session: SessionQueries;
  /** Hears of the calls of `provider`. */
  readonly account: CallAccount;
  readonly pins: QueryPins;
  readonly misses: QueryMisses;
  readonly price: PriceEntry | null;
  /** Configured secrets, which no query may hold. */
  readonly secrets: readonly string[];
  readonly onWithheld: (withheld: Withholding) => void;
  /** Hears why a group has no vectors, where its provider failed: the provider's words, which no row and no count holds. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Prepares the questions of one block in groups, once for all arms, each group just before the first of its questions is asked (SQ-2), in
 * their order and one at a time for an owner, so that no result depends on scheduling (SQ-9). A vector that is pinned, in a vector bank or
 * in the run's folder, is preloaded instead (VB-3). What was tried in vain is not tried again in this session (SQ-8); a later one tries
 * what it still has to ask. Each arm that uses a vector is charged what it would have cost alone: its share of its group's request, by the
 * tokens of the canonical texts.
 */
export class QueryVectors {
  readonly #parts: QueryVectorParts;
  readonly #preparer: ContextualQueryPreparer;
  readonly #missed: Map<Digest, MissedQuery>;
  /** Of the last preparation. */
  #whyUnprepared: UnpreparedReason | null = null;
  /** What is to be asked, in order; those that were prepared are gone. */
  #groups: QueryGroup[] = [];

  constructor(parts: QueryVectorParts) {
    const { provider, context, clock, owner, secrets, onWithheld, onFailure } = parts;
    this.#parts = parts;
    this.#missed = parts.session.missedOf(parts.fixture);
    this.#preparer = createQueryPreparer({
      owner,
      provider,
      context,
      clock,
      secrets,
      onWithheld,
      onFailure,
      onUnprepared: (reason) => {
        this.#whyUnprepared = reason;
      },
    });
  }

  /**
   * Local, as the port wants it: what the cache says, or why this session has no vector of the text. What is pinned is preloaded here, and not
   * before, so that however many others are asked in between, the cache's bounds evict nothing that is about to be used.
   */
  get lookup(): SemanticQueryLookup {
    return {
      lookup: (query) => {
        const text = queryTextDigest(query);
        const pin = this.#parts.pins.get(text);
        if (pin !== null) this.#preparer.preload(query, pin.vector);
        const found = this.#preparer.lookup(query);
        if (found.miss !== 'unprepared') return found;
        return { vector: null, miss: this.#missed.get(text)?.miss ?? 'unprepared' };
      },
    };
  }

  /** Says what is going to be asked, in load order: that fixes the groups. */
  expect(questions: readonly Question[]): void {
    const queries = questions.map((question) => queryOf(this.#parts.owner, question));
    this.#groups = queryGroups(queries, (text) => this.#isSettled(text));
  }

  /**
   * Sees to it that the lookup finds a question's vector: pinned, or prepared now, with its group, and kept in the run's folder.
   *
   * @throws kind `budget` and `interrupted`, of which nothing is remembered, and what keeps a vector from being written down.
   */
  async prepare(owner: Owner, question: Question, signal: AbortSignal): Promise<QueryCost> {
    const query = queryOf(owner, question);
    const text = queryTextDigest(query);
    if (!this.#isSettled(text)) await this.#parts.session.turns.take(owner, () => this.#prepareUpTo(query, signal));
    const pin = this.#parts.pins.get(text);
    if (pin === null) return this.#costOfMissed(text);
    return { usage: pin.usage, attributed_nano_usd: priceOf(this.#parts.price, pin.usage) };
  }

  /**
   * Prepares all questions at once, in their groups, for a vector bank that is to pin them.
   *
   * @param onGroup told after each group, before the next is sent.
   * @throws as `prepare`.
   */
  async prepareAll(
    owner: Owner,
    questions: readonly Question[],
    signal: AbortSignal,
    onGroup: () => Promise<void> = async () => {},
  ): Promise<void> {
    const queries = questions.map((question) => queryOf(owner, question));
    for (const group of queryGroups(queries, (text) => this.#isSettled(text))) {
      await this.#parts.session.turns.take(owner, () => this.#prepareGroup(group, signal));
      await onGroup();
    }
  }

  /** The vectors that there are of some questions, by their texts. */
  pinned(questions: readonly Question[]): Map<Digest, PinnedQuery> {
    const texts = questions.map(queryTextDigest);
    return new Map(
      texts.flatMap((text) => {
        const pin = this.#parts.pins.get(text);
        return pin === null ? [] : [[text, pin] as const];
      }),
    );
  }

  /** Where a text's vector came from, and why the run last had none, if it once had none. */
  sourceOf(text: Digest): { readonly source: 'prepared' | 'pinned'; readonly reason: string | null } {
    const { pins, misses } = this.#parts;
    return { source: pins.isPreparedHere(text) ? 'prepared' : 'pinned', reason: misses.get(text)?.reason ?? null };
  }

  /** Takes over what a vector bank pins. */
  pin(queries: ReadonlyMap<Digest, PinnedQuery>): void {
    this.#parts.pins.addAll(queries);
  }

  close(): Promise<unknown> {
    return Promise.all([this.#parts.pins.close(), this.#parts.misses.close()]);
  }

  #isSettled(text: Digest): boolean {
    return this.#parts.pins.get(text) !== null || this.#missed.has(text);
  }

  /** Prepares the groups up to a query's own, in order; a query that is in none is a group of its own, and waits for none. */
  async #prepareUpTo(query: SemanticQuery, signal: AbortSignal): Promise<void> {
    const text = queryTextDigest(query);
    const isExpected = this.#groups.some((group) => group.some((one) => queryTextDigest(one) === text));
    if (!isExpected && !this.#isSettled(text)) await this.#prepareGroup([query], signal);
    while (isExpected && !this.#isSettled(text)) {
      await this.#prepareGroup(this.#groups[0] as QueryGroup, signal);
      this.#groups.shift();
    }
  }

  async #prepareGroup(group: QueryGroup, signal: AbortSignal): Promise<void> {
    const { account, clock, owner, pins, misses, session } = this.#parts;
    const due = group.filter((query) => !this.#isSettled(queryTextDigest(query)));
    if (due.length === 0) return;
    const before = account.mark();
    const { processTurns, onWait } = session;
    const outcomes = await processTurns.take(owner, signal, onWait, () =>
      waitingForSlot(() => this.#preparer.prepare(due, signal), clock, signal, onWait),
    );
    const { usage } = account.since(before);
    const shares = sharesOf(due, outcomes, usage);
    for (const [place, query] of due.entries()) {
      const text = queryTextDigest(query);
      const { vector, miss } = this.#preparer.lookup(query);
      const share = shares[place] ?? null;
      if (vector !== null) {
        await pins.keep(text, { vector, usage: share });
        continue;
      }
      const wasSent = isSent(outcomes[place]);
      await misses.note(text, { miss, reason: miss === 'unprepared' ? this.#whyUnprepared : null });
      this.#missed.set(text, { miss, was_sent: wasSent, usage: share });
    }
  }

  #costOfMissed(text: Digest): QueryCost {
    const missed = this.#missed.get(text);
    if (missed === undefined || !missed.was_sent) return { usage: NO_USAGE, attributed_nano_usd: 0n };
    return { usage: missed.usage, attributed_nano_usd: priceOf(this.#parts.price, missed.usage) };
  }
}

/** Whether a query was in its group's request. */
function isSent(outcome: PreparationOutcome | undefined): boolean {
  return outcome === 'prepared' || outcome === 'unprepared';
}

/**
 * What each query of a group has of the usage of its request: in proportion to the tokens of the texts that were in it, as one tokenizer
 * counts them (OB-2). The local embedder bills by the same, so there a question costs what it would alone.
 */
function sharesOf(
  group: QueryGroup,
  outcomes: readonly PreparationOutcome[],
  usage: Usage | null,
): readonly (Usage | null)[] {
  const weights = group.map((query, place) => (isSent(outcomes[place]) ? BigInt(countTokens(queryText(query))) : 0n));
  if (usage === null || weights.every((weight) => weight === 0n)) return group.map(() => usage);
  return splitUsageByWeight(usage, weights);
}

/** Prepared under the highest ceiling, whoever asks first: a ceiling decides nothing about a preparation, and each arm looks its own up. */
export function queryOf(owner: Owner, { question, subjects }: Pick<Question, 'question' | 'subjects'>): SemanticQuery {
  return { owner, scope: 'standard', candidates: 'permitted', read_ceiling: 'restricted', question, subjects };
}
