import type { Lexicon } from '../language/lexicon.js';
import type { Tagger } from '../language/tagger.js';
import { contentLemmas } from '../language/terms.js';
import { isFiniteVerb } from './clauses.js';

/** A question that waits for its answer. */
export interface OpenQuestion {
  readonly text: string;
  readonly asker: string;
  readonly turnId: string;
  /** What the talk was about, where the question alone does not say it, with its turn; null otherwise. */
  readonly about: { readonly statement: string; readonly turnId: string } | null;
}

const SUBJECT_START = /^(?:i|he|she|it|we|they|you|there|that|this|the|my|our|his|her|their)(?:['’]\w+)?\b/i;

/** Whether a sentence needs its question to mean anything: it has no verb of its own, or a verb without a subject. */
export function isFragment(sentence: string, tagger: Tagger): boolean {
  const words = tagger(sentence);
  const firstVerb = words.findIndex((word) => isFiniteVerb(word.tags));
  if (firstVerb < 0) return true;
  return firstVerb === 0 && !SUBJECT_START.test(sentence);
}

/** Whether a question says by itself what it is about. */
export function isSelfContained(question: string, lexicon: Lexicon, tagger: Tagger): boolean {
  const nouns = contentLemmas(question, lexicon).filter((lemma) => lexicon.knows(lemma, 'noun'));
  return nouns.length > 0 && tagger(question).some((word) => isFiniteVerb(word.tags));
}
