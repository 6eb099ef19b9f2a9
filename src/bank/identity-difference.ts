import { canonicalJson, type JsonObject, type JsonValue } from '../core/canonical-json.js';
import type { BankIdentity } from './bank.js';

/**
 * The fields at which two identities differ, as dotted names in a fixed order: `implementation`, `owner.tenant`, `profile.model`, ... None
 * where a bank may be shared (FB-12).
 */
export function identityDifferences(a: BankIdentity, b: BankIdentity): string[] {
  return differences(a as unknown as JsonObject, b as unknown as JsonObject, '');
}

function differences(a: JsonObject, b: JsonObject, prefix: string): string[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return keys.flatMap((key) => {
    const [left, right] = [a[key], b[key]];
    if (isObject(left) && isObject(right)) return differences(left, right, `${prefix}${key}.`);
    const isEqual = left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right);
    return isEqual ? [] : [`${prefix}${key}`];
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
