import { type PriceEntry, priceOf, worstCaseNanoUsd } from '../provider/prices.js';
import { NO_USAGE } from '../provider/usage.js';

/** Calls of one kind, before they are made. */
export interface CallEstimate {
  /** How many will be sent. */
  readonly sends: number;
  /** UTF-8 bytes of one body: what is expected, and an upper estimate. */
  readonly expected_bytes: number;
  readonly worst_bytes: number;
  readonly max_output_tokens: number;
  /** Attempts that one call may take at most. */
  readonly attempts: number;
}

/** What calls cost, expected and worst. Null: the model has no price; kinds that send nothing cost 0. */
export interface CostEstimate {
  readonly expected_nano_usd: bigint | null;
  readonly worst_nano_usd: bigint | null;
}

/** A token of English prose takes about four bytes in JSON. */
const BYTES_A_TOKEN = 4;
/** The most bytes that `plan` allows for a token of context: the reservation itself is made from the real body. */
const WORST_BYTES_A_TOKEN = 8;
/** An answer is expected to take a quarter of its limit. */
const EXPECTED_OUTPUT_SHARE = 4;

/** The bytes that a context of so many tokens takes in a body. */
export function contextBytes(tokens: number): { readonly expected: number; readonly worst: number } {
  return { expected: tokens * BYTES_A_TOKEN, worst: tokens * WORST_BYTES_A_TOKEN };
}

/**
 * Estimates what calls cost (MX-6): expected, as one attempt each with four bytes a token and a quarter of the output limit; worst, as the
 * sum of the reservations that all attempts would need.
 */
export function estimateCost(
  calls: readonly CallEstimate[],
  price: PriceEntry | null,
  overheadTokens: number,
): CostEstimate {
  if (calls.every(({ sends }) => sends === 0)) return { expected_nano_usd: 0n, worst_nano_usd: 0n };
  if (price === null) return { expected_nano_usd: null, worst_nano_usd: null };
  let expected = 0n;
  let worst = 0n;
  for (const call of calls) {
    const usage = {
      ...NO_USAGE,
      input_uncached: Math.ceil(call.expected_bytes / BYTES_A_TOKEN),
      output: Math.ceil(call.max_output_tokens / EXPECTED_OUTPUT_SHARE),
    };
    expected += BigInt(call.sends) * (priceOf(price, usage) ?? 0n);
    worst +=
      BigInt(call.sends * call.attempts) *
      worstCaseNanoUsd(price, call.worst_bytes, overheadTokens, call.max_output_tokens);
  }
  return { expected_nano_usd: expected, worst_nano_usd: worst };
}

/** Whether a budget admits a cost. */
export function admits(budgetNanoUsd: bigint, worstNanoUsd: bigint | null): 'yes' | 'not-the-worst-case' | 'unknown' {
  if (worstNanoUsd === null) return 'unknown';
  return worstNanoUsd <= budgetNanoUsd ? 'yes' : 'not-the-worst-case';
}
