import { describe, expect, it } from 'vitest';
import { dayNumber, isoDay, showDate, weekdayOf } from './calendar.js';
import { findDates } from './dates.js';

// 2025-06-18 is a Wednesday.
const AT = '2025-06-18T10:00:00';

describe('dates', () => {
  it.each([
    ['We met yesterday', '2025-06-17'],
    ['The kiln cracked the day before yesterday', '2025-06-16'],
    ['He rang last Sunday', '2025-06-15'],
    ['The roof fell in on Monday', '2025-06-16'],
    ["I'm flying on Monday", '2025-06-23'],
    ['The mast snapped three days ago', '2025-06-15'],
    ['I moved a week ago today', '2025-06-11'],
    ['The regatta is two weeks today', '2025-07-02'],
    ['She sails on the fourth of next month', '2025-07-04'],
    ["It's nine years this month since I joined", '2016-06'],
    ['I start in September', '2025-09'],
    ['We bought it in November', '2024-11'],
    ["I've booked a cabin for May", '2026-05'],
    ['The hall is booked for the 3rd of March', '2026-03-03'],
    ['It opened on 5 May 2019', '2019-05-05'],
    ['They came on the 12th', '2025-06-12'],
  ])('FX-5 %s', (text, value) => {
    expect(findDates(text, AT).map((mention) => mention.value)).toEqual([value]);
  });

  it.each([
    'We meet on Tuesdays',
    'on Tuesday afternoons',
    'You may march on',
    'the 31st of February',
    'a second helping',
    'no date at all',
  ])('finds no day in "%s"', (text) => {
    expect(findDates(text, AT)).toEqual([]);
  });

  it('FX-5 counts days as the Gregorian calendar does', () => {
    expect(isoDay(dayNumber(2024, 2, 29) + 1)).toBe('2024-03-01');
    expect(isoDay(dayNumber(1900, 2, 28) + 1)).toBe('1900-03-01');
    expect(isoDay(dayNumber(2000, 12, 31) + 1)).toBe('2001-01-01');
    expect(weekdayOf(dayNumber(2025, 6, 18))).toBe(3);
    expect([showDate('2024-05-07'), showDate('2024-05'), showDate('2024')]).toEqual(['7 May 2024', 'May 2024', '2024']);
  });
});
