import { canonicalJson, type JsonObject } from '../../core/canonical-json.js';
import { internalFault } from '../../core/errors.js';
import type { CompletionRequest } from '../completion.js';
import { strictFormat } from './strict-format.js';

/** The least output limit that the API takes. `validate` refuses a lower one. */
export const RESPONSES_MIN_OUTPUT_TOKENS = 16;

/**
 * The exact body of a Responses request, as canonical JSON (as `chatCompletionsBody`). Nothing is stored, continued or included.
 * https://platform.openai.com/docs/api-reference/responses/create
 *
 * @throws internal faults `NOT_STRICT_SCHEMA`, `NOT_CANONICAL_JSON`, and `PARAMETER_UNFIT` for a seed, which the API does not take.
 */
export function responsesBody(request: CompletionRequest): string {
  const { max_output_tokens, temperature, top_p, seed, reasoning_effort } = request.parameters;
  if (seed !== null) throw internalFault('PARAMETER_UNFIT', 'the Responses API takes no seed');
  const body: JsonObject = {
    model: request.model.model,
    input: request.messages.map(({ role, content }) => ({ role, content })),
    text: { format: { type: 'json_schema', ...strictFormat(request.response_schema) } },
    // Bounds reasoning and visible output together, as the reservation does (LG-2).
    max_output_tokens,
    store: false,
    ...(temperature !== null && { temperature }),
    ...(top_p !== null && { top_p }),
    ...(reasoning_effort !== null && { reasoning: { effort: reasoning_effort } }),
  };
  return canonicalJson(body);
}
