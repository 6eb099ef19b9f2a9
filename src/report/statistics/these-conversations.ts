import { type Difference, roundingOf } from './conversation-sums.js';
import { meanOf, sumOf } from './mean.js';
import { type MeanDifference, tInterval } from './t-interval.js';

/**
 * The mean difference within these conversations (RP-3): the paired t interval over questions, as if others had been asked of them.
 *
 * SE² = Σ (d_i - d̄)² / (N(N-1)), on N-1 degrees of freedom (Student, 1908). It says nothing of other conversations, and must be labelled so.
 *
 * `one_unit`: one question. @param alpha one minus the confidence.
 */
export function theseConversations(differences: readonly Difference[], alpha: number): MeanDifference {
  const n = differences.length;
  if (n === 0) return { kind: 'no_pairs' };
  const estimate = meanOf(differences.map(({ difference }) => difference));
  if (n === 1) return { kind: 'one_unit', estimate };
  const errors = differences.map(({ difference }) => difference - estimate);
  const rounding = roundingOf(differences);
  if (errors.every((error) => Math.abs(error) <= rounding)) return { kind: 'all_equal', estimate };
  return tInterval(estimate, Math.sqrt(sumOf(errors.map((error) => error ** 2)) / (n * (n - 1))), n - 1, alpha);
}
