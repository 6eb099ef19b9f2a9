import type { JsonObject } from '../../core/canonical-json.js';
import { internalFault } from '../../core/errors.js';
import type { ResponseSchema } from '../completion.js';
import { strictSchemaProblem } from '../strict-schema.js';

// https://platform.openai.com/docs/api-reference/chat/create#chat-create-response_format; the Responses API has the same rule.
const SCHEMA_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * A response schema as OpenAI's APIs take it, in strict mode.
 *
 * @throws internal fault `NOT_STRICT_SCHEMA` for a schema that strict structured output refuses.
 */
export function strictFormat({ name, schema }: ResponseSchema): JsonObject {
  const problem = SCHEMA_NAME.test(name)
    ? strictSchemaProblem(schema)
    : 'its name is not made of letters, digits, _ and -';
  if (problem !== null)
    throw internalFault('NOT_STRICT_SCHEMA', `the response schema ${name} cannot be sent as strict: ${problem}`);
  return { name, strict: true, schema };
}
