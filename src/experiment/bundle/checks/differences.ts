/** Sums of the same numbers in another order. */
const ROUNDING = 1e-9;

/** Where two values of JSON differ, each as `.key.key`; numbers that differ by rounding alone do not. */
export function* differences(found: unknown, expected: unknown, at = ''): Generator<string> {
  if (isObject(found) && isObject(expected) && Array.isArray(found) === Array.isArray(expected)) {
    for (const key of new Set([...Object.keys(found), ...Object.keys(expected)]))
      yield* differences(own(found, key), own(expected, key), `${at}.${key}`);
  } else if (!isSame(found, expected)) yield at;
}

/** Whether two values that are no objects are one, but for rounding. */
export function isSame(found: unknown, expected: unknown): boolean {
  if (typeof found === 'number' && typeof expected === 'number') return Math.abs(found - expected) <= ROUNDING;
  return found === expected;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What every object inherits is no field of it. */
function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
