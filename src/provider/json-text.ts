/** A deeper value than any schema here allows; a bound, so that hostile nesting exhausts no stack. */
export const JSON_NESTING_LIMIT = 64;

/** What `scanJsonText` found: the parsed value, or why the text is refused, with the path. */
export type JsonScan = { readonly value: unknown; readonly problem: null } | { readonly problem: string };

interface Frame {
  readonly keys: Set<string> | null;
  key: string;
  index: number;
}

/**
 * The strings and the punctuation of a JSON text, in order. Walked by hand: a regular expression exhausts its stack on a string of a
 * few million escapes.
 */
function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') {
      const start = at;
      for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
      yield text.slice(start, at + 1);
    } else if ('{}[],'.includes(character)) yield character;
  }
}

/**
 * Parses JSON more strictly than `JSON.parse`, for text by a model or a file (FB-11): duplicate keys, nesting over
 * `JSON_NESTING_LIMIT`, U+0000 and lone surrogates (escaped ones too) and numbers beyond a double are refused. `JSON.parse`
 * would keep the last of two equal keys, which another reader of the same text need not do.
 */
export function scanJsonText(text: string): JsonScan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'not JSON' };
  }
  const problem = nestingProblem(text) ?? duplicateKeyProblem(text) ?? valueProblem(value, '$');
  return problem === null ? { value, problem } : { problem };
}

/** Why a text cannot be stored (PostgreSQL holds no U+0000; UTF-8 no lone surrogate); null where it can. */
export function textProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'U+0000';
  return text.isWellFormed() ? null : 'a lone surrogate';
}

/** `$.a[0].b`; a key that is no plain name is quoted, and long keys are cut. */
export function jsonPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (/^[A-Za-z_]\w{0,63}$/.test(key)) return `${parent}.${key}`;
  return `${parent}[${JSON.stringify(key.length > 64 ? `${key.slice(0, 63)}…` : key)}]`;
}

function nestingProblem(text: string): string | null {
  let depth = 0;
  for (const token of tokensOf(text)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > JSON_NESTING_LIMIT) return `nested deeper than ${JSON_NESTING_LIMIT}`;
  }
  return null;
}

/** Needs text that `JSON.parse` accepts, as every walk here does: then a string is a key exactly where an object awaits one. */
function duplicateKeyProblem(text: string): string | null {
  const frames: Frame[] = [];
  let awaitsKey = false;
  for (const token of tokensOf(text)) {
    const frame = frames.at(-1);
    if (token === '{' || token === '[') {
      frames.push({ keys: token === '{' ? new Set() : null, key: '', index: 0 });
      awaitsKey = token === '{';
    } else if (token === '}' || token === ']') {
      frames.pop();
      awaitsKey = false;
    } else if (token === ',') {
      if (frame !== undefined) frame.index += 1;
      awaitsKey = frame?.keys != null;
    } else if (awaitsKey && frame?.keys != null) {
      awaitsKey = false;
      frame.key = JSON.parse(token) as string;
      if (frame.keys.has(frame.key)) return `duplicate key at ${pathOf(frames)}`;
      frame.keys.add(frame.key);
    }
  }
  return null;
}

function pathOf(frames: readonly Frame[]): string {
  return frames.reduce((path, frame) => jsonPath(path, frame.keys === null ? frame.index : frame.key), '$');
}

function valueProblem(value: unknown, path: string): string | null {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    return problem === null ? null : `${problem} at ${path}`;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? null : `a number out of range at ${path}`;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = valueProblem(item, jsonPath(path, index));
      if (problem !== null) return problem;
    }
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const inKey = textProblem(key);
    if (inKey !== null) return `${inKey} in a key of ${path}`;
    const problem = valueProblem(item, jsonPath(path, key));
    if (problem !== null) return problem;
  }
  return null;
}
