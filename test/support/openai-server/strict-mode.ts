/*
 * The API's refusals of strict schemas, after https://platform.openai.com/docs/guides/structured-outputs#supported-schemas.
 * Written apart from the product's own check, as a walk over a work list: agreement of the two is evidence.
 */

type Schema = Record<string, unknown>;

const PER_TYPE = new Map<string, ReadonlySet<string>>([
  // "Supported string properties"
  ['string', new Set(['pattern', 'format'])],
  // "Supported number properties"
  ['number', new Set(['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'])],
  ['integer', new Set(['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'])],
  // "Supported array properties"
  ['array', new Set(['items', 'minItems', 'maxItems'])],
  ['object', new Set(['properties', 'required', 'additionalProperties'])],
  ['boolean', new Set()],
  ['null', new Set()],
]);
const EVERYWHERE = new Set(['type', 'enum', 'const', 'anyOf', '$ref', '$defs', 'title', 'description']);
const STRING_FORMATS = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '));

interface Work {
  readonly schema: unknown;
  readonly context: readonly string[];
  readonly level: number;
}

interface Tally {
  properties: number;
  characters: number;
  enumValues: number;
}

/** The message of the 400 that a strict schema earns; null where it is accepted. */
export function strictModeRefusal(root: unknown): string | null {
  if (!isSchema(root)) return 'schema must be an object';
  // "Root objects must not be anyOf and must be an object"
  if (root.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: ${show(root.type)}'.`;
  if (root.anyOf !== undefined) return "schema must not have 'anyOf' at the top level";
  const { $schema: _tolerated, ...start } = root;
  const tally: Tally = { properties: 0, characters: 0, enumValues: 0 };
  const work: Work[] = [{ schema: start, context: [], level: 0 }];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const refusal = refuseOne(item, root, tally, work);
    if (refusal !== null) return `In context=(${item.context.map((part) => `'${part}'`).join(', ')}), ${refusal}`;
  }
  // "Objects have limitations on nesting depth and size", "Limitations on total string size", "Limitations on enum size"
  if (tally.properties > 5000) return `${tally.properties} parameters exceeds limit of 5000.`;
  if (tally.characters > 120_000) return `${tally.characters} characters of names and values exceeds limit of 120000.`;
  if (tally.enumValues > 1000) return `${tally.enumValues} enum values exceeds limit of 1000.`;
  return null;
}

function refuseOne({ schema, context, level }: Work, root: Schema, tally: Tally, work: Work[]): string | null {
  if (!isSchema(schema)) return 'schema must be an object.';
  if (level >= 10) return `${level + 1} levels of nesting exceeds limit of 10.`;
  const types = schema.type === undefined ? [] : [schema.type].flat().map(String);
  if (types.length === 0 && schema.anyOf === undefined && schema.$ref === undefined)
    return "schema must have a 'type' key.";
  // "Supported types", and "Some type-specific keywords are not yet supported"
  for (const type of types) if (!PER_TYPE.has(type)) return `${show(type)} is not a supported type.`;
  for (const keyword of Object.keys(schema))
    if (!EVERYWHERE.has(keyword) && !types.some((type) => PER_TYPE.get(type)?.has(keyword)))
      return `'${keyword}' is not permitted.`;
  if (schema.format !== undefined && !STRING_FORMATS.has(String(schema.format)))
    return `${show(schema.format)} is not a valid format.`;
  return (
    refuseObject(schema, types, context, level, tally, work) ??
    refuseArray(schema, types, context, level, work) ??
    refuseValues(schema, tally) ??
    refuseReferences(schema, context, level, root, tally, work)
  );
}

// "All fields must be required" and "additionalProperties: false must always be set in objects"
function refuseObject(
  schema: Schema,
  types: readonly string[],
  context: readonly string[],
  level: number,
  tally: Tally,
  work: Work[],
): string | null {
  if (!types.includes('object')) return null;
  if (schema.additionalProperties !== false)
    return "'additionalProperties' is required to be supplied and to be false.";
  if (!isSchema(schema.properties)) return 'object schema missing properties.';
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  for (const [name, child] of Object.entries(schema.properties)) {
    if (!required.delete(name))
      return `'required' is required to be supplied and to be an array including every key in properties. Missing '${name}'.`;
    tally.properties += 1;
    tally.characters += name.length;
    work.push({ schema: child, context: [...context, 'properties', name], level: level + 1 });
  }
  const [extra] = required;
  return extra === undefined ? null : `Extra required key '${String(extra)}' supplied.`;
}

function refuseArray(
  schema: Schema,
  types: readonly string[],
  context: readonly string[],
  level: number,
  work: Work[],
): string | null {
  if (!types.includes('array')) return null;
  if (schema.items === undefined) return 'array schema missing items.';
  work.push({ schema: schema.items, context: [...context, 'items'], level: level + 1 });
  return null;
}

// "Limitations on enum size"
function refuseValues(schema: Schema, tally: Tally): string | null {
  if (typeof schema.const === 'string') tally.characters += schema.const.length;
  if (schema.enum === undefined) return null;
  if (!Array.isArray(schema.enum) || schema.enum.length === 0) return "'enum' must be a non-empty array.";
  let characters = 0;
  for (const value of schema.enum) if (typeof value === 'string') characters += value.length;
  tally.enumValues += schema.enum.length;
  tally.characters += characters;
  return schema.enum.length > 250 && characters > 15_000
    ? `enum of ${schema.enum.length} values has ${characters} characters, which exceeds limit of 15000.`
    : null;
}

// "Definitions are supported", "Recursive schemas are supported", "For anyOf, the nested schemas must each be valid"
function refuseReferences(
  schema: Schema,
  context: readonly string[],
  level: number,
  root: Schema,
  tally: Tally,
  work: Work[],
): string | null {
  if (schema.$ref !== undefined && schema.$ref !== '#') {
    const [hash, where, name, ...rest] = String(schema.$ref).split('/');
    const found =
      hash === '#' &&
      where === '$defs' &&
      rest.length === 0 &&
      isSchema(root.$defs) &&
      name !== undefined &&
      name in root.$defs;
    if (!found) return `reference ${show(schema.$ref)} can not be resolved.`;
  }
  if (schema.anyOf !== undefined) {
    if (!Array.isArray(schema.anyOf) || schema.anyOf.length === 0) return "'anyOf' must be a non-empty array.";
    for (const [index, child] of schema.anyOf.entries())
      work.push({ schema: child, context: [...context, 'anyOf', String(index)], level });
  }
  if (isSchema(schema.$defs)) {
    for (const [name, child] of Object.entries(schema.$defs)) {
      tally.characters += name.length;
      work.push({ schema: child, context: [...context, '$defs', name], level });
    }
  }
  return null;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'None';
}
