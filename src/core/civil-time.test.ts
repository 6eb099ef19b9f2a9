import { describe, expect, it } from 'vitest';
import { compareCivilTimes, isCivilTime, latestCivilTime, showCivilTime } from './civil-time.js';

describe('civil time', () => {
  it('FX-5 accepts what the calendar has', () => {
    expect(['2023-05-08T13:56:00', '2024-02-29T00:00:00', '2000-02-29T23:59:59'].every(isCivilTime)).toBe(true);
  });

  it.each([
    '2023-02-29T00:00:00',
    '1900-02-29T00:00:00',
    '2023-13-01T00:00:00',
    '2023-00-10T00:00:00',
    '2023-01-01T24:00:00',
    '2023-01-01T10:60:00',
    '2023-01-01T10:00:60',
    '2023-01-01T10:00:00Z',
    '2023-01-01 10:00:00',
    '2023-1-1T10:00:00',
    '',
  ])('FX-5 R-40 refuses %s', (text) => {
    expect(isCivilTime(text)).toBe(false);
  });

  it('FX-5 order of text is order of time', () => {
    expect(compareCivilTimes('2023-05-08T09:00:00', '2023-05-08T10:00:00')).toBeLessThan(0);
    expect(latestCivilTime(['2023-01-02T00:00:00', '2024-01-01T00:00:00', '2023-12-31T23:59:59'])).toBe(
      '2024-01-01T00:00:00',
    );
    expect(latestCivilTime([])).toBeNull();
    expect(showCivilTime('2023-05-08T13:56:30')).toBe('2023-05-08 13:56');
  });
});
