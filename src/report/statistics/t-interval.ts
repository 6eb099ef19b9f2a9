import { criticalT, twoSidedTail } from './student-t.js';

/** A mean difference with its interval and test, or why there is none. Never NaN. */
export type MeanDifference =
  | {
      readonly kind: 'estimated';
      readonly estimate: number;
      readonly standard_error: number;
      readonly degrees_of_freedom: number;
      /** The interval of confidence 1 - alpha. */
      readonly lo: number;
      readonly hi: number;
      readonly t: number;
      /** Two-sided, of no difference. */
      readonly p: number;
    }
  /** No question has a score under both arms: nothing can be said. */
  | { readonly kind: 'no_pairs' }
  /** Only one unit was drawn: its difference is known, how much others differ from it is not. */
  | { readonly kind: 'one_unit'; readonly estimate: number }
  /** Every question differs by the same: nothing varies that an error could be told from. An estimate of 0 says that no question differed. */
  | { readonly kind: 'all_equal'; readonly estimate: number }
  /** Questions differ, but every unit's mean is the same: the estimated error is 0, which is chance and no certainty. */
  | { readonly kind: 'no_variance'; readonly estimate: number };

/** The interval estimate ± t·SE and the two-sided test of no difference (Student, 1908). */
export function tInterval(
  estimate: number,
  standardError: number,
  degreesOfFreedom: number,
  alpha: number,
): Extract<MeanDifference, { kind: 'estimated' }> {
  const half = criticalT(alpha, degreesOfFreedom) * standardError;
  const t = estimate / standardError;
  return {
    kind: 'estimated',
    estimate,
    standard_error: standardError,
    degrees_of_freedom: degreesOfFreedom,
    lo: estimate - half,
    hi: estimate + half,
    t,
    p: twoSidedTail(t, degreesOfFreedom),
  };
}
