import type { Confusion, Estimate } from './agreement.js';

/** A share of correct answers, corrected for what a judge gets wrong. */
export interface CorrectedShare extends Estimate {
  /** The estimate, or a bound, lay outside 0 to 1 and was cut there. */
  readonly clamped: boolean;
  /** Why there is no correction; null where there is one. */
  readonly reason: string | null;
}

/**
 * The share of answers that people would hold to be correct (Rogan and Gladen, 1978): (p + sp - 1) / (se + sp - 1), p the share that the judge
 * holds to be correct, se and sp its sensitivity and specificity against people. The interval carries the uncertainty of all
 * three, with the adjustment for few labels of Lang and Reiczigel (2014), as Lee et al. (2025, arXiv 2511.21140) use it for judges: counts are
 * shrunk (z² trials to p, 2 each to se and sp), and the centre is moved. It takes the answers, and the labels, to be independent of
 * each other; questions of one conversation are not, so it is rather too narrow than too wide. Estimate and bounds are cut at 0 and 1.
 *
 * @param correct how many of `n` answers the judge holds to be correct.
 */
export function correctedShare(correct: number, n: number, labels: Confusion, z: number): CorrectedShare {
  const { both_correct, human_only, both_incorrect, judge_only } = labels;
  const [positives, negatives] = [both_correct + human_only, both_incorrect + judge_only];
  const reason = whyNot(n, positives, negatives, both_correct / positives + both_incorrect / negatives);
  if (reason !== null) return { estimate: null, lo: null, hi: null, n, clamped: false, reason };
  const estimate = roganGladen(correct / n, both_correct / positives, both_incorrect / negatives);
  const [n1, positives1, negatives1] = [n + z ** 2, positives + 2, negatives + 2];
  const p = (correct + z ** 2 / 2) / n1;
  const se = (both_correct + 1) / positives1;
  const sp = (both_incorrect + 1) / negatives1;
  if (se + sp <= 1) return { estimate: null, lo: null, hi: null, n, clamped: false, reason: TOO_WEAK };
  const centre = roganGladen(p, se, sp);
  const [seTerm, spTerm] = [(se * (1 - se)) / positives1, (sp * (1 - sp)) / negatives1];
  const shift = 2 * z ** 2 * (centre * seTerm - (1 - centre) * spTerm);
  const variance = ((p * (1 - p)) / n1 + centre ** 2 * seTerm + (1 - centre) ** 2 * spTerm) / (se + sp - 1) ** 2;
  const half = z * Math.sqrt(variance);
  const values = [estimate, centre + shift - half, centre + shift + half] as const;
  const [cut, lo, hi] = values.map((value) => Math.min(1, Math.max(0, value))) as [number, number, number];
  return { estimate: cut, lo, hi, n, clamped: values.some((value) => value < 0 || value > 1), reason: null };
}

const TOO_WEAK = 'against the labels the judge is no better than chance';

function whyNot(n: number, positives: number, negatives: number, sum: number): string | null {
  if (n === 0) return 'the judge was asked about no answer of this arm';
  if (positives === 0) return 'no label holds an answer to be correct: sensitivity is unknown';
  if (negatives === 0) return 'no label holds an answer to be incorrect: specificity is unknown';
  return sum <= 1 ? TOO_WEAK : null;
}

function roganGladen(p: number, se: number, sp: number): number {
  return (p + sp - 1) / (se + sp - 1);
}
