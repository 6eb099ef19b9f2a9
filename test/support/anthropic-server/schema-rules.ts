/*
 * The API's refusals of output schemas, after
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations.
 */

type Schema = Record<string, unknown>;

const KEYWORDS = new Set(
  'type description title enum const anyOf allOf $ref $defs definitions default format pattern properties required additionalProperties items minItems'.split(
    ' ',
  ),
);
const TYPES = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']);
const FORMATS = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '));

/** The message of the 400 that a schema earns; null where it is accepted. */
export function outputSchemaRefusal(root: unknown): string | null {
  const work: [unknown, string][] = [[root, 'schema']];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const [schema, at] = item;
    if (!isSchema(schema)) return `${at}: expected an object`;
    const refusal = refuseOne(schema);
    if (refusal !== null) return `output_config.format.schema: ${at}: ${refusal}`;
    for (const key of ['properties', '$defs', 'definitions'])
      for (const [name, child] of Object.entries((schema[key] ?? {}) as Schema)) work.push([child, `${at}.${name}`]);
    if (schema.items !== undefined) work.push([schema.items, `${at}.items`]);
    for (const key of ['anyOf', 'allOf'])
      for (const [index, child] of ((schema[key] ?? []) as unknown[]).entries())
        work.push([child, `${at}.${key}.${index}`]);
  }
  return null;
}

function refuseOne(schema: Schema): string | null {
  // "Not supported": numerical constraints, string constraints, array constraints beyond minItems of 0 or 1.
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.has(key));
  const types = [schema.type ?? []].flat().map(String);
  if (unknown !== undefined) return `For '${types.join(' or ')}' type, property '${unknown}' is not supported`;
  const odd = types.find((type) => !TYPES.has(type));
  if (odd !== undefined) return `type '${odd}' is not supported`;
  if (schema.minItems !== undefined && schema.minItems !== 0 && schema.minItems !== 1)
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  if (schema.format !== undefined && !FORMATS.has(String(schema.format))) return `format is not supported`;
  // "additionalProperties (must be set to false for objects)"
  if (types.includes('object') && schema.additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  // "Complex types within enums"
  if (Array.isArray(schema.enum) && schema.enum.some((value) => typeof value === 'object' && value !== null))
    return 'complex types in enums are not supported';
  // "External $ref", "Recursive schemas"
  if (typeof schema.$ref === 'string' && !/^#\/(?:\$defs|definitions)\//.test(schema.$ref))
    return `$ref '${schema.$ref}' is not supported`;
  return null;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
