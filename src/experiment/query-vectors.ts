import type { Clock } from '../core/clock.js';
import { type Digest, digestJson } from '../core/digest.js';
import type { Owner, Sensitivity } from '../fixture/history.js';
import type { Question } from '../fixture/question.js';
import type {
  PreparationContext,
  PreparationOutcome,
  SemanticQuery,
  SemanticQueryLookup,
  SemanticQueryPreparer,
} from '../memory/query-preparation/query-preparation.js';
import { createQueryPreparer } from '../memory/query-preparation/query-preparer.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../provider/embedding.js';
import type { Usage } from '../provider/usage.js';
import type { CallAccount } from './call-account.js';

/** What preparing one question's vector takes, whoever's preparation it was. */
export interface QueryCost {
  readonly outcome: PreparationOutcome;
  readonly usage: Usage | null;
  readonly attributed_nano_usd: bigint | null;
}

/**
 * Prepares each question's vector just before it is asked, once for all arms (SQ-2, SQ-9): one preparation at a time, so that no
 * result depends on scheduling. Each arm that uses it is charged what it would have cost alone.
 */
export class QueryVectors {
  readonly #costs = new Map<Digest, QueryCost>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #account: CallAccount;
  readonly #preparer: SemanticQueryPreparer;

  constructor(parts: {
    readonly provider: EmbeddingProvider;
    readonly context: PreparationContext;
    readonly clock: Clock;
    readonly owner: Owner;
    /** Hears of the calls of `provider`. */
    readonly account: CallAccount;
  }) {
    const { provider, context, clock, owner } = parts;
    this.#account = parts.account;
    this.#preparer = createQueryPreparer({ owner, provider, context, clock });
  }

  get lookup(): SemanticQueryLookup {
    return this.#preparer;
  }

  /** Prepares a question's vector where it is not cached already. */
  prepare(owner: Owner, question: Question, readCeiling: Sensitivity, signal: AbortSignal): Promise<QueryCost> {
    const query: SemanticQuery = {
      owner,
      scope: 'standard',
      read_ceiling: readCeiling,
      question: question.question,
      subjects: question.subjects,
    };
    const prepared = this.#last.then(() => this.#prepareOne(query, signal));
    this.#last = prepared.catch(() => {});
    return prepared;
  }

  async #prepareOne(query: SemanticQuery, signal: AbortSignal): Promise<QueryCost> {
    const key = digestJson(query);
    const before = this.#account.mark();
    const [outcome] = await this.#preparer.prepare([query], signal);
    const made = this.#account.since(before);
    const known = this.#costs.get(key);
    if (made.calls === 0 && known !== undefined) return { ...known, outcome: outcome as PreparationOutcome };
    const cost = {
      outcome: outcome as PreparationOutcome,
      usage: made.usage,
      attributed_nano_usd: made.attributed_nano_usd,
    };
    this.#costs.set(key, cost);
    return cost;
  }
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
