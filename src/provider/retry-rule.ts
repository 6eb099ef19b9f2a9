import type { ProviderFailure, ProviderFailureReason } from './completion.js';

/** Kinds of failures that a rule may try again; any other stays as it is however often it is asked. */
export const RETRIED_FAILURES = ['rate-limited', 'server-error', 'timeout', 'connection'] as const;

/** When a failed call is tried again (PR-2). */
export interface RetryRule {
  /** Tries of a call, from 1, the first included. */
  readonly attempts: number;
  readonly on: readonly (typeof RETRIED_FAILURES)[number][];
  /** The longest wait. A server that asks for more gets no further try. */
  readonly max_wait_ms: number;
}

/** The rule where a provider entry gives none. */
export const DEFAULT_RETRY_RULE: RetryRule = { attempts: 3, on: RETRIED_FAILURES, max_wait_ms: 60_000 };

/** The first pause; each later one is twice as long. */
const FIRST_PAUSE_MS = 500;

const KIND_OF: Partial<Record<ProviderFailureReason, RetryRule['on'][number]>> = {
  'rate-limited': 'rate-limited',
  'server-error': 'server-error',
  timeout: 'timeout',
  'cut-connection': 'connection',
  unreachable: 'connection',
};

/**
 * How long to wait before a failed call is tried again: as long as the server's `Retry-After` says, or an exponential pause of which half
 * is drawn.
 *
 * @param failed how many tries have failed, from 1.
 * @param drawn from 0 to 1: where between half and the whole pause.
 * @returns milliseconds; null where the rule does not try it again. The number of tries is the caller's to count.
 */
export function retryWaitMs(rule: RetryRule, failure: ProviderFailure, failed: number, drawn: number): number | null {
  const kind = KIND_OF[failure.reason];
  if (kind === undefined || !rule.on.includes(kind)) return null;
  if (failure.retry_after_ms !== null)
    return failure.retry_after_ms <= rule.max_wait_ms ? failure.retry_after_ms : null;
  const pause = Math.min(rule.max_wait_ms, FIRST_PAUSE_MS * 2 ** Math.min(failed - 1, 30));
  return Math.ceil((pause / 2) * (1 + drawn));
}
