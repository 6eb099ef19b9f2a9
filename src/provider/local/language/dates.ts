import { dayNumber, isoDay, MONTHS, pad, parseDay, shiftMonth, WEEKDAYS, weekdayOf } from './calendar.js';
import { isIrregularPast } from './lemmas.js';
import { NUMBER_PATTERN, ORDINAL_PATTERN, parseNumber, parseOrdinal } from './numbers.js';

/** A date expression in a text, resolved against the time at which the text was said. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly value: string;
  /** True where the text alone would not give the value. */
  readonly relative: boolean;
}

interface Reference {
  readonly day: number;
  readonly year: number;
  readonly month: number;
  readonly isPast: boolean;
}

type Resolver = (match: RegExpExecArray, at: Reference) => string | null;

const monthNames = MONTHS.flatMap((name) => [name, name.slice(0, 3)]).join('|');
const MONTH = `(?<month>${monthNames}|Sept)\\.?`;
const WEEKDAY = `(?<weekday>${WEEKDAYS.join('|')})`;
const COUNT = `(?<count>${NUMBER_PATTERN}|an?|a couple of|a few)`;
const UNIT = '(?<unit>day|week|fortnight|month|year)s?';
const DAY = `(?<day>${ORDINAL_PATTERN}|\\d{1,2})`;
const SEASONS: Readonly<Record<string, number>> = { spring: 4, summer: 7, autumn: 10, winter: 1 };

/** In order: an earlier rule's match hides later ones that overlap it. */
const RULES: readonly (readonly [RegExp, Resolver])[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, (m) => checked(Number(m[1]), Number(m[2]), Number(m[3]))],
  [rule(`\\b(?:the )?${DAY}(?: of)? ${MONTH}\\b(?:,? (?<year>\\d{4}))?`), dayOfMonth],
  [rule(`\\b${MONTH} ${DAY}\\b(?:,? (?<year>\\d{4}))?`), dayOfMonth],
  [rule(`\\bthe ${DAY} of (?<which>next|this|last) month\\b`), dayOfNearMonth],
  [
    rule(
      `\\b(?:on|by|from|till|until|to|'s|is) the (?<day>${ORDINAL_PATTERN})(?![ -][a-z]*(?:floor|time|one|place|prize|row|house))\\b(?! [A-Za-z]+(?:ing|ed)?\\b(?<!\\b(?:so|and|but|at|to|till|until|with|for|in|of)))`,
    ),
    bareDay,
  ],
  [/\bthe day before yesterday\b/gi, (_, at) => isoDay(at.day - 2)],
  [/\bthe day after tomorrow\b/gi, (_, at) => isoDay(at.day + 2)],
  [/\b(?:yesterday|last night)\b/gi, (_, at) => isoDay(at.day - 1)],
  [/\btomorrow\b/gi, (_, at) => isoDay(at.day + 1)],
  [
    /\b(?:today|tonight|this (?:morning|afternoon|evening))\b(?<!(?:week|weeks|month|ago) today)/gi,
    (_, at) => isoDay(at.day),
  ],
  [rule(`\\b${COUNT} ${UNIT} ago(?: today)?\\b`), (m, at) => moved(m, at, -1)],
  [rule(`\\b(?:in )?${COUNT} (?<unit>week|fortnight)s? (?:today|from today|from now)\\b`), (m, at) => moved(m, at, 1)],
  [
    rule(
      `\\bin ${COUNT} ${UNIT}(?: time)?\\b|\\bin ${COUNT.replace('count', 'count2')} ${UNIT.replace('unit', 'unit2')}['’] time\\b`,
    ),
    (m, at) => (at.isPast ? null : moved(m, at, 1)),
  ],
  [
    rule(`\\b(?<count>${NUMBER_PATTERN}) years (?:ago )?this month\\b`),
    (m, at) => `${pad(at.year - (parseNumber(m.groups?.count ?? '') ?? 0), 4)}-${pad(at.month, 2)}`,
  ],
  [
    rule(
      `\\b(?<which>last|next|this|on|since|by|until|till|from)(?: coming| past)? ${WEEKDAY}(?!s)(?: (?<when>just gone|gone|coming))?(?! (?:morning|afternoon|evening|night)s)(?: (?:morning|afternoon|evening|night))?\\b(?!s)`,
    ),
    weekday,
  ],
  [rule(`\\b(?<which>last|next|this) (?<unit>month|year|week(?!end|day))\\b`), nearUnit],
  [
    rule(
      `\\b(?:in|since|from|until|till|by|for|of|last|next|this|early|late|mid) ${MONTH}\\b(?! \\d{1,2}\\b)(?: (?<year>\\d{4}))?`,
    ),
    monthOnly,
  ],
  [rule(`\\b(?<which>last|this|next|in the|since|the) (?<season>spring|summer|autumn|winter)\\b`), season],
  [/\b(?:in|since|until|till|by|from|during|of) ((?:19|20)\d{2})\b/g, (m) => m[1] ?? null],
];

