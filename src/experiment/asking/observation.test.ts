import { describe, expect, it } from 'vitest';
import { sampleRow } from '../../../test/support/observation-samples.js';
import { LOOKUP_MISSES } from '../../memory/query-preparation/query-preparation.js';
import { observationSchema } from './observation.js';

describe('OB-1 the row', () => {
  it.each([null, ...LOOKUP_MISSES])('SQ-1 says why a lookup missed: %s', (lookup_miss) => {
    expect(observationSchema.parse(sampleRow({ lookup_miss })).lookup_miss).toBe(lookup_miss);
  });

  it.each(['withheld', 'ineligible:', 'refused:week', 'not-prepared', 'Where did Ada move?'])(
    'SQ-1 has no other word for a miss than the stated ones: %s is refused',
    (lookup_miss) => {
      expect(observationSchema.safeParse({ ...sampleRow(), lookup_miss }).success).toBe(false);
    },
  );
});
