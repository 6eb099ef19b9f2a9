import type { Usage } from '../provider/usage.js';

/**
 * Splits an amount over `parts` equal shares by largest remainder: the shares sum exactly to it, and the first ones carry the
 * remainder (OB-2).
 *
 * @param parts at least 1.
 */
export function splitEvenly(total: bigint, parts: number): bigint[] {
  const count = BigInt(parts);
  const share = total / count;
  const remainder = Number(total % count);
  return Array.from({ length: parts }, (_, index) => share + (index < remainder ? 1n : 0n));
}

/** Splits every part of a usage in the same way. */
export function splitUsage(total: Usage, parts: number): Usage[] {
  const split = (tokens: number): number[] => splitEvenly(BigInt(tokens), parts).map(Number);
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
