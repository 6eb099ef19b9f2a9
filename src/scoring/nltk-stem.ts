/**
 * NLTK's Porter stemmer in its default mode (`NLTK_EXTENSIONS`): M. F. Porter, "An algorithm for suffix stripping", Program 14.3 (1980),
 * with NLTK's changes. LoCoMo's F1 counts these stems, and no package for JavaScript gives them (docs/decisions/stemming.md).
 */

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['innings', 'inning'],
  ['inning', 'inning'],
  ['outings', 'outing'],
  ['outing', 'outing'],
  ['cannings', 'canning'],
  ['canning', 'canning'],
  ['howe', 'howe'],
  ['proceed', 'proceed'],
  ['exceed', 'exceed'],
  ['succeed', 'succeed'],
]);

/** A suffix, what replaces it, and what the stem before it must be for that. */
type Rule = readonly [suffix: string, replacement: string, holds?: (stem: string, word: string) => boolean];

/** @param word in any case; it is lower-cased first, as NLTK does. */
export function nltkStem(word: string): string {
  const lower = word.toLowerCase();
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  if ([...lower].length <= 2) return lower;
  return step5b(step5a(step4(step3(step2(step1c(step1b(step1a(lower))))))));
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index];
  if (letter === undefined || 'aeiou'.includes(letter)) return false;
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1);
}

/** Porter's m: how often a vowel run is followed by a consonant run. */
function measure(stem: string): number {
  let count = 0;
  let afterVowel = false;
  for (let index = 0; index < stem.length; index += 1) {
    const consonant = isConsonant(stem, index);
    if (consonant && afterVowel) count += 1;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let index = 0; index < stem.length; index += 1) if (!isConsonant(stem, index)) return true;
  return false;
}

function endsWithDoubleConsonant(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);
}

/** Consonant, vowel, consonant other than w, x, y; NLTK adds the two-letter vowel, consonant. */
function endsInCvc(word: string): boolean {
  const last = word.length - 1;
  if (word.length === 2) return !isConsonant(word, 0) && isConsonant(word, 1);
  if (word.length < 3) return false;
  const shape = isConsonant(word, last - 2) && !isConsonant(word, last - 1) && isConsonant(word, last);
  return shape && !'wxy'.includes(word[last] as string);
}

const isMeasured = (stem: string): boolean => measure(stem) > 0;
const isLong = (stem: string): boolean => measure(stem) > 1;

/** The first rule whose suffix fits decides, also where its condition fails. */
function applyFirst(word: string, rules: readonly Rule[]): string {
  for (const [suffix, replacement, holds] of rules) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, word.length - suffix.length);
    return holds === undefined || holds(stem, word) ? stem + replacement : word;
  }
  return word;
}

function step1a(word: string): string {
  if (word.endsWith('ies') && word.length === 4) return word.slice(0, -1);
  return applyFirst(word, [
    ['sses', 'ss'],
    ['ies', 'i'],
    ['ss', 'ss'],
    ['s', ''],
  ]);
}

function step1b(word: string): string {
  if (word.endsWith('ied')) return word.length === 4 ? word.slice(0, -1) : word.slice(0, -2);
  if (word.endsWith('eed')) return isMeasured(word.slice(0, -3)) ? word.slice(0, -1) : word;
  for (const suffix of ['ed', 'ing']) {
    const stem = word.slice(0, word.length - suffix.length);
    if (word.endsWith(suffix) && hasVowel(stem)) return mendAfterStep1b(stem);
  }
  return word;
}

function mendAfterStep1b(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsWithDoubleConsonant(stem)) return 'lsz'.includes(stem.at(-1) as string) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsInCvc(stem) ? `${stem}e` : stem;
}

function step1c(word: string): string {
  return applyFirst(word, [['y', 'i', (stem) => stem.length > 1 && isConsonant(stem, stem.length - 1)]]);
}

const STEP_2: readonly Rule[] = [
  ['ational', 'ate', isMeasured],
  ['tional', 'tion', isMeasured],
  ['enci', 'ence', isMeasured],
  ['anci', 'ance', isMeasured],
  ['izer', 'ize', isMeasured],
  ['bli', 'ble', isMeasured],
  ['alli', 'al', isMeasured],
  ['entli', 'ent', isMeasured],
  ['eli', 'e', isMeasured],
  ['ousli', 'ous', isMeasured],
  ['ization', 'ize', isMeasured],
  ['ation', 'ate', isMeasured],
  ['ator', 'ate', isMeasured],
  ['alism', 'al', isMeasured],
  ['iveness', 'ive', isMeasured],
  ['fulness', 'ful', isMeasured],
  ['ousness', 'ous', isMeasured],
  ['aliti', 'al', isMeasured],
  ['iviti', 'ive', isMeasured],
  ['biliti', 'ble', isMeasured],
  ['fulli', 'ful', isMeasured],
  ['logi', 'log', (_stem, word) => isMeasured(word.slice(0, -3))],
];

function step2(word: string): string {
  if (word.endsWith('alli') && isMeasured(word.slice(0, -4))) return step2(word.slice(0, -2));
  return applyFirst(word, STEP_2);
}

const STEP_3: readonly Rule[] = [
  ['icate', 'ic', isMeasured],
  ['ative', '', isMeasured],
  ['alize', 'al', isMeasured],
  ['iciti', 'ic', isMeasured],
  ['ical', 'ic', isMeasured],
  ['ful', '', isMeasured],
  ['ness', '', isMeasured],
];

const step3 = (word: string): string => applyFirst(word, STEP_3);

const STEP_4: readonly Rule[] = [
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent'].map(
    (s): Rule => [s, '', isLong],
  ),
  ['ion', '', (stem) => isLong(stem) && /[st]$/.test(stem)],
  ...['ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'].map((s): Rule => [s, '', isLong]),
];

const step4 = (word: string): string => applyFirst(word, STEP_4);

function step5a(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const size = measure(stem);
  return size > 1 || (size === 1 && !endsInCvc(stem)) ? stem : word;
}

function step5b(word: string): string {
  return word.endsWith('ll') && isLong(word.slice(0, -1)) ? word.slice(0, -1) : word;
}
