import { createHash } from 'node:crypto';

/**
 * RFC 8785, written from its text alone and sharing nothing with the code under test (CHECKS 2): numbers by section 3.2.2.3 (ECMAScript's
 * Number::toString), strings by 3.2.2.2, keys in order of UTF-16 code units by 3.2.3.
 */
export function independentCanonicalJson(value: unknown): string {
  if (value === null) return 'null';
  if (value === true) return 'true';
  if (value === false) return 'false';
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : `${value}`;
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(independentCanonicalJson).join(',')}]`;
  const entries = Object.entries(value as Record<string, unknown>).sort(([a], [b]) => byCodeUnits(a, b));
  return `{${entries.map(([key, child]) => `${quoted(key)}:${independentCanonicalJson(child)}`).join(',')}}`;
}

export function independentDigest(value: unknown): string {
  return `sha256:${createHash('sha256')
    .update(Buffer.from(independentCanonicalJson(value), 'utf8'))
    .digest('hex')}`;
}

const SHORT: Record<number, string> = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' };

function quoted(text: string): string {
  let result = '"';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const short = SHORT[unit];
    if (short !== undefined) result += short;
    else if (unit < 32) result += `\\u${unit.toString(16).padStart(4, '0')}`;
    else result += text[index];
  }
  return `${result}"`;
}

function byCodeUnits(a: string, b: string): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
