import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words.js';

/** Longer words are cut, so that no hostile text can outgrow an index entry. In UTF-16 units. */
const TERM_LIMIT = 64;

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

/**
 * The terms of a text, in its order and with repeats, for documents and queries alike: NFKC, lower-cased Unicode words, an
 * apostrophe inside a word kept but for a possessive `'s`; stop words left out; the rest stemmed by Porter's algorithm
 * (docs/decisions/bm25.md).
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    const plain = word.replaceAll('’', "'").replace(/'s$/, '').slice(0, TERM_LIMIT).toWellFormed();
    if (!STOP_WORDS.has(plain)) terms.push(stemmer(plain));
  }
  return terms;
}

/** How often each term occurs. */
export function termFrequencies(terms: readonly string[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return frequencies;
}
