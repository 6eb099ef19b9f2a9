import { lemmaOf } from '../language/lemmas.js';
import type { Lexicon } from '../language/lexicon.js';
import type { Word } from '../language/tagger.js';
import { isStopWord } from '../language/terms.js';
import type { NameMention } from './names.js';

/** Something that was mentioned, to which a later pronoun may point. */
export interface Mention {
  /** As it reads in a statement: "Ann's sister", "the old boat". */
  readonly text: string;
  readonly kind: 'person' | 'thing';
  readonly gender: 'm' | 'f' | null;
  /** A name, which a personal pronoun means rather than a common noun. */
  readonly isName: boolean;
  /** He or she may be said of it: a person, a beast or a vessel. */
  readonly isAnimate: boolean;
  readonly isPlural: boolean;
  /** A thing that can be touched: what "it" means sooner than a piece of news. */
  readonly isConcrete: boolean;
  readonly turnId: string;
  /** Index of the turn in its batch. */
  readonly turn: number;
  /** It opened its clause: most likely what the clause is about. */
  readonly isSubject: boolean;
}

const MALE =
  /^(?:mr|sir|father|dad|brother|uncle|son|nephew|grandad|granddad|grandfather|grandpa|husband|boyfriend|man|boy|lad|fellow|chap|king)\b|\b(?:brother|son|son-in-law|brother-in-law|husband|father|dad|uncle|nephew|grandad|man|boy|lad|fellow)$/i;
const FEMALE =
  /^(?:mrs|ms|miss|lady|aunt|auntie|mother|mum|sister|daughter|niece|gran|grandmother|wife|girlfriend|woman|girl|lass)\b|\b(?:sister|daughter|daughter-in-law|sister-in-law|wife|mother|mum|aunt|niece|gran|woman|girl|lady)$/i;
const OPENERS = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'his', 'her', 'their', 'this', 'that']);
const MAX_PHRASE_WORDS = 4;
/** A pronoun reaches back over at most this many turns. */
const REACH_TURNS = { he: 3, she: 3, it: 2, they: 1 } as const;

function genderOf(text: string): Mention['gender'] {
  return MALE.test(text) ? 'm' : FEMALE.test(text) ? 'f' : null;
}

/** The noun phrases with a determiner or possessive, and the names, of one sentence whose voices are already named. */
export function mentionsOf(
  words: readonly Word[],
  sentence: string,
  names: readonly NameMention[],
  lexicon: Lexicon,
  place: { turnId: string; turn: number },
): Mention[] {
  const found: { start: number; mention: Mention }[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const opener = words[i];
    if (opener === undefined || !(OPENERS.has(opener.lower) || /['’]s$/.test(opener.lower))) continue;
    if (/^(?:this|that)$/.test(opener.lower) && words[i + 1]?.tags.has('Verb') === true) continue;
    if (/^(?:this|that)$/.test(opener.lower) && /^\p{Lu}/u.test(words[i + 1]?.text ?? '')) continue;
    const end = phraseEnd(words, i + 1, sentence, lexicon);
    const head = words[end - 1];
    if (end <= i + 1 || head === undefined) continue;
    const noun = lemmaOf(head.lower.replace(/['’]s$/, ''), lexicon);
    const text = sentence.slice(opener.start, head.end).replace(/['’]s$/, '');
    const kind = lexicon.isA(noun, 'person', 1, 1) ? 'person' : 'thing';
    found.push({
      start: opener.start,
      mention: {
        text: text.replace(/^(?:a|an|this|that) /i, 'the ').replace(/^The /, 'the '),
        kind,
        gender: genderOf(text),
        isName: false,
        isConcrete: lexicon.isA(noun, 'physical object', 1, 2),
        isAnimate: kind === 'person' || ['animal', 'vehicle'].some((category) => lexicon.isA(noun, category, 1, 1)),
        isPlural: head.tags.has('Plural'),
        isSubject: i === 0,
        ...place,
      },
    });
  }
  for (const { name, start, looksLikePerson } of names) {
    if (found.some((other) => other.start <= start && start < other.start + other.mention.text.length)) continue;
    found.push({
      start,
      mention: {
        text: name,
        kind: looksLikePerson ? 'person' : 'thing',
        gender: genderOf(name),
        isName: true,
        isConcrete: false,
        isAnimate: true,
        isPlural: false,
        isSubject: start === 0,
        ...place,
      },
    });
  }
  return found.sort((a, b) => a.start - b.start).map(({ mention }) => mention);
}

function phraseEnd(words: readonly Word[], from: number, sentence: string, lexicon: Lexicon): number {
  let end = from;
  for (let i = from; i < words.length && i < from + MAX_PHRASE_WORDS; i += 1) {
    const word = words[i];
    const previous = words[i - 1];
    if (word === undefined || previous === undefined) break;
    if (/[^\s-]/.test(sentence.slice(previous.end, word.start)) || isStopWord(word.lower)) break;
    const isNoun = lexicon.knows(word.lower.replace(/['’]s$/, ''), 'noun') || word.tags.has('Noun');
    const isVerbHere = word.tags.has('Verb') && i > from && end === i;
    if (isVerbHere || !(isNoun || lexicon.knows(word.lower, 'adj') || word.tags.has('Adjective'))) break;
    if (isNoun) end = i + 1;
    if (/['’]s$/.test(word.lower) && i > from) break;
  }
  return end;
}

/** What a third-person pronoun points to, or null: the subject of the nearest earlier clause first, then the nearest mention that agrees. */
export function resolvePronoun(
  pronoun: keyof typeof REACH_TURNS,
  earlier: readonly Mention[],
  turn: number,
  exclude: readonly string[],
): Mention | null {
  const isPersonal = pronoun === 'he' || pronoun === 'she';
  const gender = pronoun === 'he' ? 'm' : 'f';
  const agrees = (mention: Mention): boolean => {
    if (exclude.includes(mention.text)) return false;
    if (pronoun === 'they') return mention.isPlural;
    if (mention.isPlural) return false;
    if (!isPersonal) return mention.kind === 'thing';
    return mention.isAnimate && (mention.gender === null || mention.gender === gender);
  };
  const near = earlier.filter((mention) => turn - mention.turn <= REACH_TURNS[pronoun] && agrees(mention));
  const here = near.filter((mention) => mention.turn === turn);
  const persons = (mentions: readonly Mention[]) =>
    isPersonal ? mentions.filter((mention) => mention.kind === 'person') : mentions;
  const names = (mentions: readonly Mention[]) => (isPersonal ? mentions.filter((mention) => mention.isName) : []);
  const concrete = (mentions: readonly Mention[]) =>
    pronoun === 'it' ? mentions.filter((mention) => mention.isConcrete) : [];
  return (
    latest(persons(here).filter((mention) => isPersonal || pronoun !== 'it' || mention.isConcrete)) ??
    latest(names(here)) ??
    latest(here) ??
    latest(concrete(near)) ??
    latest(isPersonal ? persons(near) : []) ??
    latest(names(near)) ??
    (isPersonal ? null : latest(near))
  );
}

function latest(mentions: readonly Mention[]): Mention | null {
  const last = mentions.at(-1);
  if (last === undefined) return null;
  const sameTurn = mentions.filter((mention) => mention.turn === last.turn);
  return sameTurn.findLast((mention) => mention.isSubject) ?? last;
}
