import type { Clock } from '../core/clock.js';
import { InvalidInputErrors, internalFault, interrupted, type RecallMatrixError } from '../core/errors.js';
import type { Fixture } from '../fixture/fixture.js';
import type { Attribution, Ledger } from '../ledger/ledger.js';
import { type Environment, type ProviderSecrets, secretsOf } from '../matrix/environment.js';
import type { LoadedMatrix, ModelChoice, ProviderEntry } from '../matrix/matrix.js';
import type { CompletionAdapter, CompletionProvider, ResolvedModel } from '../provider/completion.js';
import type { EmbeddingProvider } from '../provider/embedding.js';
import { HttpCompletionAdapter } from '../provider/http/http-completions.js';
import { localCompletionAdapter } from '../provider/local/completion-adapter.js';
import { createLocalEmbeddingAdapter } from '../provider/local/embedding.js';
import { EmbeddingPool } from '../provider/local/embedding-pool.js';
import { type MeteredCall, meterCompletions, meterEmbeddings } from '../provider/metered.js';
import { chatCompletionsApi } from '../provider/openai/chat-completions.js';
import type { PriceEntry } from '../provider/prices.js';
import { countTokens } from '../provider/tokenizer.js';
import { createTranscriptAdapter } from '../provider/transcript/transcript-adapter.js';

/** Builds the providers that a matrix configures. The one place that knows which kinds there are. */
export class Providers {
  readonly #adapters = new Map<string, CompletionAdapter>();
  readonly #embeddingPool = new EmbeddingPool();

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

  /** A live provider of completions whose every call is reserved first (LG-1). */
  completions(
    choice: ModelChoice,
    fixture: Fixture,
    ledger: Ledger,
    attribution: Attribution,
    onCall: (call: MeteredCall) => void,
  ): CompletionProvider {
    const entry = entryOf(this.loaded, choice.provider);
    const metered = meterCompletions({
      adapter: this.#adapter(choice.provider, entry, fixture),
      ledger,
      clock: this.clock,
      price: this.price(choice.model),
      overheadTokens: entry.kind === 'openai' ? entry.overhead_tokens : 0,
      attribution: (request) => ({
        ...attribution,
        unit: request.metadata.question ?? request.metadata.batch ?? attribution.unit,
      }),
      onCall,
    });
    return finishing(metered);
  }

  /** The embedding provider that `query_preparation` names; null where it names none. */
  embeddings(ledger: Ledger, attribution: Attribution, onCall: (call: MeteredCall) => void): EmbeddingProvider | null {
    const preparation = this.loaded.matrix.query_preparation;
    if (preparation === null || preparation === 'off') return null;
    return meterEmbeddings({
      adapter: createLocalEmbeddingAdapter(preparation.embedding.model, this.#embeddingPool),
      ledger,
      clock: this.clock,
      price: this.price(preparation.embedding.model),
      overheadTokens: 0,
      attribution: () => attribution,
      onCall,
    });
  }

  /** Loads what a run will need, ahead of the first call: the embedder's threads, where vectors are searched, and the tokenizer. */
  warmUp({ embeds }: { readonly embeds: boolean }): void {
    const preparation = this.loaded.matrix.query_preparation;
    if (embeds && preparation !== null && preparation !== 'off') this.#embeddingPool.start();
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
    switch (entry.kind) {
      case 'local':
        return localCompletionAdapter();
      case 'transcript':
        return createTranscriptAdapter(fixture);
      case 'openai': {
        const secrets = this.secrets.get(alias);
        if (secrets?.base_url === undefined || secrets.base_url === null) {
          throw internalFault(
            'PROVIDER_NOT_OPENED',
            `the provider ${alias} is asked to send and was not opened for it`,
          );
        }
        return new HttpCompletionAdapter(chatCompletionsApi, {
          base_url: secrets.base_url,
          endpoint_name: entry.endpoint_name,
          api_key: secrets.api_key,
          timeout_ms: entry.timeout_ms,
          clock: this.clock,
        });
      }
    }
  }
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

function entryOf(loaded: LoadedMatrix, alias: string): ProviderEntry {
  const entry = loaded.matrix.providers[alias];
  if (entry === undefined) throw internalFault('PROVIDER_UNKNOWN', `the provider ${alias} was not checked`);
  return entry;
}

/** A model behind a provider entry, as identities and requests name it. */
export function resolvedModel(entry: ProviderEntry, model: string, resolvedAt: string): ResolvedModel {
  const common = { model, resolved_at: resolvedAt };
  if (entry.kind !== 'openai') {
    return { kind: entry.kind, wire_api: 'in-process', endpoint: 'in-process', credential_ref: null, ...common };
  }
  const endpoint = entry.endpoint_name ?? entry.base_url;
  if (endpoint === null) throw internalFault('ENDPOINT_UNNAMED', 'an endpoint from a variable has no name');
  return { kind: 'openai', wire_api: entry.wire_api, endpoint, credential_ref: entry.api_key_env, ...common };
}
