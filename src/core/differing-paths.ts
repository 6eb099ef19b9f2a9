import { canonicalJson, type JsonObject, type JsonValue } from './canonical-json.js';

/** The fields at which two JSON objects differ, as dotted names in a fixed order. A list counts as one field. */
export function differingPaths(a: JsonObject, b: JsonObject, prefix = ''): string[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return keys.flatMap((key) => {
    const [left, right] = [a[key], b[key]];
    if (isObject(left) && isObject(right)) return differingPaths(left, right, `${prefix}${key}.`);
    const isEqual = left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right);
    return isEqual ? [] : [`${prefix}${key}`];
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
