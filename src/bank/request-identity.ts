import { canonicalJson, type JsonObject, type JsonValue } from '../core/canonical-json.js';
import { digestJson } from '../core/digest.js';
import type { CompletionRequest } from '../provider/completion.js';
import type { BankCall, RequestIdentity } from './bank.js';

/** The version of the algorithm below; a change of what it binds needs another (FB-3, R-09). */
export const REQUEST_IDENTITY_ALGORITHM = 'request-identity@1';

/**
 * All that a request's identity leaves out (FB-3), by exact path: a property of the same name anywhere else is bound. Whatever is
 * added to a request later is bound without a change here.
 */
export const EXCLUDED_PATHS: readonly (readonly [string, ...string[]])[] = [
  ['model', 'resolved_at'],
  ['model', 'credential_ref'],
];

type Bound = Omit<CompletionRequest, 'model'> & { readonly model: BankCall['resolved'] };

/**
 * A request's identity (FB-3): a digest over everything but its metadata and the excluded paths, digests of its parts to say what changed,
 * and the metadata itself.
 *
 * @throws internal fault `NOT_CANONICAL_JSON` where a text holds a lone surrogate.
 */
export function requestIdentity(request: CompletionRequest): RequestIdentity {
  const { metadata, ...sent } = withoutExcluded(request);
  return {
    digest: digestJson(sent),
    parts: {
      messages: sent.messages.map((message) => digestJson(message)),
      schema: digestJson(sent.response_schema),
      parameters: digestJson(sent.parameters),
    },
    metadata,
  };
}

/** The resolved model as a bank keeps it: less the excluded paths. */
export function boundModel(request: CompletionRequest): BankCall['resolved'] {
  return withoutExcluded(request).model;
}

/**
 * Names each part of a request that differs from the recorded one (FB-5), in a fixed order: `model`, `number of messages`, `message n`
 * (from 1), `schema`, `parameters`, `other fields`, `metadata.<key>`.
 *
 * @returns none where the request is the recorded one.
 */
export function changedParts(recorded: Pick<BankCall, 'request' | 'resolved'>, request: CompletionRequest): string[] {
  const found = requestIdentity(request);
  const expected = recorded.request;
  const changed: string[] = [];
  if (!sameJson(recorded.resolved, boundModel(request))) changed.push('model');
  changed.push(...changedMessages(expected.parts.messages, found.parts.messages));
  if (expected.parts.schema !== found.parts.schema) changed.push('schema');
  if (expected.parts.parameters !== found.parts.parameters) changed.push('parameters');
  if (changed.length === 0 && expected.digest !== found.digest) changed.push('other fields');
  return [...changed, ...changedKeys(expected.metadata, found.metadata).map((key) => `metadata.${key}`)];
}

function changedMessages(expected: readonly string[], found: readonly string[]): string[] {
  const changed = expected.length === found.length ? [] : ['number of messages'];
  for (let index = 0; index < Math.min(expected.length, found.length); index += 1) {
    if (expected[index] !== found[index]) changed.push(`message ${index + 1}`);
  }
  return changed;
}

/** The keys at which two flat records differ, sorted; a key that one of them lacks differs. */
function changedKeys(expected: object, found: object): string[] {
  const [before, after] = [new Map(Object.entries(expected)), new Map(Object.entries(found))];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.filter(
    (key) => !before.has(key) || !after.has(key) || !sameJson(before.get(key) ?? null, after.get(key) ?? null),
  );
}

function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function withoutExcluded(request: CompletionRequest): Bound {
  const plain = request as unknown as JsonObject;
  return EXCLUDED_PATHS.reduce<JsonObject>((value, path) => withoutPath(value, path), plain) as unknown as Bound;
}

function withoutPath(value: JsonObject, [key, ...rest]: readonly [string, ...string[]]): JsonObject {
  const child: JsonValue | undefined = value[key];
  if (child === undefined) return value;
  const [next, ...after] = rest;
  if (next === undefined) {
    const { [key]: _excluded, ...kept } = value;
    return kept;
  }
  return isObject(child) ? { ...value, [key]: withoutPath(child, [next, ...after]) } : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
