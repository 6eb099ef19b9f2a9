import { lemmaOf } from '../language/lemmas.js';
import type { LanguageResources } from '../language/resources.js';
import { contentLemmas } from '../language/terms.js';
import { type Chunk, chunksOf } from './chunks.js';
import type { AskedQuestion } from './question.js';

/** A phrase that may answer "what" or "which". */
export interface ThingCandidate {
  readonly text: string;
  readonly rank: number;
  /** It is an instance of what was asked for. */
  readonly isInstance: boolean;
}

/** The phrases of a text that may answer, best first: instances of the asked noun, then objects near the words that match. */
export function thingsIn(text: string, question: AskedQuestion, language: LanguageResources): ThingCandidate[] {
  const { lexicon } = language;
  const anchors = anchorsOf(text, question, language);
  const candidates = chunksOf(text, language).flatMap((chunk) => {
    const lemmas = contentLemmas(chunk.text, lexicon);
    if (
      lemmas.length === 0 ||
      lemmas.every((lemma) => question.terms.some((term) => lexicon.nearness(term, lemma) >= 0.8))
    )
      return [];
    if (question.names.some((name) => chunk.text === name || `${chunk.text}'s` === name)) return [];
    const isDropped = DROPPED.test(text.slice(0, chunk.start)) || AFTERWARDS_GONE.test(text.slice(chunk.end));
    const isInstance = question.focus !== null && !isDropped && isInstanceOf(chunk, question.focus, language);
    const nearestAnchor = Math.min(40, ...anchors.map((anchor) => Math.abs(anchor - chunk.start)));
    const isAfter = anchors.some((anchor) => anchor < chunk.start);
    const isTimeLike =
      /^(?:day|week|month|year|morning|afternoon|evening|night|time|lot|bit|way|kind|sort|thing|mon|tues|wednes|thurs|fri|satur|sun)(?:s|days?)?$/i.test(
        chunk.head,
      );
    const rank =
      (isInstance ? 3 : 0) +
      (isAfter ? 0.6 : 0) -
      nearestAnchor / 80 -
      (isTimeLike ? 2 : 0) -
      (isDropped ? 2 : 0) +
      (chunk.preposition === null ? 0.3 : 0);
    return [{ text: withoutAsked(chunk.text, question, language), rank, isInstance, start: chunk.start }];
  });
  for (const quoted of text.matchAll(/["“]([^"”]{3,60})["”]/g))
    candidates.push({ text: quoted[1] ?? '', rank: 1.5, isInstance: false, start: quoted.index });
  return candidates.sort((a, b) => b.rank - a.rank || a.start - b.start);
}

/** A phrase without leading words that the question itself has: "door dark green" of a door's colour is "dark green". */
function withoutAsked(text: string, question: AskedQuestion, { lexicon }: LanguageResources): string {
  const words = text.split(' ');
  while (
    words.length > 1 &&
    question.type === 'thing' &&
    question.terms.includes(lemmaOf(words[0]?.toLowerCase() ?? '', lexicon)) &&
    words[0]?.toLowerCase() !== question.focus
  )
    words.shift();
  return words.join(' ');
}

/** What the speaker says is over right before or behind a phrase. */
const DROPPED =
  /\b(?:dropped|drop|gone off|gave up|given up|sold|no more|no longer|instead of|rather than|not|without|stopped|quit|never|no) (?:the |a |an |my |any )?$/i;
const AFTERWARDS_GONE = /^(?: has|['’]s| have)? (?:gone to|is off|been sold|was sold)\b|^['’]s off\b/i;

function isInstanceOf(chunk: Chunk, focus: string, { lexicon }: LanguageResources): boolean {
  const category = CATEGORY[focus] ?? focus;
  const head = lemmaOf(chunk.head, lexicon);
  const words = chunk.text.toLowerCase().split(' ');
  if (
    words.length > 1 &&
    words.some((word) => lemmaOf(word, lexicon) === focus || lexicon.nearness(lemmaOf(word, lexicon), focus) >= 0.8)
  )
    return true;
  if (head === focus) return false;
  if (/^(?:city|town|village|country|place|island)$/.test(focus) && chunk.isProper)
    return !lexicon.isA(head, 'person', 1);
  return lexicon.isA(head, category, 3, 2) || lexicon.isA(chunk.text.toLowerCase(), category, 3, 2);
}

/** Nouns by which people ask, where the dictionary files their instances under another word. */
const CATEGORY: Readonly<Record<string, string>> = {
  instrument: 'musical instrument',
  pet: 'animal',
  hobby: 'activity',
  clothes: 'clothing',
  occupation: 'person',
  job: 'person',
  profession: 'person',
  course: 'activity',
  sport: 'activity',
};

function anchorsOf(text: string, question: AskedQuestion, { tagger, lexicon }: LanguageResources): number[] {
  return tagger(text)
    .filter((word) => {
      const lemma = lemmaOf(word.lower, lexicon);
      return question.terms.some((term) => term === lemma || lexicon.nearness(term, lemma) >= 0.6);
    })
    .map((word) => word.start);
}
