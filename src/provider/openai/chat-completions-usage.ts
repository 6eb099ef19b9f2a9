import { z } from 'zod';
import { optionalTokenCount, tokenCount } from '../http/answer.js';
import { type Usage, usageProblem } from '../usage.js';

// https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage
const usageSchema = z.object({
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  total_tokens: tokenCount,
  prompt_tokens_details: z
    .object({ cached_tokens: optionalTokenCount, cache_write_tokens: optionalTokenCount })
    .nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: optionalTokenCount }).nullish(),
});

/**
 * A response's usage in disjoint parts (LG-8, R-28): `prompt_tokens` includes what the cache served and stored, `completion_tokens`
 * includes reasoning. Servers that give no details (Ollama, llama.cpp, vLLM by default) are taken at their word: nothing was cached, and
 * reasoning lies unnamed inside the output.
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
