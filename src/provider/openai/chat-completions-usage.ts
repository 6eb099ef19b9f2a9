import { z } from 'zod';
import { type Usage, usageProblem } from '../usage.js';

const tokens = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const detail = tokens.nullish().transform((count) => count ?? 0);

// https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage
const usageSchema = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  prompt_tokens_details: z.object({ cached_tokens: detail, cache_write_tokens: detail }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: detail }).nullish(),
});

/**
 * A response's usage in disjoint parts (LG-8, R-28): `prompt_tokens` includes what the cache served and stored, `completion_tokens`
 * includes reasoning.
 *
 * @returns null where it is missing or impossible (LG-4, R-31): no integer, negative, parts above their whole, a total that is not
 * their sum, no input, or no output beside content.
 */
export function chatCompletionsUsage(raw: unknown, hasContent: boolean): Usage | null {
  const parsed = usageSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { prompt_tokens, completion_tokens, total_tokens } = parsed.data;
  if (prompt_tokens + completion_tokens !== total_tokens) return null;
  const cacheRead = parsed.data.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = parsed.data.prompt_tokens_details?.cache_write_tokens ?? 0;
  const usage: Usage = {
    input_uncached: prompt_tokens - cacheRead - cacheWrite,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    output: completion_tokens,
    reasoning: parsed.data.completion_tokens_details?.reasoning_tokens ?? 0,
  };
  return usageProblem(usage, hasContent) === null ? usage : null;
}
