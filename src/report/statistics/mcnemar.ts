import type { PairedDifference } from './paired-differences.js';

/** McNemar's test, or why there is none. Never NaN. It holds within these conversations alone, and must be labelled so (RP-3). */
export type McNemar =
  | {
      readonly kind: 'tested';
      readonly only_base_correct: number;
      readonly only_head_correct: number;
      readonly p: number;
      /** What p would be, had all of the disagreeing questions pointed one way. */
      readonly smallest_p: number;
    }
  | { readonly kind: 'no_pairs' }
  /** A mean is neither 0 nor 1: an ungraded score, or repeats that disagree. */
  | { readonly kind: 'not_binary' }
  /** Both arms are right and wrong on the same questions: p is 1 whatever their number. */
  | { readonly kind: 'no_disagreement' };

/**
 * The exact test of McNemar (1947) for scores of 0 and 1: of n questions that one arm alone answers, each is as likely to be either's.
 * p = min(1, 2 · P(X ≤ min(b, c))), X binomial of n = b + c and one half.
 */
export function mcnemar(pairs: readonly PairedDifference[]): McNemar {
  if (pairs.length === 0) return { kind: 'no_pairs' };
  if (pairs.some(({ base, head }) => ![0, 1].includes(base) || ![0, 1].includes(head))) return { kind: 'not_binary' };
  const only_base_correct = pairs.filter(({ difference }) => difference === -1).length;
  const only_head_correct = pairs.filter(({ difference }) => difference === 1).length;
  const n = only_base_correct + only_head_correct;
  if (n === 0) return { kind: 'no_disagreement' };
  const p = Math.min(1, 2 * binomialTail(Math.min(only_base_correct, only_head_correct), n));
  return { kind: 'tested', only_base_correct, only_head_correct, p, smallest_p: Math.min(1, 2 * binomialTail(0, n)) };
}

/** P(X ≤ k), X binomial of n and one half. In logarithms: 2^-n is 0 in a double from 1,075 on. */
function binomialTail(k: number, n: number): number {
  let [logarithm, sum] = [-n * Math.LN2, 0];
  for (let i = 0; i <= k; i += 1) {
    sum += Math.exp(logarithm);
    logarithm += Math.log((n - i) / (i + 1));
  }
  return sum;
}
