import { z } from 'zod';
import { optionalTokenCount, tokenCount } from '../http/answer.js';
import { type Usage, usageProblem } from '../usage.js';

// https://platform.claude.com/docs/en/api/messages/create#response.usage
const usageSchema = z.object({
  input_tokens: tokenCount,
  output_tokens: tokenCount,
  cache_read_input_tokens: optionalTokenCount,
  cache_creation_input_tokens: optionalTokenCount,
  cache_creation: z
    .object({ ephemeral_5m_input_tokens: optionalTokenCount, ephemeral_1h_input_tokens: optionalTokenCount })
    .nullish(),
  output_tokens_details: z.object({ thinking_tokens: optionalTokenCount }).nullish(),
  server_tool_use: z.record(z.string(), z.unknown()).nullish(),
  speed: z.string().nullish(),
});

/**
 * A message's usage in disjoint parts (LG-8): unlike OpenAI's, `input_tokens` leaves out what the cache served and stored;
 * `output_tokens` includes thinking.
 *
 * @returns null where it is missing or impossible (LG-4, R-31), and where it holds what a price of tokens does not cover and no request
 * here asks for: cache writes of an hour, server tools, fast mode.
 */
export function messagesUsage(raw: unknown, hasContent: boolean): Usage | null {
  const parsed = usageSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { data } = parsed;
  const { cache_creation: written } = data;
  if (written != null) {
    if (written.ephemeral_1h_input_tokens > 0) return null;
    if (written.ephemeral_5m_input_tokens !== data.cache_creation_input_tokens) return null;
  }
  if (Object.values(data.server_tool_use ?? {}).some((count) => count !== 0)) return null;
  if (data.speed === 'fast') return null;
  const usage: Usage = {
    input_uncached: data.input_tokens,
    cache_read: data.cache_read_input_tokens,
    cache_write: data.cache_creation_input_tokens,
    output: data.output_tokens,
    reasoning: data.output_tokens_details?.thinking_tokens ?? 0,
  };
  return usageProblem(usage, hasContent) === null ? usage : null;
}
