import type { Clock } from '../core/clock.js';
import { interrupted } from '../core/errors.js';
import { type CompletionAdapter, type CompletionProvider, type PreparedCall, ProviderFailure } from './completion.js';
import type { EmbeddingAdapter, EmbeddingProvider } from './embedding.js';
import { totalInput, type Usage } from './usage.js';

/** What one provider may be asked for within any minute (PR-2); null: no bound. */
export interface RateLimits {
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
}

/** Calls that may wait at once: a bound, so that no queue grows with a run. */
export const WAITING_CALLS = 1_024;

const MINUTE_MS = 60_000;

/** A token of English prose takes about four bytes in JSON. */
const BYTES_A_TOKEN = 4;

interface Begun {
  readonly atMs: number;
  tokens: number;
}

/**
 * Lets calls begin in the order in which they came, no more of them and of their tokens within any minute than the limits say. A call counts
 * as a token for every four bytes of its body and its whole output limit until its usage is known, and then as that.
 */
export class RateLimiter {
  readonly #begun: Begun[] = [];
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits for the call's turn, and makes it.
   *
   * @throws {ProviderFailure} `rate-limited`, not billed, where the call alone is above the limit or too many wait; kind `interrupted` where
   * the signal comes while it waits.
   */
  async pass<Result extends { readonly usage: Usage | null }>(
    { body_bytes, max_output_tokens }: Pick<PreparedCall<unknown>, 'body_bytes' | 'max_output_tokens'>,
    signal: AbortSignal,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const begun = await this.#admit(Math.ceil(body_bytes / BYTES_A_TOKEN) + max_output_tokens, signal);
    const result = await call();
    if (result.usage !== null) begun.tokens = totalInput(result.usage) + result.usage.output;
    return result;
  }

  async #admit(tokens: number, signal: AbortSignal): Promise<Begun> {
    const limit = this.limits.tokens_per_minute ?? Number.POSITIVE_INFINITY;
    if (tokens > limit) throw refusal(`a call of about ${tokens} tokens is above tokens_per_minute (${limit})`);
    if (this.#waiting >= WAITING_CALLS) throw refusal(`${WAITING_CALLS} calls wait already for their turn`);
    this.#waiting += 1;
    const before = this.#last;
    let leave: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = before.then(() => left);
    try {
      // Whoever is first in the queue ends its wait with the signal, and those behind it then find it aborted.
      await before;
      await this.#untilItFits(tokens, signal);
      const begun = { atMs: this.clock.monotonicMs(), tokens };
      this.#begun.push(begun);
      return begun;
    } finally {
      this.#waiting -= 1;
      leave();
    }
  }

  async #untilItFits(tokens: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (signal.aborted) throw stopped();
      const now = this.clock.monotonicMs();
      while (this.#begun[0] !== undefined && this.#begun[0].atMs + MINUTE_MS <= now) this.#begun.shift();
      if (this.#fits(tokens)) return;
      const oldest = this.#begun[0] as Begun;
      await this.clock.sleep(oldest.atMs + MINUTE_MS - now, signal).catch(() => {
        throw stopped();
      });
    }
  }

  #fits(tokens: number): boolean {
    const { requests_per_minute: requests, tokens_per_minute: limit } = this.limits;
    if (requests !== null && this.#begun.length >= requests) return false;
    const used = this.#begun.reduce((sum, begun) => sum + begun.tokens, 0);
    return limit === null || this.#begun.length === 0 || used + tokens <= limit;
  }
}

/** Completions of a provider that begin when its limiter lets them. The adapter is asked for a body's size alone. */
export function limitCompletions(
  provider: CompletionProvider,
  adapter: CompletionAdapter,
  limiter: RateLimiter,
): CompletionProvider {
  return {
    complete: (request, signal) =>
      limiter.pass(adapter.prepare(request), signal, () => provider.complete(request, signal)),
  };
}

/** The same for embeddings. */
export function limitEmbeddings(
  provider: EmbeddingProvider,
  adapter: EmbeddingAdapter,
  limiter: RateLimiter,
): EmbeddingProvider {
  return {
    tuple: provider.tuple,
    embed: (texts, signal) => limiter.pass(adapter.prepare(texts), signal, () => provider.embed(texts, signal)),
  };
}

function stopped(): Error {
  return interrupted('the run was interrupted while a call waited for its turn');
}

function refusal(message: string): ProviderFailure {
  return new ProviderFailure('rate-limited', message, {
    billing: 'not-billed',
    remedy: "raise the provider's limits, lower max_output_tokens, or lower the concurrency",
  });
}
