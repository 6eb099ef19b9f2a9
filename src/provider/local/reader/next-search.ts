import type { LanguageResources } from '../language/resources.js';
import { contentLemmas, isStopWord, plainWords } from '../language/terms.js';
import type { AskedQuestion } from './question.js';

/** A search as the reader asks for it (RT-8). */
export interface ReaderSearch {
  readonly query: string;
  readonly subjects: readonly string[];
}

/**
 * What to search for next, by a fixed plan that no result changes: the question's content words; then its names with other words for its
 * things; then its names alone. Null where nothing is left that was not searched for.
 */
export function nextSearch(
  question: AskedQuestion,
  searched: readonly ReaderSearch[],
  language: LanguageResources,
): ReaderSearch | null {
  const before = new Set(searched.map(({ query }) => query));
  const names = question.names.join(' ');
  const others = otherWords(question, language);
  const queries = [contentWords(question.text), others.length === 0 ? '' : [names, ...others].join(' ').trim(), names];
  const query = queries.find((one) => one !== '' && !before.has(one));
  return query === undefined ? null : { query, subjects: question.names };
}

/** As they are written, each once. */
function contentWords(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  return [
    ...new Set(words.filter((word) => plainWords(word).some((plain) => plain !== '' && !isStopWord(plain)))),
  ].join(' ');
}

/** Words of the first sense of each thing that the question names, but for its own. */
function otherWords({ text, terms }: AskedQuestion, { lexicon }: LanguageResources): string[] {
  const own = new Set([...terms, ...contentLemmas(text, lexicon)]);
  const words = terms.flatMap((term) => {
    const [sense] = lexicon.senses(term, 'noun');
    return sense === undefined ? [] : lexicon.words(sense);
  });
  return [...new Set(words)].filter((word) => !own.has(word));
}
