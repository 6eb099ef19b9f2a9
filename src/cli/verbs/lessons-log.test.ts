import { describe, expect, it } from 'vitest';
import { readInstant } from './lessons-log.js';

describe('an instant of the command line', () => {
  it('LE-3 is read in the one form that events have', () => {
    expect(readInstant('2026-03-01T20:00Z')).toBe('2026-03-01T20:00:00.000Z');
    expect(readInstant('2026-03-01T20:00:00.5+02:00')).toBe('2026-03-01T18:00:00.500Z');
    expect(readInstant('2024-02-29T23:00:00-01:00')).toBe('2024-03-01T00:00:00.000Z');
  });

  it.each(['2026-02-30T00:00:00Z', '2026-02-29T12:00:00Z', '2026-04-31T00:00:00+02:00'])(
    'LE-3 %s is on no calendar, and no other day is taken for it',
    (text) => expect(() => readInstant(text)).toThrow('instant'),
  );

  it.each(['9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00+01:00', '2026-03-01', 'tomorrow'])(
    'LE-3 %s is no instant that an event can have',
    (text) => expect(() => readInstant(text)).toThrow('instant'),
  );
});
