const UNITS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = (
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
  'fifteenth sixteenth seventeenth eighteenth nineteenth'
).split(' ');

const unitWords = UNITS.slice(1).join('|');
/** Source of a pattern for a whole number in digits or words, up to ninety-nine in words, with `a`/`an`/`couple` left out. */
export const NUMBER_PATTERN = `(?:\\d+(?:,\\d{3})*(?:\\.\\d+)?|(?:${TENS.join('|')})(?:[- ](?:${UNITS.slice(1, 10).join('|')}))?|${unitWords})`;
/** Source of a pattern for an ordinal day: `3rd`, `third`, `twenty-first`. */
export const ORDINAL_PATTERN = `(?:\\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[- ](?:${ORDINALS.slice(1, 10).join('|')})|twentieth|thirtieth|${ORDINALS.slice(1).join('|')})`;

/** The value of a number in digits or words (`1,430`, `twenty-one`); null for anything else. */
export function parseNumber(text: string): number | null {
  const word = text.toLowerCase().trim();
  if (/^\d[\d,]*(\.\d+)?$/.test(word)) return Number(word.replaceAll(',', ''));
  const [first = '', second] = word.split(/[- ]/);
  const tens = TENS.indexOf(first);
  const unit = UNITS.indexOf(second ?? first);
  if (tens >= 0) return (tens + 2) * 10 + (second === undefined ? 0 : Math.max(unit, 0));
  return second === undefined && unit >= 0 ? unit : null;
}

/** The value of an ordinal (`21st`, `twenty-first`); null for anything else. */
export function parseOrdinal(text: string): number | null {
  const word = text.toLowerCase().trim();
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word);
  if (digits !== null) return Number(digits[1]);
  if (word === 'twentieth') return 20;
  if (word === 'thirtieth') return 30;
  const [first = '', second] = word.split(/[- ]/);
  const ordinal = ORDINALS.indexOf(second ?? first);
  if (ordinal < 0) return null;
  return second === undefined ? ordinal : (TENS.indexOf(first) + 2) * 10 + ordinal;
}
