import { conversationSums, type Difference, roundingOf } from './conversation-sums.js';
import { sumOf } from './mean.js';
import { type MeanDifference, tInterval } from './t-interval.js';

/**
 * The mean difference as it would be over new conversations of the same kind (RP-3): the cluster-robust t interval and test.
 *
 * d̄ = Σ d / N, every question weighing the same. Its error is the cluster jackknife's (CR3, also CV3): with d̄_(g) the mean without
 * conversation g, over G conversations, SE² = (G-1)/G · Σ_g (d̄_(g) - d̄)², and t = d̄/SE on G-1 degrees of freedom (Bell and McCaffrey, 2002;
 * MacKinnon, Nielsen and Webb, 2023, who advise it for few clusters of unlike sizes). Where all conversations are as
 * long it is the sandwich of Liang and Zeger with the factor G/(G-1), and Student's t on the conversations' means.
 *
 * `one_unit`: one conversation. @param alpha one minus the confidence.
 */
export function newConversations(differences: readonly Difference[], alpha: number): MeanDifference {
  const conversations = conversationSums(differences);
  if (conversations.length === 0) return { kind: 'no_pairs' };
  const [n, g] = [differences.length, conversations.length];
  const estimate = sumOf(conversations.map(({ sum }) => sum)) / n;
  if (g === 1) return { kind: 'one_unit', estimate };
  const rounding = roundingOf(differences);
  if (differences.every(({ difference }) => Math.abs(difference - estimate) <= rounding))
    return { kind: 'all_equal', estimate };
  const errors = conversations.map(({ sum, questions }) => sum - questions * estimate);
  if (errors.every((error) => Math.abs(error) <= rounding * n)) return { kind: 'no_variance', estimate };
  // d̄_(g) - d̄ = -e_g / (N - n_g), e_g the sum of a conversation's errors.
  const moves = errors.map((error, index) => error / (n - (conversations[index]?.questions as number)));
  const variance = ((g - 1) / g) * sumOf(moves.map((move) => move ** 2));
  return tInterval(estimate, Math.sqrt(variance), g - 1, alpha);
}
