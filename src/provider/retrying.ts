import type { Clock } from '../core/clock.js';
import { interrupted, kindOf } from '../core/errors.js';
import { seededRandom } from '../core/random.js';
import { type CompletionProvider, ProviderFailure } from './completion.js';
import type { EmbeddingProvider } from './embedding.js';
import { type RetryRule, retryWaitMs } from './retry-rule.js';

/** How calls are tried again. */
export interface Retrying {
  readonly rule: RetryRule;
  readonly clock: Clock;
  /** Of the pauses: equal seeds draw equal ones. */
  readonly seed: string;
}

/**
 * Tries a failed completion again by a rule (PR-2). It stands above the meter, so that each try is a reservation of its own; what a failed
 * one may have cost stays held (LG-4, LG-7).
 */
export function retryCompletions(provider: CompletionProvider, retrying: Retrying): CompletionProvider {
  return {
    complete: (request, signal) => withRetries(() => provider.complete(request, signal), retrying, signal),
  };
}

/** The same for embeddings. */
export function retryEmbeddings(provider: EmbeddingProvider, retrying: Retrying): EmbeddingProvider {
  return {
    tuple: provider.tuple,
    embed: (texts, signal) => withRetries(() => provider.embed(texts, signal), retrying, signal),
  };
}

/**
 * @throws the last failure, where the rule tries no more or the budget does not admit another try: the call was made, and failed. Kind
 * `interrupted` where the signal came before another try.
 */
async function withRetries<Result>(
  call: () => Promise<Result>,
  { rule, clock, seed }: Retrying,
  signal: AbortSignal,
): Promise<Result> {
  const random = seededRandom(seed);
  let last: ProviderFailure | null = null;
  for (let failed = 1; ; failed += 1) {
    try {
      return await call();
    } catch (error) {
      if (last !== null && kindOf(error) === 'budget') throw last;
      if (!(error instanceof ProviderFailure) || failed >= rule.attempts) throw error;
      const waitMs = retryWaitMs(rule, error, failed, random.integer(0, 1000) / 1000);
      if (waitMs === null) throw error;
      last = error;
      await pause(clock, waitMs, signal);
    }
  }
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const stopped = (): Error => interrupted('the run was interrupted before a failed call was tried again');
  if (signal.aborted) throw stopped();
  await clock.sleep(ms, signal).catch(() => {
    throw stopped();
  });
}
