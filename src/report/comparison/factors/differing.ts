import { canonicalJson, type JsonObject, type JsonValue } from '../../../core/canonical-json.js';
import { differingPaths } from '../../../core/differing-paths.js';

/** Both sides of something that differs, in words. */
export interface Sides {
  readonly base: string;
  readonly head: string;
}

/** What differs between two settings, `path=value` of each side; null where nothing does. */
export function differingSettings(base: object, head: object): Sides | null {
  const [one, other] = [plain(base), plain(head)];
  const paths = differingPaths(one, other);
  if (paths.length === 0) return null;
  const told = (settings: JsonObject): string =>
    paths.map((path) => `${path}=${textOf(valueAt(settings, path))}`).join(', ');
  return { base: told(one), head: told(other) };
}

/** Sets of names or digests; null where they are equal. */
export function differingSets(base: Iterable<string>, head: Iterable<string>): Sides | null {
  const [one, other] = [setText(base), setText(head)];
  return one === other ? null : { base: one, head: other };
}

function setText(values: Iterable<string>): string {
  return [...new Set(values)].sort().join(', ') || 'none';
}

/** Absent and undefined are one. */
function plain(settings: object): JsonObject {
  return JSON.parse(JSON.stringify(settings)) as JsonObject;
}

/** Keys may hold dots: the longest that fits is taken. */
function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (path === '') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value).filter((key) => path === key || path.startsWith(`${key}.`));
  const key = keys.sort((a, b) => b.length - a.length)[0];
  return key === undefined ? undefined : valueAt((value as JsonObject)[key], path.slice(key.length + 1));
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '(none)';
  return typeof value === 'string' ? value : canonicalJson(value);
}
