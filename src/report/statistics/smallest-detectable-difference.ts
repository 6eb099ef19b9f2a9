import { criticalT } from './student-t.js';
import type { MeanDifference } from './t-interval.js';

/** The smallest detectable difference, or why there is none: the kinds of `MeanDifference`. */
export type SmallestDetectable =
  | { readonly kind: 'estimated'; readonly difference: number; readonly alpha: number; readonly power: number }
  | { readonly kind: Exclude<MeanDifference['kind'], 'estimated'> };

/**
 * The smallest true difference that a load of this size and noise finds with the stated power (RP-3):
 * (t_{1-alpha/2} + t_{power}) · SE, on the interval's degrees of freedom (Bloom, 1995; Duflo, Glennerster and Kremer, 2007, section 4.1).
 * What was seen and is smaller than this may be there and be missed.
 *
 * @param power above one half, below 1.
 */
export function smallestDetectableDifference(
  found: MeanDifference,
  { alpha, power }: { readonly alpha: number; readonly power: number },
): SmallestDetectable {
  if (found.kind !== 'estimated') return { kind: found.kind };
  const { standard_error, degrees_of_freedom } = found;
  // The quantile at `power` has 1 - power above it, twice that in both tails.
  const multiple = criticalT(alpha, degrees_of_freedom) + criticalT(2 * (1 - power), degrees_of_freedom);
  return { kind: 'estimated', difference: multiple * standard_error, alpha, power };
}
