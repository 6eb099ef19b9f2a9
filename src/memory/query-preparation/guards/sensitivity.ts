import { SENSITIVITIES, type Sensitivity } from '../../../fixture/history.js';
import { shownText } from './shown-text.js';

/** What a text is found to be, and by what. */
export interface Classification {
  readonly sensitivity: Sensitivity;
  readonly what: string;
}

/** Whether text of a sensitivity is eligible: public and internal alone (SQ-7). */
export function mayLeave(sensitivity: Sensitivity): boolean {
  return sensitivity === 'public' || sensitivity === 'internal';
}

/** The higher of two sensitivities: a floor is never lowered by what is found (SQ-6). */
export function highest(a: Sensitivity, b: Sensitivity): Sensitivity {
  return SENSITIVITIES.indexOf(a) >= SENSITIVITIES.indexOf(b) ? a : b;
}

const RESTRICTED: readonly (readonly [what: string, holds: (text: string) => boolean])[] = [
  ['payment card number', (text) => matchesOf(text, /\b\d(?:[ -]?\d){12,18}\b/g).some(isCardNumber)],
  ['bank account number', holdsAccountNumber],
  // Areas, groups and serials that are never given out are left out (https://www.ssa.gov/employer/randomization.html).
  ['social security number', (text) => /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/.test(text)],
];

/** Finds what is restricted whoever says it: numbers of payment cards, bank accounts and persons, by their checks. Null: nothing is found. */
export function classify(text: string): Classification | null {
  const shown = shownText(text).replaceAll(/\p{Pd}/gu, '-');
  const found = RESTRICTED.find(([, holds]) => holds(shown));
  return found === undefined ? null : { sensitivity: 'restricted', what: found[0] };
}

/** An account number may be followed by other words in capitals: each length of it, by groups, is looked at. */
function holdsAccountNumber(text: string): boolean {
  const grouped = [...text.matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g)].flatMap(([match]) => {
    const groups = match.split(' ');
    return groups.map((_, last) => groups.slice(0, last + 1).join(''));
  });
  const written = matchesOf(text, /\b[a-z]{2}\d{2}[a-z0-9]{11,30}\b/gi);
  return [...grouped, ...written].some((account) => account.length >= 15 && isAccountNumber(account));
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match.replaceAll(/[ -]/g, ''));
}

/** Luhn's check (ISO/IEC 7812-1). */
function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The check of an IBAN (ISO 13616). */
function isAccountNumber(account: string): boolean {
  const digits = [...`${account.slice(4)}${account.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}
