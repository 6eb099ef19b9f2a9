import { NUMBER_PATTERN, parseNumber } from '../language/numbers.js';

const MONEY = new RegExp(
  `[£$€]\\s?\\d+(?:,\\d{3})*(?:\\.\\d+)?(?: ?(?:k|m|million|thousand))?|\\b${NUMBER_PATTERN}(?: (?:hundred|thousand|million))?(?: and ${NUMBER_PATTERN})? (?:pounds?|dollars?|euros?|quid|pence|cents?|francs?|kronor|kroner|yen|p)\\b`,
  'i',
);
const DURATION = new RegExp(
  `\\b(?:about |nearly |almost |over )?(?:${NUMBER_PATTERN}|an?|half an?|a few)(?: and a half)? (?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|years?|decades?)\\b`,
  'i',
);
const CLOCK =
  /\b(?:half (?:past )?\w+|quarter (?:past|to) \w+|\d{1,2}(?::\d{2})? ?(?:am|pm|o['’]clock)|\w+ o['’]clock|(?:at|by|until|till) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)(?: in the (?:morning|afternoon|evening)| at night)?)\b/i;
const WEEKDAY = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?: (?:morning|afternoon|evening|night)s?)?/;

/** The first amount of money in a text. */
export function moneyIn(text: string): string | null {
  return MONEY.exec(text)?.[0] ?? null;
}

/** The value of an amount and its unit ("35 pounds"); null where it cannot be read. */
export function amountOf(money: string): { value: number; unit: string } | null {
  const digits = /\d[\d,]*(?:\.\d+)?/.exec(money)?.[0];
  const value = digits === undefined ? parseNumber(money.split(' ')[0] ?? '') : Number(digits.replaceAll(',', ''));
  if (value === null) return null;
  const unit = /^[£$€]/.exec(money)?.[0] ?? / ([a-z]+)$/i.exec(money)?.[1] ?? '';
  return { value, unit };
}

export function durationIn(text: string): string | null {
  return DURATION.exec(text)?.[0] ?? null;
}

export function clockIn(text: string): string | null {
  return CLOCK.exec(text)?.[0].replace(/^(?:at|by|until|till) /i, '') ?? null;
}

export function weekdayIn(text: string): string | null {
  return WEEKDAY.exec(text)?.[0] ?? null;
}

/** The number that counts a noun ("eighteen" of "eighteen tomatoes"), else the first number. */
export function countIn(text: string, nounPattern: RegExp | null): string | null {
  if (nounPattern !== null) {
    const counted = new RegExp(`\\b(${NUMBER_PATTERN})(?: [a-z-]+)? (?=${nounPattern.source})`, 'i').exec(text);
    if (counted?.[0] !== undefined) return counted[1] ?? null;
  }
  return new RegExp(`\\b(?:${NUMBER_PATTERN}|once|twice)\\b`, 'i').exec(text)?.[0] ?? null;
}
