import { canonicalJson, type JsonObject, type JsonValue } from '../../core/canonical-json.js';
import { internalFault } from '../../core/errors.js';
import type { ResponseSchema } from '../completion.js';
import { strictSchemaProblem } from '../strict-schema.js';

/*
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations: no numerical constraints, no array
 * bounds but `minItems` of 0 or 1, regular expressions in part. The vendor's own helper (`transformJSONSchema` of @anthropic-ai/sdk) turns
 * what is not enforced into words of the description; so does this, in a fixed order.
 */
const ENFORCED = new Set([
  'type',
  'description',
  'title',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'format',
  'properties',
  'required',
  'additionalProperties',
  'items',
]);

/**
 * A response schema as the Messages API takes it. Constraints that it does not enforce stay in the request's own schema, by which every
 * completion is checked when it comes (FB-11).
 *
 * @throws internal fault `NOT_STRICT_SCHEMA` for a schema outside the subset that all adapters share.
 */
export function outputSchema({ name, schema }: ResponseSchema): JsonObject {
  const problem = strictSchemaProblem(schema);
  if (problem !== null)
    throw internalFault('NOT_STRICT_SCHEMA', `the response schema ${name} cannot be sent as strict: ${problem}`);
  return projected(schema);
}

function projected(node: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  const told: string[] = [];
  for (const key of Object.keys(node).sort()) {
    const value = node[key] as JsonValue;
    if (key === '$schema') continue;
    if (ENFORCED.has(key) || isSmallMinimum(key, value)) kept[key] = deeper(key, value);
    else told.push(`${key}: ${canonicalJson(value)}`);
  }
  if (told.length === 0) return kept;
  const described = typeof node.description === 'string' ? `${node.description}\n\n` : '';
  return { ...kept, description: `${described}{${told.join(', ')}}` };
}

function isSmallMinimum(key: string, value: JsonValue): boolean {
  return key === 'minItems' && (value === 0 || value === 1);
}

function deeper(key: string, value: JsonValue): JsonValue {
  if (key === 'items') return projected(value as JsonObject);
  if (key === 'anyOf') return (value as readonly JsonObject[]).map(projected);
  if (key === 'properties' || key === '$defs') {
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, child]) => [name, projected(child as JsonObject)]),
    );
  }
  return value;
}
