import { showDate } from '../language/calendar.js';
import { type DateMention, findDates } from '../language/dates.js';
import { weekdayIn } from './measures.js';
import type { RankedSentence } from './relevance.js';

const RECURRING =
  /\b(?:every \w+day|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?:s| (?:morning|afternoon|evening|night)s))\b/i;

/** The date that a sentence tells, as `7 May 2024`; null where it tells none. A gloss in parentheses behind a relative date is the same date. */
export function dateAnswer({ sentence }: RankedSentence, question: string): string | null {
  const mentions = findDates(
    sentence.text.replace(/\((\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{4}|\d{4})\)/g, (whole) => whole),
    sentence.at || '0000-01-01',
  );
  const glossed = /\((\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{4}|\d{4})\)/.exec(sentence.text)?.[1];
  if (glossed !== undefined) return wanted(glossed, question);
  const best = finest(mentions);
  const recurring =
    RECURRING.exec(sentence.text) !== null && !/\bdate\b/i.test(question) ? weekdayIn(sentence.text) : null;
  if (best === null) return recurring;
  return wanted(showDate(best.value), question);
}

function finest(mentions: readonly DateMention[]): DateMention | null {
  return [...mentions].sort((a, b) => b.value.length - a.value.length || b.start - a.start)[0] ?? null;
}

/** "In what month and year" wants no day; "what year" no month. */
function wanted(date: string, question: string): string {
  const parts = date.split(' ');
  if (/\b(?:what|which) year\b/i.test(question)) return parts.at(-1) ?? date;
  if (/\bmonth\b/i.test(question) && parts.length === 3) return parts.slice(1).join(' ');
  return date;
}

const PAST_EVENT = /\b(?:did|was|were|had)\b/i;

/** The day of the line itself, for an event that the line reports without a date; null where the question asks of no past event. */
export function lineDate({ sentence }: RankedSentence, question: string): string | null {
  if (!PAST_EVENT.test(question) || sentence.at === '') return null;
  return wanted(showDate(sentence.at.slice(0, 10)), question);
}
