import { canonicalJson, type JsonObject } from '../../core/canonical-json.js';
import { internalFault } from '../../core/errors.js';
import type { CompletionParameters, CompletionRequest, Message } from '../completion.js';
import { outputSchema } from './output-schema.js';

/**
 * The exact body of a Messages request, as canonical JSON: a function of the request's identity.
 * https://platform.claude.com/docs/en/api/messages/create and https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 *
 * @throws internal faults `NOT_STRICT_SCHEMA`, `NOT_CANONICAL_JSON`, `PARAMETER_UNFIT` for a parameter that the API does not take, and
 * `MESSAGES_UNFIT` for messages in an order that it does not take.
 */
export function messagesBody(request: CompletionRequest): string {
  const { parameters } = request;
  const { system, turns } = split(request.messages);
  const effort = effortOf(parameters);
  const body: JsonObject = {
    model: request.model.model,
    // Bounds thinking and visible output together, as the reservation does (LG-2).
    max_tokens: parameters.max_output_tokens,
    ...(system.length > 0 && { system: system.map((text) => ({ type: 'text', text })) }),
    messages: turns.map(({ role, content }) => ({ role, content })),
    output_config: {
      format: { type: 'json_schema', schema: outputSchema(request.response_schema) },
      ...(effort !== null && { effort }),
    },
    ...(parameters.temperature !== null && { temperature: parameters.temperature }),
    ...(parameters.top_p !== null && { top_p: parameters.top_p }),
  };
  return canonicalJson(body);
}

/** System messages have a field of their own, and come first; the last turn is the user's: prefill is not to be had beside a schema. */
function split(messages: readonly Message[]): {
  readonly system: readonly string[];
  readonly turns: readonly Message[];
} {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const turns = first === -1 ? [] : messages.slice(first);
  if (turns.at(-1)?.role !== 'user' || turns.some(({ role }) => role === 'system'))
    throw internalFault('MESSAGES_UNFIT', 'the Messages API takes system messages first, and a user message last');
  return { system: messages.slice(0, first).map(({ content }) => content), turns };
}

function effortOf({ seed, reasoning_effort }: CompletionParameters): 'low' | 'medium' | 'high' | null {
  if (seed !== null) throw internalFault('PARAMETER_UNFIT', 'the Messages API takes no seed');
  if (reasoning_effort === 'minimal')
    throw internalFault('PARAMETER_UNFIT', 'the Messages API has no effort `minimal`');
  return reasoning_effort;
}
