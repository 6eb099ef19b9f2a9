import type { LanguageResources } from '../language/resources.js';
import { contentLemmas } from '../language/terms.js';
import { chunksOf } from './chunks.js';
import type { AskedQuestion } from './question.js';

const LOCATIVE =
  /^(?:in|at|on|above|under|behind|by|near|to|over|inside|beside|below|from|outside|opposite|round|off|into)$/;
const STATIC = /^(?:above|under|behind|beside|below|inside|opposite|outside|near|over)$/;
const TIME_HEAD =
  /^(?:morning|afternoon|evening|night|day|days|week|weeks|month|year|time|moment|end|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|minutes?|hours?|years|noon|once|seven|eight|six|five|four|nine|ten)$/;

/** The place that a text tells: a phrase behind a preposition of place, with a static preposition kept; null where it tells none. */
export function placeIn(text: string, question: AskedQuestion, language: LanguageResources): string | null {
  const asked = new Set(question.terms);
  const wantsSource = /\bfrom\b/i.test(question.text);
  const chunks = chunksOf(text, language);
  const candidates = chunks.flatMap((chunk, index) => {
    const head = chunk.head;
    if (TIME_HEAD.test(head) || /^\d/.test(chunk.text)) return [];
    const lemmas = contentLemmas(chunk.text, language.lexicon);
    if (
      lemmas.length > 0 &&
      lemmas.every(
        (lemma) => asked.has(lemma) || question.terms.some((term) => language.lexicon.nearness(term, lemma) >= 0.6),
      )
    )
      return [];
    if (lemmas.length === 0) return [];
    const isPlace =
      language.lexicon.isA(head, 'location', 2) ||
      language.lexicon.isA(head, 'structure', 2) ||
      language.lexicon.isA(head, 'building', 2);
    const isLocative = chunk.preposition !== null && LOCATIVE.test(chunk.preposition);
    if (!isLocative && !(isPlace && chunk.isProper)) return [];
    let rank =
      (isLocative ? 1 : 0) +
      (isPlace ? 1 : 0) +
      (chunk.isProper ? 1.2 : 0) +
      (chunk.preposition !== null && STATIC.test(chunk.preposition) ? 0.6 : 0);
    if (wantsSource && chunk.preposition === 'from') rank += 2;
    if (question.names.some((name) => chunk.text.includes(name))) rank -= 1.5;
    return [{ text: phraseOf(text, chunks, index), rank, start: chunk.start }];
  });
  return candidates.sort((a, b) => b.rank - a.rank || a.start - b.start)[0]?.text ?? null;
}

/** A thing and where it lies are one place: "the flat above the shop", "the cottage on Mill Lane". */
function phraseOf(text: string, chunks: ReturnType<typeof chunksOf>, index: number): string {
  const chunk = chunks[index];
  if (chunk === undefined) return '';
  const next = chunks[index + 1];
  const previous = chunks[index - 1];
  let start = chunk.start;
  let end = chunk.end;
  const joins = (from: number, to: number): boolean =>
    /^ (?:in|on|at|above|under|behind|by|off|of|over)(?: the| a| an| my| his| her)? $/.test(text.slice(from, to));
  if (next !== undefined && joins(end, next.start) && !TIME_HEAD.test(next.head)) end = next.end;
  else if (
    previous !== undefined &&
    joins(previous.end, start) &&
    chunk.preposition !== null &&
    /^(?:above|on|of)$/.test(chunk.preposition)
  )
    start = previous.start;
  const lead =
    chunk.preposition !== null &&
    /^(?:above|under|behind|below|beside)$/.test(chunk.preposition) &&
    start === chunk.start
      ? `${chunk.preposition} the `
      : '';
  return `${lead}${text.slice(start, end)}`.replace(/['’]s$/, '');
}
