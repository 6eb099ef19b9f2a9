import { isIrregularPast } from '../language/lemmas.js';
import type { Lexicon } from '../language/lexicon.js';

/** Who "I" and "you" are in a turn. `addressee` is null where it cannot be told. */
export interface Voices {
  readonly speaker: string;
  readonly addressee: string | null;
}

const ADVERB =
  /^(?:also|still|always|never|only|just|usually|often|really|already|even|now|finally|then|nearly|rather|quite|soon|once|almost|actually|really|probably|hardly|barely|mostly|mainly|simply|finally|recently|usually|normally|generally|definitely|honestly|clearly|certainly|regularly|rarely|apparently|fully)$/;
const MODALS = new Set(
  'will would shall should can could may might must was were did had is are has does used ought'.split(' '),
);
const IRREGULAR_S: Readonly<Record<string, string>> = {
  have: 'has',
  do: 'does',
  go: 'goes',
  am: 'is',
  "don't": "doesn't",
  "haven't": "hasn't",
  are: 'is',
  were: 'was',
  "aren't": "isn't",
  "weren't": "wasn't",
};
/** Auxiliaries before their subject in a question. */
const INVERTED: Readonly<Record<string, string>> = { are: 'is', do: 'does', have: 'has', were: 'was', am: 'is' };
const PLURAL_CONTRACTED: Readonly<Record<string, string>> = {
  "'re": ' are',
  "'ve": ' have',
  "'ll": ' will',
  "'d": ' would',
};
const CONTRACTED: Readonly<Record<string, string>> = { "'m": ' is', "'re": ' is', "'ve": ' has', "'ll": ' will' };

/**
 * A statement with its speaker and addressee named: "I'm at my desk" of Ann becomes "Ann is at Ann's desk"; verbs agree. "We" becomes the
 * speaker "and others". A "you" behind if, when or whenever is anybody, and stays.
 */
export function nameVoices(sentence: string, voices: Voices, lexicon: Lexicon): string {
  const pieces = sentence.split(/([\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*)/u);
  let agrees = false;
  let isGeneral = false;
  for (let i = 1; i < pieces.length; i += 2) {
    const piece = pieces[i] ?? '';
    const lower = piece.toLowerCase().replaceAll('’', "'");
    if (/^(?:if|when|whenever|unless|wherever)$/.test(lower)) isGeneral = true;
    const before = (pieces[i - 2] ?? '').toLowerCase();
    const isInverted = MODALS.has(before) || INVERTED[before] !== undefined;
    const isPlural = /^(?:you|us)$/.test(lower) && before === 'of';
    if (isPlural) continue;
    const named = nameWord(lower, voices, isGeneral, hasParticiple(pieces[i + 2]));
    if (named !== null) {
      pieces[i] = named.text;
      agrees = named.takesVerb && !isInverted;
      const agreed = named.takesVerb ? INVERTED[before] : undefined;
      if (agreed !== undefined)
        pieces[i - 2] = /^\p{Lu}/u.test(pieces[i - 2] ?? '')
          ? agreed.slice(0, 1).toUpperCase() + agreed.slice(1)
          : agreed;
      continue;
    }
    if (!agrees || ADVERB.test(lower)) continue;
    pieces[i] = thirdPerson(piece, lower, lexicon);
    agrees = false;
  }
  return pieces.join('');
}

interface Named {
  readonly text: string;
  /** The next verb must agree with a third person. */
  readonly takesVerb: boolean;
}

function nameWord(word: string, voices: Voices, isGeneral: boolean, beforeParticiple: boolean): Named | null {
  const { speaker, addressee } = voices;
  const [, pronoun = '', ending = ''] = /^(i|you|we)('(?:m|re|ve|ll|d))?$/.exec(word) ?? [];
  if (pronoun !== '') {
    const name = pronoun === 'i' ? speaker : pronoun === 'we' ? `${speaker} and others` : isGeneral ? null : addressee;
    if (name === null) return null;
    if (ending === '') return { text: name, takesVerb: pronoun !== 'we' };
    if (pronoun === 'we') return { text: name + (PLURAL_CONTRACTED[ending] ?? ''), takesVerb: false };
    return { text: name + (CONTRACTED[ending] ?? (beforeParticiple ? ' had' : ' would')), takesVerb: false };
  }
  if (/^(?:my|mine)$/.test(word)) return { text: `${speaker}'s`, takesVerb: false };
  if (/^(?:our|ours)$/.test(word)) return { text: `${speaker}'s`, takesVerb: false };
  if (/^(?:me|myself)$/.test(word)) return { text: speaker, takesVerb: false };
  if (/^(?:us|ourselves)$/.test(word)) return { text: `${speaker} and others`, takesVerb: false };
  if (addressee !== null && !isGeneral && /^(?:your|yours)$/.test(word))
    return { text: `${addressee}'s`, takesVerb: false };
  if (addressee !== null && !isGeneral && word === 'yourself') return { text: addressee, takesVerb: false };
  return null;
}

function hasParticiple(next: string | undefined): boolean {
  const word = next?.toLowerCase() ?? '';
  return (
    word === 'been' ||
    (isIrregularPast(word) && !/^(?:put|let|set|cut|come|run|become|read)$/.test(word)) ||
    (word.length > 4 && word.endsWith('ed'))
  );
}

function thirdPerson(verb: string, lower: string, lexicon: Lexicon): string {
  const irregular = IRREGULAR_S[lower];
  if (irregular !== undefined) return irregular;
  if (MODALS.has(lower) || isIrregularPast(lower) || /(?:[^e]ed|ing|n't)$/.test(lower) || !lexicon.knows(lower, 'verb'))
    return verb;
  if (/(?:s|sh|ch|x|z|o)$/.test(lower)) return `${verb}es`;
  return /[^aeiou]y$/.test(lower) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}
