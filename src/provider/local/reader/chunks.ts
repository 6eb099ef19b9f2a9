import type { LanguageResources } from '../language/resources.js';
import type { Word } from '../language/tagger.js';
import { isStopWord } from '../language/terms.js';

/** A noun phrase of a sentence. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Without its determiner. */
  readonly text: string;
  readonly head: string;
  /** The preposition right before it, lower-case; null where none. */
  readonly preposition: string | null;
  readonly isProper: boolean;
}

const DETERMINERS = new Set(
  'a an the my our your his her their this that these those some any each every no'.split(' '),
);
const PREPOSITIONS = new Set(
  'in at on to from above under behind by near over inside beside below off with into onto of for round outside opposite next'.split(
    ' ',
  ),
);

/** The noun phrases of a sentence, in order: a run of nouns, adjectives, numbers and names that no punctuation or function word breaks. */
export function chunksOf(sentence: string, { tagger, lexicon }: LanguageResources): Chunk[] {
  const words = tagger(sentence);
  const chunks: Chunk[] = [];
  let i = 0;
  while (i < words.length) {
    let from = i;
    const opener = words[i];
    if (opener !== undefined && DETERMINERS.has(opener.lower)) from += 1;
    let end = from;
    while (end < words.length && joins(words, end, from, sentence, lexicon)) end += 1;
    while (end > from && !isNominal(words[end - 1], lexicon, words[end - 2])) end -= 1;
    const first = words[from];
    const last = words[end - 1];
    if (end <= from || first === undefined || last === undefined) {
      i += 1;
      continue;
    }
    const before = words[i - 1];
    if (
      end - from === 1 &&
      from === i &&
      before !== undefined &&
      !PREPOSITIONS.has(before.lower) &&
      !first.tags.has('Noun') &&
      !/^\p{Lu}|^\d/u.test(first.text) &&
      !lexicon.isA(first.lower, 'color', 2)
    ) {
      i = end;
      continue;
    }
    chunks.push({
      start: first.start,
      end: last.end,
      text: sentence.slice(first.start, last.end).replace(/['’]s$/, ''),
      head: last.lower.replace(/'s$/, ''),
      preposition: before !== undefined && PREPOSITIONS.has(before.lower) ? before.lower : null,
      isProper:
        /^\p{Lu}/u.test(last.text) &&
        (first.start > 0 ||
          last !== first ||
          !(['noun', 'verb', 'adj', 'adv'] as const).some((part) => lexicon.knows(last.lower, part))),
    });
    i = end;
  }
  return chunks;
}

function joins(
  words: readonly Word[],
  at: number,
  from: number,
  sentence: string,
  lexicon: LanguageResources['lexicon'],
): boolean {
  const word = words[at];
  const previous = words[at - 1];
  if (word === undefined) return false;
  if (at > from && previous !== undefined && /[^\s-]/.test(sentence.slice(previous.end, word.start))) return false;
  if (/^\d/.test(word.lower)) return true;
  if (isStopWord(word.lower) || PREPOSITIONS.has(word.lower) || /'(?:m|re|ve|ll|d|t)$/.test(word.lower)) return false;
  if (/^(?:it|he|she|that|there|what|who|where|here|how|let)'s$/.test(word.lower)) return false;
  if (isVerbHere(word, words[at - 1], lexicon)) return false;
  return (
    word.tags.has('Noun') ||
    word.tags.has('Adjective') ||
    word.tags.has('Value') ||
    lexicon.knows(word.lower.replace(/'s$/, ''), 'noun') ||
    lexicon.knows(word.lower, 'adj') ||
    /^\p{Lu}/u.test(word.text)
  );
}

function isVerbHere(word: Word, previous: Word | undefined, lexicon: LanguageResources['lexicon']): boolean {
  if (!word.tags.has('Verb') || /^\p{Lu}/u.test(word.text)) return false;
  const opensPhrase =
    previous !== undefined &&
    (DETERMINERS.has(previous.lower) || PREPOSITIONS.has(previous.lower) || previous.tags.has('Adjective'));
  return !(opensPhrase && (lexicon.knows(word.lower, 'noun') || lexicon.knows(word.lower, 'adj')));
}

function isNominal(word: Word | undefined, lexicon: LanguageResources['lexicon'], previous: Word | undefined): boolean {
  if (word === undefined) return false;
  if (word.tags.has('Adverb') && !/^\p{Lu}/u.test(word.text)) return false;
  if (word.tags.has('Noun') || word.tags.has('Value') || /^\d|^\p{Lu}/u.test(word.text)) return true;
  return (
    lexicon.knows(word.lower.replace(/'s$/, ''), 'noun') ||
    (previous === undefined && lexicon.knows(word.lower, 'adj')) ||
    lexicon.isA(word.lower, 'color', 2)
  );
}
