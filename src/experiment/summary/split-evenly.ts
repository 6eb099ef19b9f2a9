import type { Usage } from '../../provider/usage.js';
import { splitByWeight } from './split-by-weight.js';

/**
 * Splits an amount over `parts` equal shares by largest remainder: the shares sum exactly to it, and the first ones carry the
 * remainder (OB-2).
 *
 * @param parts at least 1.
 */
export function splitEvenly(total: bigint, parts: number): bigint[] {
  return splitByWeight(total, equalWeights(parts));
}

/** Splits every part of a usage in the same way. */
export function splitUsage(total: Usage, parts: number): Usage[] {
  return splitUsageByWeight(total, equalWeights(parts));
}

/** Splits every part of a usage in proportion to weights, as `splitByWeight`. */
export function splitUsageByWeight(total: Usage, weights: readonly bigint[]): Usage[] {
  const split = (tokens: number): number[] => splitByWeight(BigInt(tokens), weights).map(Number);
  const output = split(total.output);
  const reasoning = split(total.reasoning);
  const uncached = split(total.input_uncached);
  const read = split(total.cache_read);
  const write = split(total.cache_write);
  return output.map((tokens, index) => ({
    input_uncached: uncached[index] as number,
    cache_read: read[index] as number,
    cache_write: write[index] as number,
    output: tokens,
    reasoning: reasoning[index] as number,
  }));
}

function equalWeights(parts: number): bigint[] {
  return Array.from({ length: parts }, () => 1n);
}
