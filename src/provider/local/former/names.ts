import { MONTHS, WEEKDAYS } from '../language/calendar.js';
import type { Lexicon } from '../language/lexicon.js';
import { isStopWord } from '../language/terms.js';

/** A capitalised name in a sentence. */
export interface NameMention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** A kinship or role noun right before it ("my sister Una" gives `sister`); null otherwise. */
  readonly kin: string | null;
  /** Whose kin, as written before the noun ("my", "Tom's"); null otherwise. */
  readonly kinOf: string | null;
  readonly looksLikePerson: boolean;
}

const HONORIFIC = '(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Lady|Father|Sister|Aunt|Auntie|Uncle|Captain|Nurse|Rev)\\.?';
const NAME = new RegExp(
  `\\b(?:${HONORIFIC} )?\\p{Lu}[\\p{Ll}\\p{M}]+(?:[-'’]\\p{Lu}[\\p{Ll}\\p{M}]+)*(?:['’]s(?= \\p{Lu}[\\p{Ll}]+\\b))?(?: \\p{Lu}[\\p{Ll}\\p{M}]+(?:['’]s(?= \\p{Lu}))?)*(?!['’](?:t|ll|m|re|d|ve)\\b)\\b`,
  'gu',
);
const CALENDAR = new Set<string>([...MONTHS, ...WEEKDAYS, ...WEEKDAYS.map((day) => `${day}s`)]);
const KIN =
  'sister|brother|mother|father|mum|mom|dad|son|daughter|niece|nephew|aunt|auntie|uncle|cousin|gran|granny|nan|grandmother|grandfather|grandad|granddad|grandpa|' +
  'wife|husband|partner|fiancé|fiancée|fiance|fiancee|girlfriend|boyfriend|sister-in-law|brother-in-law|son-in-law|daughter-in-law|friend|neighbour|neighbor|' +
  'boss|manager|colleague|teacher|tutor|coach|landlord|landlady|doctor|dentist|lodger|flatmate|roommate|stepson|stepdaughter|stepmother|stepfather|godson|goddaughter';
const KIN_BEFORE = new RegExp(
  `(?:\\b(my|our|his|her|your|their|the|[\\p{Lu}][\\p{Ll}]+['’]s)\\s+)?(?:(?!(?:my|our|his|her|your|their|the|a|an) )[a-z]+ )?\\b(${KIN}),? (?:is |called |named )?$`,
  'iu',
);
const KIN_NAME = new RegExp(`^(?:${KIN})$`, 'i');
const PERSON_HONORIFIC = new RegExp(`^${HONORIFIC} `, 'u');

/** The names of a sentence, in order. A capital at its start counts only where `known` or the dictionary's silence says that it is a name. */
export function findNames(sentence: string, lexicon: Lexicon, known: ReadonlySet<string>): NameMention[] {
  const mentions: NameMention[] = [];
  for (const match of sentence.matchAll(NAME)) {
    const trimmed = trimStart(match[0], match.index, sentence, lexicon, known);
    if (trimmed === null) continue;
    const { name, start } = trimmed;
    const before = sentence.slice(0, start);
    const kin = KIN_BEFORE.exec(before);
    mentions.push({
      name,
      start,
      end: start + name.length,
      kin: kin?.[2]?.toLowerCase() ?? null,
      kinOf: kin?.[1] ?? null,
      looksLikePerson: looksLikePerson(name, before, sentence.slice(start + name.length), lexicon, known, kin !== null),
    });
  }
  return mentions;
}

function trimStart(
  found: string,
  at: number,
  sentence: string,
  lexicon: Lexicon,
  known: ReadonlySet<string>,
): { name: string; start: number } | null {
  let name = found;
  let start = at;
  for (;;) {
    const [first = ''] = name.split(' ');
    const opensSentence =
      /^[\s"'“‘(]*$/.test(sentence.slice(0, start)) || /[.!?:]["'”’]? ["'“‘(]*$/.test(sentence.slice(0, start));
    const isOrdinary =
      isStopWord(first.toLowerCase()) ||
      CALENDAR.has(first) ||
      (opensSentence &&
        !isLikelyName(first, lexicon, known) &&
        !PERSON_HONORIFIC.test(`${name} `.slice(0, first.length + 1)));
    if (!isOrdinary) break;
    if (name === first) return null;
    start += first.length + 1;
    name = name.slice(first.length + 1);
  }
  return CALENDAR.has(name) || KIN_NAME.test(name) || new RegExp(`^${HONORIFIC}$`, 'u').test(name)
    ? null
    : { name, start };
}

function isLikelyName(word: string, lexicon: Lexicon, known: ReadonlySet<string>): boolean {
  if (known.has(word)) return true;
  const lower = word.toLowerCase();
  return (
    !(['noun', 'verb', 'adj', 'adv'] as const).some((part) => lexicon.knows(lower, part)) &&
    !/(?:ly|ing|ed|s)$/.test(lower) &&
    lower.length > 2 &&
    !/^(?:ugh|huh|hmm|aye|nope|yep|hooray|hurrah|yay|wow|hello|hiya|thanks|anyway|everyone|everybody|nobody|somebody|something|nothing|anyone|whatever|whoever|maybe|perhaps|although|though|because|since|until|unless|while|whenever|morning|cheers|without|inside|outside|behind|besides|except|despite|during)$/.test(
      lower,
    )
  );
}

function looksLikePerson(
  name: string,
  before: string,
  after: string,
  lexicon: Lexicon,
  known: ReadonlySet<string>,
  hasKin: boolean,
): boolean {
  if (
    /\b(?:called|named|name is|ring|rang|told|tell|asked|ask|met|thank|thanked|married|marrying|marry) (?:him |her |it |them )?$/i.test(
      before,
    )
  )
    return true;
  if (hasKin || PERSON_HONORIFIC.test(name) || known.has(name)) return true;
  if (/\b(?:in|at|to|from|near|over in|via|through|the|of|on|round|by)\s+$/i.test(before)) return false;
  if (
    lexicon.isA(name.toLowerCase(), 'location', 1) ||
    /\b(?:Street|Lane|Road|Row|Hall|Town|School|Church|Park|Hospital|Hill|Bay|House|Inn|Avenue|Square)\b/.test(name)
  )
    return false;
  return /^(?:['’]s\b|['’]ll\b|['’](?:ll|d)\b|,? (?:has|had|will|can|says?|said|\w+ed|gave|got|took|came|went|made|rang|told|thinks|wants|knows|and\b))/.test(
    after,
  );
}
