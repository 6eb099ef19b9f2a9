import { z } from 'zod';
import { slug } from './values.js';

/** The thresholds of an evaluation, as data: recorded whole, and by digest, in each transition (LE-5). */
export const thresholdProfileSchema = z.strictObject({
  format: z.literal('threshold-profile@1'),
  name: slug,
  version: z.int().min(1).describe('raised with every change of a number'),
  calibrated: z.literal(false).describe('nobody has measured how often these thresholds are right'),
  recurrence_runs: z.int().min(2).describe('independent runs with the failure that verify a lesson'),
  guard_executions: z
    .int()
    .min(1)
    .describe('executions before, and as many after, that make guard evidence reproducible'),
  unassisted_successes: z.int().min(1).describe('successes in eligible exposures without the lesson, for expiry'),
  minimum_age_days: z.int().min(0).max(36_500).describe('since first observed, of 86,400,000 ms each, for expiry'),
});
/** A threshold profile. */
export type ThresholdProfile = z.output<typeof thresholdProfileSchema>;

/** The paper's thresholds (LE-2, LE-3). It asks for "reproducible" guard evidence without a number: two executions, the fewest that repeat. */
export const PAPER_PROFILE: ThresholdProfile = {
  format: 'threshold-profile@1',
  name: 'paper',
  version: 1,
  calibrated: false,
  recurrence_runs: 2,
  guard_executions: 2,
  unassisted_successes: 3,
  minimum_age_days: 7,
};
