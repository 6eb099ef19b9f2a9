/**
 * A date and time of day without a zone, `YYYY-MM-DDTHH:MM:SS` (FX-5). Compared as text, which is compared as time.
 * It stays civil from end to end: no machine's time zone can change it.
 */
export type CivilTime = string;

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})$/;

/** The number of days of a month of the Gregorian calendar. Months count from 1. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Whether a text is a civil time that exists in the calendar: no 30 February, no hour 24, no leap second. */
export function isCivilTime(text: string): text is CivilTime {
  const match = PATTERN.exec(text);
  if (match === null) return false;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  );
}

/** Orders two civil times: negative, zero or positive. */
export function compareCivilTimes(a: CivilTime, b: CivilTime): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The later of civil times; null for none. */
export function latestCivilTime(times: Iterable<CivilTime>): CivilTime | null {
  let latest: CivilTime | null = null;
  for (const time of times) if (latest === null || time > latest) latest = time;
  return latest;
}

/** `2023-05-08 13:56`, as people read it. */
export function showCivilTime(time: CivilTime): string {
  return time.slice(0, 16).replace('T', ' ');
}
