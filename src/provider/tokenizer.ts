import { createRequire } from 'node:module';

type CountTokens = typeof import('gpt-tokenizer/encoding/o200k_base').countTokens;

// Byte pair encoding of one unbroken run takes time quadratic in its length: a hostile history must not hold a run up for minutes.
const LONG_RUN = /\S{2001}|\s{2001}/;
const PIECE = /[\s\S]{1,2000}/gu;

// What looks like a special token is a history's text like any other, and is counted as such.
const NO_SPECIAL_TOKENS = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

let loaded: CountTokens | null = null;

/**
 * Tokens of a text in o200k_base, the one tokenizer of contexts and local usage (RT-4). The encoding is loaded at the first call, which takes about half a second, since most commands
 * never count. A text with an unbroken run of more than 2,000 characters is counted in pieces of 2,000: at most one token a
 * piece too many.
 */
export function countTokens(text: string): number {
  loaded ??= load();
  const count = loaded;
  if (!LONG_RUN.test(text)) return count(text, NO_SPECIAL_TOKENS);
  return (text.match(PIECE) ?? []).reduce((sum, piece) => sum + count(piece, NO_SPECIAL_TOKENS), 0);
}

// Between a bracket and a digit a token always ends: of the encoding's alternatives, digits stand alone, and no other takes one.
const PIECE_START = /(?<=\[)(?=\d)/;
const REMEMBERED_PIECES = 8_192;

/**
 * Counts as `countTokens` does, and remembers the pieces of a text between `[` and a digit: a context repeats lines that begin with a
 * bracketed date, request after request.
 */
export function rememberingCounter(): (text: string) => number {
  const known = new Map<string, number>();
  const countPiece = (piece: string): number => {
    const count = known.get(piece) ?? countTokens(piece);
    if (known.size >= REMEMBERED_PIECES) known.clear();
    known.set(piece, count);
    return count;
  };
  return (text) =>
    LONG_RUN.test(text)
      ? countTokens(text)
      : text.split(PIECE_START).reduce((sum, piece) => sum + countPiece(piece), 0);
}

// Required rather than imported, so that counting need not be asynchronous.
function load(): CountTokens {
  const module = createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as { countTokens: CountTokens };
  return module.countTokens;
}
