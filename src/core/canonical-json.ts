import { createRequire } from 'node:module';
import { internalFault } from './errors.js';

// The package is CommonJS with an ES default in its types only; requiring it is the one form that both agree on.
const canonicalize = createRequire(import.meta.url)('canonicalize') as (value: unknown) => string | undefined;

/** Any value that JSON can carry without loss. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * The RFC 8785 text of a value (FB-3): sorted keys (UTF-16 order), shortest numbers, no white space.
 *
 * @throws internal fault `NOT_CANONICAL_JSON` for what JSON would drop or alter in silence: `undefined`, a function, NaN,
 * an infinity, a bigint, a lone surrogate, or an object that is neither plain nor an array. The path is named.
 */
export function canonicalJson(value: unknown): string {
  assertJson(value, '$');
  return canonicalize(value) as string;
}

function assertJson(value: unknown, path: string): void {
  switch (typeof value) {
    case 'boolean':
      return;
    case 'string':
      if (!value.isWellFormed()) refuse(path, 'a lone surrogate');
      return;
    case 'number':
      if (!Number.isFinite(value)) refuse(path, String(value));
      return;
    case 'object':
      break;
    default:
      refuse(path, typeof value);
  }
  if (value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) assertJson(value[index], `${path}[${index}]`);
    return;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse(path, 'an object that is not plain');
  for (const [key, child] of Object.entries(value as object)) {
    if (!key.isWellFormed()) refuse(path, 'a key with a lone surrogate');
    assertJson(child, `${path}.${key}`);
  }
}

function refuse(path: string, found: string): never {
  throw internalFault('NOT_CANONICAL_JSON', `${path} cannot be written as canonical JSON: ${found}`);
}
