import type { JsonObject } from '../core/canonical-json.js';
import { jsonPath } from './json-text.js';

/*
 * Every rule is of the page "Structured model outputs", section "Supported schemas":
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */

/** The limits of the page, sections "Objects have limitations on nesting depth and size", "Limitations on total string size" and "Limitations on enum size". */
export const STRICT_SCHEMA_LIMITS = {
  properties: 5_000,
  nesting: 10,
  name_characters: 120_000,
  enum_values: 1_000,
  large_enum_values: 250,
  large_enum_characters: 15_000,
} as const;

// Section "Supported properties"; `title` and `$schema` are what the API's own helpers send. What the page does not name is refused.
const KEYWORDS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  integer: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
};
const KEYWORDS_OF_ALL = ['type', 'description', 'title', 'enum', 'const', 'anyOf', '$ref', '$defs'];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

interface Totals {
  properties: number;
  nameCharacters: number;
  enumValues: number;
}

/**
 * What keeps a JSON Schema out of the subset that strict structured output allows; null where it lies inside. The first problem,
 * with its path.
 */
export function strictSchemaProblem(schema: JsonObject): string | null {
  // Section "Root objects must not be anyOf and must be an object".
  if (schema.type !== 'object' || 'anyOf' in schema) return '$: the root must be an object, and no anyOf';
  const totals: Totals = { properties: 0, nameCharacters: 0, enumValues: 0 };
  const { $schema: _dialect, ...root } = schema;
  const problem = schemaProblem(root, '$', 1, totals, schema);
  if (problem !== null) return problem;
  if (totals.properties > STRICT_SCHEMA_LIMITS.properties) return `$: ${totals.properties} properties`;
  if (totals.nameCharacters > STRICT_SCHEMA_LIMITS.name_characters)
    return `$: ${totals.nameCharacters} characters of names and values`;
  if (totals.enumValues > STRICT_SCHEMA_LIMITS.enum_values) return `$: ${totals.enumValues} enum values`;
  return null;
}

function schemaProblem(node: unknown, path: string, depth: number, totals: Totals, root: JsonObject): string | null {
  if (!isObject(node)) return `${path}: not a schema object`;
  if (depth > STRICT_SCHEMA_LIMITS.nesting) return `${path}: nested deeper than ${STRICT_SCHEMA_LIMITS.nesting}`;
  return (
    keywordProblem(node, path) ??
    referenceProblem(node, path, root) ??
    valuesProblem(node, path, totals) ??
    objectProblem(node, path, totals) ??
    childrenProblem(node, path, depth, totals, root)
  );
}

// Section "Supported types".
function keywordProblem(node: JsonObject, path: string): string | null {
  const types = typesOf(node);
  if (types.length === 0 && !('anyOf' in node) && !('$ref' in node)) return `${path}: has no type`;
  const unknown = types.find((type) => !Object.hasOwn(KEYWORDS_OF_TYPE, type));
  if (unknown !== undefined) return `${path}: the type ${unknown} is not supported`;
  const allowed = [...KEYWORDS_OF_ALL, ...types.flatMap((type) => KEYWORDS_OF_TYPE[type] ?? [])];
  const keyword = Object.keys(node).find((key) => !allowed.includes(key));
  if (keyword !== undefined) return `${path}: the keyword ${keyword} is not supported here`;
  if ('format' in node && !FORMATS.includes(String(node.format)))
    return `${path}: the format ${String(node.format)} is not supported`;
  if (types.includes('array') && !('items' in node)) return `${path}: an array needs items`;
  return null;
}

// Sections "Definitions are supported" and "Recursive schemas are supported".
function referenceProblem(node: JsonObject, path: string, root: JsonObject): string | null {
  if (!('$ref' in node)) return null;
  const reference = String(node.$ref);
  if (reference === '#') return null;
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const known = name !== undefined && isObject(root.$defs) && Object.hasOwn(root.$defs, name);
  return known ? null : `${path}: the reference ${reference} is not to a definition of this schema`;
}

// Section "Limitations on enum size".
function valuesProblem(node: JsonObject, path: string, totals: Totals): string | null {
  if ('const' in node) totals.nameCharacters += charactersOf(node.const);
  if (!('enum' in node)) return null;
  if (!Array.isArray(node.enum) || node.enum.length === 0) return `${path}: an enum needs values`;
  const characters = node.enum.reduce<number>((sum, value) => sum + charactersOf(value), 0);
  totals.enumValues += node.enum.length;
  totals.nameCharacters += characters;
  const isLarge = node.enum.length > STRICT_SCHEMA_LIMITS.large_enum_values;
  return isLarge && characters > STRICT_SCHEMA_LIMITS.large_enum_characters
    ? `${path}: an enum of ${node.enum.length} values has ${characters} characters`
    : null;
}

// Sections "All fields must be required" and "additionalProperties: false must always be set in objects".
function objectProblem(node: JsonObject, path: string, totals: Totals): string | null {
  if (!typesOf(node).includes('object')) return null;
  if (node.additionalProperties !== false) return `${path}: additionalProperties must be false`;
  if (!isObject(node.properties)) return `${path}: an object needs properties`;
  const names = Object.keys(node.properties);
  const required = Array.isArray(node.required) ? node.required : [];
  totals.properties += names.length;
  totals.nameCharacters += names.reduce((sum, name) => sum + name.length, 0);
  const optional = names.find((name) => !required.includes(name));
  if (optional !== undefined) return `${jsonPath(path, optional)}: every property must be required`;
  const absent = required.find((name) => !names.includes(String(name)));
  return absent === undefined ? null : `${path}: requires ${String(absent)}, which is no property`;
}

// Section "For anyOf, the nested schemas must each be a valid JSON Schema per this subset".
function childrenProblem(
  node: JsonObject,
  path: string,
  depth: number,
  totals: Totals,
  root: JsonObject,
): string | null {
  if ('anyOf' in node && (!Array.isArray(node.anyOf) || node.anyOf.length === 0)) return `${path}: an empty anyOf`;
  const deeper: [string, unknown][] = [];
  if (isObject(node.properties))
    for (const [name, child] of Object.entries(node.properties)) deeper.push([jsonPath(path, name), child]);
  if ('items' in node) deeper.push([`${path}[]`, node.items]);
  for (const [childPath, child] of deeper) {
    const problem = schemaProblem(child, childPath, depth + 1, totals, root);
    if (problem !== null) return problem;
  }
  const beside: [string, unknown][] = (Array.isArray(node.anyOf) ? node.anyOf : []).map((child, index) => [
    `${path}.anyOf[${index}]`,
    child,
  ]);
  if (isObject(node.$defs)) {
    for (const [name, child] of Object.entries(node.$defs)) {
      totals.nameCharacters += name.length;
      beside.push([`${path}.$defs.${name}`, child]);
    }
  }
  for (const [childPath, child] of beside) {
    const problem = schemaProblem(child, childPath, depth, totals, root);
    if (problem !== null) return problem;
  }
  return null;
}

function typesOf(node: JsonObject): string[] {
  if (typeof node.type === 'string') return [node.type];
  return Array.isArray(node.type) ? node.type.map(String) : [];
}

function charactersOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
