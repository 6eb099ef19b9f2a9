import type { Clock } from '../core/clock.js';
import { InvalidInputErrors, internalFault, interrupted, RecallMatrixError } from '../core/errors.js';
import type { Fixture } from '../fixture/fixture.js';
import type { Attribution, Ledger } from '../ledger/ledger.js';
import { type Environment, type ProviderSecrets, secretsOf } from '../matrix/environment.js';
import {
  isRemote,
  type LoadedMatrix,
  type ModelChoice,
  type ProviderEntry,
  type RemoteProviderEntry,
} from '../matrix/matrix.js';
import type { CompletionAdapter, CompletionProvider, ResolvedModel } from '../provider/completion.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../provider/embedding.js';
import { type BatchedEmbeddingProvider, ONE_TEXT } from '../provider/embedding-batches.js';
import type { HttpApiOptions } from '../provider/http/http-api.js';
import { localCompletionAdapter } from '../provider/local/completion-adapter.js';
import { createLocalEmbeddingAdapter } from '../provider/local/embedding.js';
import { EmbeddingPool } from '../provider/local/embedding-pool.js';
import { type MeteredCall, meterCompletions, meterEmbeddings } from '../provider/metered.js';
import type { PriceEntry } from '../provider/prices.js';
import { limitCompletions, limitEmbeddings, RateLimiter } from '../provider/rate-limit.js';
import { Refusals } from '../provider/refusals.js';
import { DEFAULT_RETRY_RULE, type RetryRule } from '../provider/retry-rule.js';
import { type Retrying, retryCompletions, retryEmbeddings } from '../provider/retrying.js';
import { countTokens } from '../provider/tokenizer.js';
import { createTranscriptAdapter } from '../provider/transcript/transcript-adapter.js';
import { completionAdapterOf, embeddingAdapterOf, embeddingTuple, endpointOf } from './remote-adapters.js';

/** Builds the providers that a matrix configures. The one place that knows which kinds there are. */
export class Providers {
  readonly #adapters = new Map<string, CompletionAdapter>();
  readonly #limiters = new Map<string, RateLimiter>();
  readonly #embeddingPool = new EmbeddingPool();
  readonly #refusals = new Refusals();

  private constructor(
    private readonly loaded: LoadedMatrix,
    private readonly clock: Clock,
    private readonly secrets: ReadonlyMap<string, ProviderSecrets>,
  ) {}

  /**
   * @param senders the aliases that this invocation can send to: their variables are required, those of others are not read (MX-4).
   * @throws {InvalidInputErrors} `ENV_MISSING`.
   */
  static create(loaded: LoadedMatrix, senders: readonly string[], environment: Environment, clock: Clock): Providers {
    const secrets = new Map<string, ProviderSecrets>();
    const faults: RecallMatrixError[] = [];
    for (const alias of [...new Set(senders)]) {
      const read = secretsOf(alias, entryOf(loaded, alias), environment, (field) =>
        loaded.locate(['providers', alias, field]),
      );
      secrets.set(alias, read.secrets);
      faults.push(...read.faults);
    }
    if (faults.length > 0) throw new InvalidInputErrors(faults);
    return new Providers(loaded, clock, secrets);
  }

  /** Every configured secret, for the scan of what is about to be written (FB-7). */
  get secretValues(): readonly string[] {
    return [...this.secrets.values()].flatMap((secret) => (secret.api_key === null ? [] : [secret.api_key]));
  }

  /** The model as resolved from configuration, before any send (FB-3). */
  resolve(choice: Pick<ModelChoice, 'provider' | 'model'>): ResolvedModel {
    return resolvedModel(entryOf(this.loaded, choice.provider), choice.model, this.clock.now());
  }

  /** When failed calls of a provider are tried again; the default for kinds that send nothing. */
  retryRule(alias: string): RetryRule {
    const entry = entryOf(this.loaded, alias);
    return isRemote(entry) ? entry.retry : DEFAULT_RETRY_RULE;
  }

