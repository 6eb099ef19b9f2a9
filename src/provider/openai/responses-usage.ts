import { z } from 'zod';
import { optionalTokenCount, tokenCount } from '../http/answer.js';
import { type Usage, usageProblem } from '../usage.js';

// https://platform.openai.com/docs/api-reference/responses/object#responses-object-usage
const usageSchema = z.object({
  input_tokens: tokenCount,
  output_tokens: tokenCount,
  total_tokens: tokenCount,
  input_tokens_details: z
    .object({ cached_tokens: optionalTokenCount, cache_write_tokens: optionalTokenCount })
    .nullish(),
  output_tokens_details: z.object({ reasoning_tokens: optionalTokenCount }).nullish(),
});

/**
 * A response's usage in disjoint parts (LG-8, R-28): `input_tokens` includes what the cache served and stored, `output_tokens` includes
 * reasoning.
 *
 * @returns null where it is missing or impossible, by the rules of `chatCompletionsUsage`.
 */
export function responsesUsage(raw: unknown, hasContent: boolean): Usage | null {
  const parsed = usageSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details } = parsed.data;
  if (input_tokens + output_tokens !== total_tokens) return null;
  const cacheRead = input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = input_tokens_details?.cache_write_tokens ?? 0;
  const usage: Usage = {
    input_uncached: input_tokens - cacheRead - cacheWrite,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    output: output_tokens,
    reasoning: output_tokens_details?.reasoning_tokens ?? 0,
  };
  return usageProblem(usage, hasContent) === null ? usage : null;
}
