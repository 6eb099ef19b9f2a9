import type { Clock } from '../core/clock.js';
import { RecallMatrixError } from '../core/errors.js';
import { seededRandom } from '../core/random.js';
import {
  type Completion,
  type CompletionProvider,
  type CompletionRequest,
  ProviderFailure,
  type ProviderFailureReason,
} from '../provider/completion.js';
import { DEFAULT_RETRY_RULE, type RetryRule, retryWaitMs } from '../provider/retry-rule.js';
import { unsupportedReason } from '../provider/supported-completion.js';
import type { Usage } from '../provider/usage.js';

/** Attempts a call where nothing else is stated (FB-11). */
export const DEFAULT_ATTEMPTS = 2;

// Answers that came and cannot be used: another attempt may give a better one, at once.
const UNUSABLE_ANSWERS: readonly ProviderFailureReason[] = [
  'malformed-response',
  'empty-response',
  'oversized-response',
];

/** Why a completion cannot be used: truncated, refused, filtered, a tool call, against the schema, ...; null where it can (FB-11). */
export type UnsupportedReason = (request: CompletionRequest, completion: Completion) => string | null;

/** How often a call may be tried, and what counts as an answer. */
export interface AttemptRule {
  /** From 1, the first included; `DEFAULT_ATTEMPTS` where not given. */
  readonly attempts?: number;
  /** The rule of `provider/supported-completion` where not given. */
  readonly unsupportedReason?: UnsupportedReason;
  /** What failures of the provider are tried again, and after how long; its `attempts` do not count here. */
  readonly retry?: RetryRule;
  readonly clock: Clock;
}

/** Told of each attempt, durably before the next step is taken. */
export interface AttemptObserver {
  beforeSend(attempt: number): Promise<void>;
  rejected(attempt: number, reason: string, usage: Usage | null): Promise<void>;
}

/** The last allowed attempt gave a completion that cannot be used (exit 7 where formation is live and ends a command). */
export class UnsupportedCompletion extends RecallMatrixError {
  constructor(reason: string, attempts: number) {
    super({
      kind: 'provider',
      code: 'COMPLETION_UNSUPPORTED',
      message: `the model gave no usable completion in ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}; the last: ${reason}`,
      remedy: 'raise max_output_tokens where it was truncated, or choose a model that keeps to the response schema',
    });
  }
}

/**
 * Asks until a completion is supported, at most `rule.attempts` times (FB-11). Each attempt is a call of `inner`, so a reservation of its own.
 *
 * @throws {UnsupportedCompletion} or the last {ProviderFailure}; anything else, at once, as it came.
 */
export async function completeWithAttempts(
  inner: CompletionProvider,
  request: CompletionRequest,
  signal: AbortSignal,
  rule: AttemptRule,
  observer: AttemptObserver,
): Promise<{ readonly completion: Completion; readonly attempt: number }> {
  const attempts = rule.attempts ?? DEFAULT_ATTEMPTS;
  const reasonAgainst = rule.unsupportedReason ?? unsupportedReason;
  const random = seededRandom(`${request.metadata.fixture}\0${request.metadata.batch}`);
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    await observer.beforeSend(attempt);
    let waitMs = 0;
    try {
      const completion = await inner.complete(request, signal);
      const reason = reasonAgainst(request, completion);
      if (reason === null) return { completion, attempt };
      await observer.rejected(attempt, reason, completion.usage);
      if (attempt >= attempts) throw new UnsupportedCompletion(reason, attempt);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      await observer.rejected(attempt, `${error.code}: ${error.message}`, billedUsage(error));
      const drawn = random.integer(0, 1000) / 1000;
      const wait = waitBeforeRetryMs(rule.retry ?? DEFAULT_RETRY_RULE, error, attempt, drawn);
      if (attempt >= attempts || wait === null) throw error;
      waitMs = wait;
    }
    if (waitMs > 0) await rule.clock.sleep(waitMs, signal);
  }
}

/** How long to wait before another attempt may mend a failure; null where none may. `Retry-After` is honoured (PR-2). */
function waitBeforeRetryMs(rule: RetryRule, failure: ProviderFailure, failed: number, drawn: number): number | null {
  return UNUSABLE_ANSWERS.includes(failure.reason) ? 0 : retryWaitMs(rule, failure, failed, drawn);
}

/** Live formation with the same rule and no journal, for `bank: off` (FB-16). */
export function withAttempts(inner: CompletionProvider, rule: AttemptRule): CompletionProvider {
  const silent: AttemptObserver = { beforeSend: async () => {}, rejected: async () => {} };
  return {
    complete: async (request, signal) => (await completeWithAttempts(inner, request, signal, rule, silent)).completion,
  };
}

function billedUsage(failure: ProviderFailure): Usage | null {
  return typeof failure.billing === 'object' ? failure.billing.usage : null;
}
