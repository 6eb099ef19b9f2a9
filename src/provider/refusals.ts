import { type CompletionProvider, ProviderFailure } from './completion.js';
import type { EmbeddingProvider } from './embedding.js';

/**
 * Whether a failure says of every call to come what it says of this one: the key is wrong (401), or the model is not there (404). A 403 may be
 * of one request alone, such as one that a server moderates, and so may a 400.
 */
export function refusesEveryCall(failure: unknown): failure is ProviderFailure {
  return failure instanceof ProviderFailure && (failure.status === 401 || failure.status === 404);
}

/** Remembers which providers refuse every call, so that nothing more is sent to them: a wrong key is told by one question, not by a thousand. */
export class Refusals {
  readonly #refused = new Map<string, ProviderFailure>();

  /** @throws {ProviderFailure} the failure by which the alias refused its key, or said that it has no such model. */
  throwIfRefused(alias: string, model: string): void {
    const failure = this.#refused.get(alias) ?? this.#refused.get(keyOf(alias, model));
    if (failure !== undefined) throw failure;
  }

  /** Completions that are not sent after such a failure. It stands below what waits and tries again, so that what waited is not sent either. */
  completions(alias: string, model: string, provider: CompletionProvider): CompletionProvider {
    return {
      complete: (request, signal) => this.#pass(alias, model, () => provider.complete(request, signal)),
    };
  }

  /** The same for embeddings. */
  embeddings(alias: string, model: string, provider: EmbeddingProvider): EmbeddingProvider {
    return {
      tuple: provider.tuple,
      embed: (texts, signal) => this.#pass(alias, model, () => provider.embed(texts, signal)),
    };
  }

  async #pass<Result>(alias: string, model: string, call: () => Promise<Result>): Promise<Result> {
    this.throwIfRefused(alias, model);
    try {
      return await call();
    } catch (error) {
      if (refusesEveryCall(error)) this.#refused.set(error.status === 401 ? alias : keyOf(alias, model), error);
      throw error;
    }
  }
}

/** No alias holds a line feed. */
function keyOf(alias: string, model: string): string {
  return `${alias}\n${model}`;
}
