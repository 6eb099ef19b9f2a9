/** Calendar arithmetic on civil days, free of clocks and zones. A day is a count of days since 1970-01-01. */
export type DayNumber = number;

/** Months by name, from January. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Weekdays by name, from Sunday. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** The day number of a date of the Gregorian calendar (Hinnant's days_from_civil). Months count from 1. */
export function dayNumber(year: number, month: number, day: number): DayNumber {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The date of a day number, `YYYY-MM-DD`. */
export function isoDay(number: DayNumber): string {
  const shifted = number + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1;
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** The day number of `YYYY-MM-DD…`; null where the text starts with no date. */
export function parseDay(text: string): DayNumber | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  return match === null ? null : dayNumber(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** 0 for Sunday. */
export function weekdayOf(number: DayNumber): number {
  return (((number + 4) % 7) + 7) % 7;
}

/** `YYYY-MM` moved by whole months. */
export function shiftMonth(year: number, month: number, by: number): { year: number; month: number } {
  const index = year * 12 + (month - 1) + by;
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
}

/** `2024-05-07` as `7 May 2024`, `2024-05` as `May 2024`, `2024` as itself. */
export function showDate(value: string): string {
  const [year, month, day] = value.split('-');
  if (month === undefined) return value;
  const name = MONTHS[Number(month) - 1] ?? month;
  return day === undefined ? `${name} ${Number(year)}` : `${Number(day)} ${name} ${Number(year)}`;
}

export function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
