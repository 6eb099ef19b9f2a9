import type { Lexicon } from '../language/lexicon.js';
import { parseNumber } from '../language/numbers.js';
import { contentLemmas, plainWords } from '../language/terms.js';
import type { Draft } from './draft.js';
import type { KnownBelief } from './request.js';

/** Attributes of which a subject has one value at a time: verbs that tell them, and dictionary categories of the nouns that do. */
const FAMILIES: Readonly<Record<string, { readonly words: readonly string[]; readonly kinds: readonly string[] }>> = {
  residence: {
    words: ['live', 'rent', 'lodge', 'reside', 'address', 'flat', 'house', 'home'],
    kinds: ['housing', 'dwelling', 'apartment'],
  },
  work: { words: ['work', 'job', 'employ', 'career'], kinds: ['workplace', 'employment'] },
  music: { words: ['instrument'], kinds: ['musical instrument'] },
  vehicle: { words: ['drive'], kinds: ['wheeled vehicle'] },
  travel: { words: ['travel', 'visit', 'holiday'], kinds: ['journey', 'vacation'] },
  meeting: {
    words: ['meet', 'rehearse', 'practise', 'session'],
    kinds: ['meeting', 'rehearsal', 'session'],
  },
  medicine: { words: ['dose', 'prescribe'], kinds: ['medicine', 'medication', 'dosage'] },
  wedding: { words: ['wedding', 'marry'], kinds: [] },
  study: { words: ['study', 'enrol', 'course'], kinds: ['school', 'course of study'] },
  leader: { words: ['lead', 'boss'], kinds: ['leader'] },
  price: { words: ['cost', 'price', 'fee', 'rent', 'charge'], kinds: [] },
};

/** The speaker ends something: a belief of the same subject about the same thing is over. */
const ENDING =
  /\b(?:no longer|any ?more|(?<!(?:nearly|almost) )dropped|gave up|given up|gone off|sold|sold up|(?<!the )left(?! one)|stopped|quit|got rid of|cancelled|canceled|called off|moved out|packed in|goes? to|has gone to)\b|['’]s off\b(?! to)|\bis off\b(?! to)|\boff the\b/i;
/** The speaker puts something in the place of something. */
const REPLACING =
  /\b(?:instead|rather than|moved|switched|swapped|changed|shifted|replaced|goes to|now|from (?:next|this) (?:week|month|year)|from (?:January|February|March|April|May|June|July|August|September|October|November|December))\b/i;
const MAX_RETIRED = 2;
const TRIVIAL =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|week|month|year|day|morning|afternoon|evening|night|today|yesterday|tomorrow|next|last|time|first|new|old|little|big|great|good|take|put|change|move|leave|drop|other|else|nothing|something|everything|ask|answer|say|tell|think|make|start|come|see|know|want|need|half|work|play|people|man|woman|away|back|home|off|up|out|still|now)$/;

/**
 * The references that a new statement retires (ST-2). It must carry a cue of change. An ending retires what the same subject said of the
 * same thing; a replacement retires what is told of the same subject and the same family of attributes, or of two things that both share.
 * Rather none than a wrong one: at most two, and never a later belief.
 */
export function supersededBy(draft: Draft, known: readonly KnownBelief[], lexicon: Lexicon): string[] {
  const ends = ENDING.test(draft.statement);
  const replaces = REPLACING.test(draft.statement);
  if (!ends && !replaces) return [];
  const scored = known
    .filter((belief) => belief.statement !== draft.statement && (belief.observed_at ?? '') <= draft.observedAt)
    .map((belief) => ({ ref: belief.ref, score: score(draft, belief, { ends, replaces }, lexicon) }))
    .filter((candidate) => candidate.score > 0)
    .sort((a, b) => b.score - a.score || (a.ref < b.ref ? -1 : 1));
  const best = scored[0]?.score ?? 0;
  return scored
    .filter((candidate) => candidate.score >= best * 0.8)
    .slice(0, MAX_RETIRED)
    .map((candidate) => candidate.ref);
}

interface Topic {
  readonly nouns: ReadonlySet<string>;
  readonly size: number;
  readonly families: ReadonlySet<string>;
}

function topicOf(statement: string, subjects: readonly string[], lexicon: Lexicon): Topic {
  const names = new Set(subjects.flatMap((subject) => plainWords(subject)));
  const lemmas = [...new Set(contentLemmas(statement, lexicon))].filter((lemma) => !names.has(lemma));
  const nouns = lemmas.filter(
    (lemma) =>
      !TRIVIAL.test(lemma) &&
      parseNumber(lemma) === null &&
      (lexicon.knows(lemma, 'noun') || !lexicon.knows(lemma, 'verb')),
  );
  const families = Object.entries(FAMILIES).filter(([, { words, kinds }]) =>
    lemmas.some((lemma) => words.includes(lemma) || kinds.some((kind) => lexicon.isA(lemma, kind, 2, 2))),
  );
  return { nouns: new Set(nouns), size: lemmas.length, families: new Set(families.map(([family]) => family)) };
}

function score(draft: Draft, belief: KnownBelief, cue: { ends: boolean; replaces: boolean }, lexicon: Lexicon): number {
  // Only the names that both are about say nothing of the matter itself.
  const common = belief.subjects.filter((subject) => draft.subjects.includes(subject));
  const mine = topicOf(draft.statement, common, lexicon);
  const theirs = topicOf(belief.statement, common, lexicon);
  const sharedNouns = [...mine.nouns].filter((noun) => theirs.nouns.has(noun));
  const shared = sharedNouns.length;
  // A word that the dictionary lacks is a name, and points to one thing.
  const weight = sharedNouns.reduce((sum, noun) => sum + (lexicon.knows(noun, 'noun') ? 1 : 1.5), 0);
  const sharesSubject = common.length > 0;
  const family = [...mine.families].some((name) => theirs.families.has(name));
  const density = weight / Math.max(3, Math.min(mine.size, theirs.size));
  if (cue.ends && sharesSubject && shared >= 1 && (family || density >= 0.3)) return 1 + density + (family ? 0.5 : 0);
  if (cue.replaces && family && sharesSubject && shared >= 1) return 1 + density;
  if (cue.replaces && shared >= 2 && (family || (sharesSubject && density >= 0.4))) return 0.8 + density;
  return 0;
}