  /**
   * A live provider of completions whose every call is reserved first (LG-1), waits for its turn and, but in formation, is tried again by
   * the provider's rule (PR-2): a recording makes formation's tries, since each is journalled before it is sent (FB-9).
   */
  completions(
    choice: ModelChoice,
    fixture: Fixture,
    ledger: Ledger,
    attribution: Attribution,
    onCall: (call: MeteredCall) => void,
  ): CompletionProvider {
    const entry = entryOf(this.loaded, choice.provider);
    const adapter = this.#adapter(choice.provider, entry, fixture);
    const metered = meterCompletions({
      adapter,
      ledger,
      clock: this.clock,
      price: this.price(choice.model),
      overheadTokens: isRemote(entry) ? entry.overhead_tokens : 0,
      attribution: (request) => ({
        ...attribution,
        unit: request.metadata.question ?? request.metadata.batch ?? attribution.unit,
      }),
      onCall,
    });
    const live = finishing(this.#refusals.completions(choice.provider, choice.model, metered));
    // What answers in this process waits for nothing, whoever it stands for.
    if (!isRemote(entry) || !adapter.leaves_process) return live;
    const limiter = this.#limiter(choice.provider, entry);
    const limited = limiter === null ? live : limitCompletions(live, adapter, limiter);
    return attribution.stage === 'formation' ? limited : retryCompletions(limited, this.#retrying(entry, attribution));
  }

  /**
   * Refuses, before anything else is done for it, a call that would not be sent: this session's key, or the model, was refused.
   *
   * @throws {ProviderFailure} by which it was.
   */
  throwIfRefused({ provider, model }: Pick<ModelChoice, 'provider' | 'model'>): void {
    this.#refusals.throwIfRefused(provider, model);
  }

  /** Lets an adapter of this process stand for an alias, so that what is asked of it is never sent (RP-1). */
  standIn(alias: string, adapter: CompletionAdapter): void {
    this.#adapters.set(alias, adapter);
  }

  /** The embedding provider that `query_preparation` names; null where it names none. Queries are never tried again (SQ-8). */
  embeddings(
    ledger: Ledger,
    attribution: Attribution,
    onCall: (call: MeteredCall) => void,
  ): BatchedEmbeddingProvider | null {
    const preparation = this.loaded.matrix.query_preparation;
    if (preparation === null || preparation === 'off') return null;
    const { provider: alias, model } = preparation.embedding;
    const entry = entryOf(this.loaded, alias);
    const common = { ledger, clock: this.clock, price: this.price(model), attribution: () => attribution, onCall };
    if (!isRemote(entry)) {
      const adapter = createLocalEmbeddingAdapter(model, this.#embeddingPool);
      return { ...meterEmbeddings({ ...common, adapter, overheadTokens: 0 }), batch: ONE_TEXT };
    }
    if (!this.secrets.has(alias)) return notOpened(alias, this.loaded);
    const adapter = embeddingAdapterOf(entry, preparation.embedding, this.#options(alias, entry));
    const metered = meterEmbeddings({ ...common, adapter, overheadTokens: entry.overhead_tokens });
    const sent = this.#refusals.embeddings(alias, model, metered);
    // A preparation tells of its own deadline, and of no stop (SQ-8).
    const live = attribution.stage === 'query' ? sent : finishingEmbeddings(sent);
    const limiter = this.#limiter(alias, entry);
    const limited = limiter === null ? live : limitEmbeddings(live, adapter, limiter);
    const retried =
      attribution.stage === 'query' ? limited : retryEmbeddings(limited, this.#retrying(entry, attribution));
    return { ...retried, batch: adapter.batch };
  }

  /** Loads what a run will need, ahead of the first call: the embedder's threads, where vectors are searched, and the tokenizer. */
  warmUp({ embeds }: { readonly embeds: boolean }): void {
    const preparation = this.loaded.matrix.query_preparation;
    const embedding = preparation === null || preparation === 'off' ? null : preparation.embedding;
    if (embeds && embedding !== null && !isRemote(entryOf(this.loaded, embedding.provider)))
      this.#embeddingPool.start();
    countTokens('');
  }

  /** Ends what the providers keep running. */
  close(): Promise<void> {
    return this.#embeddingPool.close();
  }

  price(model: string): PriceEntry | null {
    return this.loaded.matrix.prices[model] ?? null;
  }

  #adapter(alias: string, entry: ProviderEntry, fixture: Fixture): CompletionAdapter {
    // A transcript is the fixture's own, and is let go of with it; every other adapter serves the whole run.
    if (entry.kind === 'transcript') return this.#build(alias, entry, fixture);
    const known = this.#adapters.get(alias);
    if (known !== undefined) return known;
    const adapter = this.#build(alias, entry, fixture);
    this.#adapters.set(alias, adapter);
    return adapter;
  }

  #build(alias: string, entry: ProviderEntry, fixture: Fixture): CompletionAdapter {
    if (isRemote(entry)) return completionAdapterOf(entry, this.#options(alias, entry));
    return entry.kind === 'local' ? localCompletionAdapter() : createTranscriptAdapter(fixture);
  }

  #options(alias: string, entry: RemoteProviderEntry): HttpApiOptions {
    const secrets = this.secrets.get(alias);
    if (secrets?.base_url === undefined || secrets.base_url === null)
      throw internalFault('PROVIDER_NOT_OPENED', `the provider ${alias} is asked to send and was not opened for it`);
    return {
      base_url: secrets.base_url,
      endpoint_name: entry.endpoint_name,
      api_key: secrets.api_key,
      timeout_ms: entry.timeout_ms,
      clock: this.clock,
    };
  }

  /** One for all that is sent to an alias, whatever model and stage; null where nothing is limited. */
  #limiter(alias: string, entry: RemoteProviderEntry): RateLimiter | null {
    if (entry.requests_per_minute === null && entry.tokens_per_minute === null) return null;
    const known = this.#limiters.get(alias) ?? new RateLimiter(entry, this.clock);
    this.#limiters.set(alias, known);
    return known;
  }

  #retrying(entry: RemoteProviderEntry, { arm, stage, fixture, unit }: Attribution): Retrying {
    const seed = [this.loaded.matrix.seed, stage, fixture, arm ?? '', unit].join('\0');
    return { rule: entry.retry, clock: this.clock, seed };
  }
}

/** An embedder of an invocation that replays every vector: it has no key (VB-1). What is asked of it all the same is a vector that is not there. */
function notOpened(alias: string, loaded: LoadedMatrix): BatchedEmbeddingProvider {
  const embed = async (): Promise<never> => {
    throw new RecallMatrixError({
      kind: 'provider',
      code: 'EMBEDDING_NOT_SENT',
      message: `a text has no vector in a bank or in the run, and nothing is sent to ${alias}`,
      remedy: 'run the matrix, which may send',
    });
  };
  return { tuple: embeddingTuple(loaded) as EmbeddingTuple, batch: ONE_TEXT, embed };
}

const NEVER = new AbortController().signal;

/**
 * A stop lets a call in flight end, by itself or by its time-out, and be settled (CL-3): cancelled, it might be billed and its answer lost.
 * A call that has not begun does not begin.
 */
function finishing(provider: CompletionProvider): CompletionProvider {
  return {
    complete: async (request, signal) => {
      if (signal.aborted) throw interrupted('the run was interrupted before this call');
      return provider.complete(request, NEVER);
    },
  };
}

/** The same for embeddings. */
function finishingEmbeddings(provider: EmbeddingProvider): EmbeddingProvider {
  return {
    tuple: provider.tuple,
    embed: async (texts, signal) => {
      if (signal.aborted) throw interrupted('the run was interrupted before this call');
      return provider.embed(texts, NEVER);
    },
  };
}

function entryOf(loaded: LoadedMatrix, alias: string): ProviderEntry {
  const entry = loaded.matrix.providers[alias];
  if (entry === undefined) throw internalFault('PROVIDER_UNKNOWN', `the provider ${alias} was not checked`);
  return entry;
}

/** A model behind a provider entry, as identities and requests name it. */
export function resolvedModel(entry: ProviderEntry, model: string, resolvedAt: string): ResolvedModel {
  const common = { model, resolved_at: resolvedAt };
  if (!isRemote(entry)) {
    return { kind: entry.kind, wire_api: 'in-process', endpoint: 'in-process', credential_ref: null, ...common };
  }
  const { kind, wire_api, api_key_env } = entry;
  return { kind, wire_api, endpoint: endpointOf(entry), credential_ref: api_key_env, ...common };
}