/** The date expressions of a text, in order; overlapping ones keep the earlier rule's. `saidAt` is a civil time or date. */
export function findDates(text: string, saidAt: string): DateMention[] {
  const today = parseDay(saidAt);
  if (today === null) return [];
  const [year = 0, month = 1] = saidAt.split('-').map(Number);
  const found: DateMention[] = [];
  // What looks like a date and is none (31 February) hides its parts from later rules.
  const taken: { start: number; end: number }[] = [];
  for (const [pattern, resolve] of RULES) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (taken.some((other) => start < other.end && other.start < end)) continue;
      const at = { day: today, year, month, isPast: readsAsPast(text, start) };
      const value = resolve(match, at);
      taken.push({ start, end });
      if (value !== null) found.push({ start, end, text: match[0], value, relative: !hasYear(match[0]) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

const FUTURE =
  /\b(?:will|shall|going to|'ll|’ll|won't|am|is|are|'m|’m|'re|’re|wants?|need(?:s)?|by|from|till|until|starts?|planning|due)\b/i;

/** Whether a bare weekday or day there lies in the past: the nearest verb before it decides, then the first one after it. */
function readsAsPast(text: string, position: number): boolean {
  const clause =
    text
      .slice(0, position)
      .split(/[;.!?]\s|, (?=(?:and|so|but|I|we|it|he|she|they)\b)/i)
      .at(-1) ?? '';
  if (/\b(?:for|to|by|from|till|until)(?: the)?\s*$/i.test(clause)) return false;
  if (FUTURE.test(clause)) return /\b(?:was|were|had|did)\b/i.test(clause);
  if (hasPastVerb(clause)) return true;
  const after = text.slice(position);
  return hasPastVerb(after) && !FUTURE.test(after);
}

function hasPastVerb(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z']+/g) ?? [];
  return words.some((word) => isIrregularPast(word) || /^(?!shed$|bred$)[a-z]+(?:[^e]|[^aeiou]i)ed$/.test(word));
}

function rule(source: string): RegExp {
  return new RegExp(source, 'gi');
}

function hasYear(text: string): boolean {
  return /\b(?:19|20)\d{2}\b/.test(text);
}

function checked(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return isoDay(dayNumber(year, month, day)) === text ? text : null;
}

function monthIndex(name: string): number {
  const head = name.slice(0, 3).toLowerCase();
  return MONTHS.findIndex((month) => month.toLowerCase().startsWith(head)) + 1;
}

/** The year of a month without one: the same year, unless that lies more than half a year on the wrong side of the tense. */
function yearFor(month: number, at: Reference): number {
  if (at.isPast) return month > at.month ? at.year - 1 : at.year;
  return month < at.month ? at.year + 1 : at.year;
}

function dayOfMonth(m: RegExpExecArray, at: Reference): string | null {
  const month = monthIndex(m.groups?.month ?? '');
  const day = parseOrdinal(m.groups?.day ?? '') ?? 0;
  const year = m.groups?.year === undefined ? yearFor(month, at) : Number(m.groups.year);
  return checked(year, month, day);
}

function dayOfNearMonth(m: RegExpExecArray, at: Reference): string | null {
  const { year, month } = shiftMonth(at.year, at.month, step(m.groups?.which));
  return checked(year, month, parseOrdinal(m.groups?.day ?? '') ?? 0);
}

function bareDay(m: RegExpExecArray, at: Reference): string | null {
  const day = parseOrdinal(m.groups?.day ?? '') ?? 0;
  const here = checked(at.year, at.month, day);
  const isOnTheSide = here !== null && (at.isPast ? (parseDay(here) ?? 0) <= at.day : (parseDay(here) ?? 0) >= at.day);
  if (isOnTheSide) return here;
  const near = shiftMonth(at.year, at.month, at.isPast ? -1 : 1);
  return checked(near.year, near.month, day);
}

function step(which: string | undefined): number {
  const word = which?.toLowerCase();
  return word === 'next' ? 1 : word === 'last' ? -1 : 0;
}

function moved(m: RegExpExecArray, at: Reference, sign: number): string | null {
  const word = (m.groups?.count ?? m.groups?.count2 ?? '').toLowerCase();
  const vague: Readonly<Record<string, number>> = { a: 1, an: 1, 'a couple of': 2 };
  const count = vague[word] ?? parseNumber(word);
  const unit = (m.groups?.unit ?? m.groups?.unit2 ?? '').toLowerCase();
  if (count === null || count > 3000) return null;
  if (unit === 'year') return pad(at.year + sign * count, 4);
  if (unit === 'month') {
    const { year, month } = shiftMonth(at.year, at.month, sign * count);
    return `${pad(year, 4)}-${pad(month, 2)}`;
  }
  const days = unit === 'day' ? 1 : unit === 'week' ? 7 : 14;
  return isoDay(at.day + sign * count * days);
}

function weekday(m: RegExpExecArray, at: Reference): string | null {
  const wanted = WEEKDAYS.findIndex((name) => name.toLowerCase() === m.groups?.weekday?.toLowerCase());
  const which = m.groups?.which?.toLowerCase() ?? '';
  const when = m.groups?.when?.toLowerCase();
  const back = (weekdayOf(at.day) - wanted + 7) % 7;
  const isBack =
    which === 'last' ||
    when === 'gone' ||
    when === 'just gone' ||
    (when === undefined && (which === 'on' || which === 'this') && at.isPast) ||
    which === 'since';
  if (isBack) return isoDay(at.day - (back === 0 && which === 'last' ? 7 : back));
  const ahead = (7 - back) % 7;
  return isoDay(at.day + (ahead === 0 ? 7 : ahead));
}

function nearUnit(m: RegExpExecArray, at: Reference): string | null {
  const by = step(m.groups?.which);
  const unit = m.groups?.unit?.toLowerCase();
  if (unit === 'year') return pad(at.year + by, 4);
  if (unit !== 'month') return null;
  const { year, month } = shiftMonth(at.year, at.month, by);
  return `${pad(year, 4)}-${pad(month, 2)}`;
}

function monthOnly(m: RegExpExecArray, at: Reference): string | null {
  const name = m.groups?.month ?? '';
  // "may", "march" and "mar" are also ordinary words.
  if (!/^[A-Z]/.test(name)) return null;
  const month = monthIndex(name);
  const first = m[0].split(' ')[0]?.toLowerCase() ?? '';
  if (m.groups?.year !== undefined) return `${m.groups.year}-${pad(month, 2)}`;
  const isAhead = /^(?:for|from|until|till|by|next)$/.test(first);
  const isPast = (at.isPast && !isAhead) || first === 'since' || first === 'last';
  return `${pad(yearFor(month, { ...at, isPast }), 4)}-${pad(month, 2)}`;
}

function season(m: RegExpExecArray, at: Reference): string | null {
  const month = SEASONS[m.groups?.season?.toLowerCase() ?? ''] ?? 1;
  const which = m.groups?.which?.toLowerCase();
  if (which === 'next') return pad(at.year + (month > at.month ? 0 : 1), 4);
  if (which === 'last' || at.isPast) return pad(month > at.month ? at.year - 1 : at.year, 4);
  return null;
}
