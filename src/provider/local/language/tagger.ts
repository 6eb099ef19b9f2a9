import { createRequire } from 'node:module';
/** A word of a sentence with its place and part of speech. */
export interface Word {
  /** As written, without surrounding punctuation. */
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Tags of the part-of-speech model: `Verb`, `Noun`, `ProperNoun`, `PastTense`, ... */
  readonly tags: ReadonlySet<string>;
}

/** Tags one sentence; pure, and bounded in memory. */
export type Tagger = (sentence: string) => readonly Word[];

const CACHE_LIMIT = 4_096;

interface RawTerm {
  readonly text: string;
  readonly tags?: readonly string[];
  readonly offset?: { readonly start: number; readonly length: number };
}

/** Loads the part-of-speech model, which is heavy: call it at the first send, not before. */
export async function loadTagger(): Promise<Tagger> {
  // The package's one bundled file: its modules would be hundreds, and take twice the time.
  const nlp = createRequire(import.meta.url)('compromise') as typeof import('compromise').default;
  const cache = new Map<string, readonly Word[]>();
  return (sentence) => {
    const known = cache.get(sentence);
    if (known !== undefined) return known;
    const parsed = nlp(sentence).json({ offset: true, terms: { offset: true, tags: true } }) as { terms: RawTerm[] }[];
    const words = wordsOf(
      sentence,
      parsed.flatMap((part) => part.terms),
    );
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(sentence, words);
    return words;
  };
}

/** Finds each term in the sentence itself: a contraction's second half has no text, and lends its tags to the first. */
function wordsOf(sentence: string, terms: readonly RawTerm[]): Word[] {
  const words: Word[] = [];
  let from = 0;
  for (const term of terms) {
    const last = words.at(-1);
    if (term.text === '') {
      if (last !== undefined)
        words[words.length - 1] = { ...last, tags: new Set([...last.tags, ...(term.tags ?? [])]) };
      continue;
    }
    const start = sentence.indexOf(term.text, from);
    if (start < 0) continue;
    from = start + term.text.length;
    words.push({
      text: term.text,
      lower: term.text.toLowerCase().replaceAll('’', "'"),
      start,
      end: from,
      tags: new Set(term.tags ?? []),
    });
  }
  return words;
}
