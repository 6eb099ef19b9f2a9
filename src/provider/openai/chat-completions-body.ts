import { canonicalJson, type JsonObject } from '../../core/canonical-json.js';
import type { CompletionRequest } from '../completion.js';
import { strictFormat } from './strict-format.js';

/** The field that a server takes the output limit in: OpenAI's name, or the older one that some servers know alone. */
export type OutputLimitField = 'max_completion_tokens' | 'max_tokens';

/**
 * The exact body of a Chat Completions request, as canonical JSON: what is sent is then a function of the request's identity, also
 * where the order of a schema's keys decides the order of the answer's.
 *
 * @throws internal fault `NOT_STRICT_SCHEMA` for a schema that strict structured output refuses; `NOT_CANONICAL_JSON` for text that
 * UTF-8 cannot carry.
 */
export function chatCompletionsBody(request: CompletionRequest, limitField: OutputLimitField): string {
  const { max_output_tokens, temperature, top_p, seed, reasoning_effort } = request.parameters;
  const body: JsonObject = {
    model: request.model.model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    response_format: { type: 'json_schema', json_schema: strictFormat(request.response_schema) },
    // Bounds reasoning and visible output together, as the reservation does (LG-2).
    [limitField]: max_output_tokens,
    store: false,
    ...(temperature !== null && { temperature }),
    ...(top_p !== null && { top_p }),
    ...(seed !== null && { seed }),
    ...(reasoning_effort !== null && { reasoning_effort }),
  };
  return canonicalJson(body);
}
