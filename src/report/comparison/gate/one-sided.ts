import { criticalT, type MeanDifference } from '../../statistics/statistics.js';

/** What can be said of a mean difference on one side, with a stated confidence. */
export type OneSided =
  /** One-sided bounds of the same confidence, below and above. */
  | { readonly kind: 'bounds'; readonly lower: number; readonly upper: number }
  /**
   * All units differ by the same, so that no error can be told. Were the true difference on the other side of a threshold, or on it, all units on this
   * side would have chance `p` (the sign test: Dixon and Mood, 1946).
   */
  | { readonly kind: 'equal'; readonly estimate: number; readonly p: number }
  /** No bound, however the night went: there is one unit, or none. */
  | { readonly kind: 'none' };

/**
 * The one-sided bounds d̄ ± t_{1-alpha} · SE (Student, 1908), on the degrees of freedom that the interval has.
 *
 * @param alpha one minus the confidence of each bound; at most 1/2.
 * @param units what the difference is a mean over: conversations, or questions.
 */
export function oneSided(found: MeanDifference, alpha: number, units: number): OneSided {
  switch (found.kind) {
    case 'estimated': {
      const { estimate, standard_error, degrees_of_freedom } = found;
      // Twice alpha in both tails is alpha in each.
      const half = criticalT(2 * alpha, degrees_of_freedom) * standard_error;
      return { kind: 'bounds', lower: estimate - half, upper: estimate + half };
    }
    case 'all_equal':
    case 'no_variance':
      return { kind: 'equal', estimate: found.estimate, p: 2 ** -units };
    case 'one_unit':
    case 'no_pairs':
      return { kind: 'none' };
  }
}
