import { shownText, wordsOf } from './shown-text.js';

/** A chat's own markup: no question about a memory needs it. */
const MARKUP =
  /<\|\s*[a-z_]+\s*\|>|\[\s*\/?\s*INST\s*\]|<<\s*\/?\s*SYS\s*>>|<\s*\/?\s*(?:system|assistant|instructions?)\s*>/i;

/** Orders to a model, over a text's words. What a person can do too (`ignore the previous messages`) is none, unless of all of them. */
const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|every|each|one|of|the|your|my|these|those|and|everything) ){0,5}(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|system) (?:instructions?|prompts?|rules|guidelines|directives?)\b/,
  /\b(?:ignore|disregard|forget|override|bypass) (?:all|any|everything)(?: (?:of|the|your|these|those)){0,3} (?:previous|prior|above|earlier|preceding) (?:messages|context|text|commands)\b/,
  /\b(?:reveal|print|show|repeat|output|tell)(?: (?:me|us|out|all|of|the|your)){0,4} (?:system|hidden|initial|developer) (?:prompt|instructions?|message)\b/,
];

/**
 * Characters that hide or reorder text: those that are not shown and join nothing, directions forced, tags outside a flag, variations
 * of variations, and control characters but white space. Joiners stay: scripts and emoji need them.
 */
const HIDDEN =
  /[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\u180e\ufeff]|[\ufe00-\ufe0f]{2}|[\u{e0100}-\u{e01ef}]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]|[^\P{Cc}\t\n\r]/u;

/** What of a query's texts is made to be obeyed, or to be hidden; null where nothing is found (SQ-7). */
export function findInjection(texts: readonly string[]): string | null {
  if (texts.some((text) => MARKUP.test(text.normalize('NFKC')) || MARKUP.test(shownText(text))))
    return 'markup of a chat';
  // Together: an order may begin in the question and end in a subject.
  const words = wordsOf(texts.join(' '));
  if (ORDERS.some((order) => order.test(words))) return 'words that instruct a model';
  return texts.some((text) => HIDDEN.test(text)) ? 'characters that hide or reorder text' : null;
}
