import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

it.each<[string | null, number | null]>([
  [null, null],
  ['', null],
  ['0', 0],
  ['120', 120_000],
  ['0.5', 500],
  ['-1', null],
  ['1e9', null],
  ['999999999', 86_400_000],
  // However long: a wait that nobody means is no leave to try at once.
  ['99999999999', 86_400_000],
  ['9'.repeat(400), 86_400_000],
  ['99999999999.0000001', 86_400_000],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
  ['Sun, 01 Mar 2099 12:00:00 GMT', 86_400_000],
  ['Sun, 31 Foo 2026 12:00:00 GMT', null],
  // Without a zone it would be read in the machine's.
  ['2026-03-01 12:01:00', null],
])('PR-2 Retry-After %j is %s ms', (header, ms) => {
  expect(retryAfterMs(header, '2026-03-01T12:00:00.000Z')).toBe(ms);
});
