/**
 * Tokens of one call in disjoint parts (LG-8): total input = uncached + cache read + cache write; `reasoning` lies inside `output`.
 * All are non-negative safe integers.
 */
export interface Usage {
  readonly input_uncached: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  /** How much of `output` was reasoning; never added to it. */
  readonly reasoning: number;
}

/** All input tokens of a call. */
export function totalInput(usage: Usage): number {
  return usage.input_uncached + usage.cache_read + usage.cache_write;
}

/** The sum of usages, part by part. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_uncached: a.input_uncached + b.input_uncached,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** No tokens at all. */
export const NO_USAGE: Usage = { input_uncached: 0, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 };

/**
 * What makes a usage unusable for a bill (LG-4, R-31): a part that is no non-negative safe integer, reasoning above output, or
 * zero tokens beside content. Null where it can be trusted.
 */
export function usageProblem(usage: Usage, hasContent: boolean): string | null {
  for (const [part, tokens] of Object.entries(usage)) {
    if (!Number.isSafeInteger(tokens) || tokens < 0) return `${part} is ${tokens}`;
  }
  if (usage.reasoning > usage.output) return 'reasoning exceeds output';
  if (totalInput(usage) === 0) return 'no input tokens';
  if (hasContent && usage.output === 0) return 'no output tokens beside content';
  return null;
}
