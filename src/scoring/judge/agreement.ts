/** How often a judge and people held the same answers to be correct. Each item counts once. */
export interface Confusion {
  readonly both_correct: number;
  /** The judge alone held it to be correct. */
  readonly judge_only: number;
  readonly human_only: number;
  readonly both_incorrect: number;
}

/** An estimate with its interval. Null where there is nothing to estimate from. */
export interface Estimate {
  readonly estimate: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
  /** What it is estimated from. */
  readonly n: number;
}

/** Sensitivity: of the answers that people held to be correct, the share that the judge did. Wilson's interval. */
export function sensitivityOf({ both_correct, human_only }: Confusion, z: number): Estimate {
  return wilson(both_correct, both_correct + human_only, z);
}

/** Specificity: of the answers that people held to be incorrect, the share that the judge did. Wilson's interval. */
export function specificityOf({ both_incorrect, judge_only }: Confusion, z: number): Estimate {
  return wilson(both_incorrect, both_incorrect + judge_only, z);
}

/**
 * A share with Wilson's score interval (Wilson, 1927; Brown, Cai and DasGupta, 2001).
 *
 * @param z the critical value, e.g. 1.96.
 */
export function wilson(successes: number, n: number, z: number): Estimate {
  if (n === 0) return { estimate: null, lo: null, hi: null, n };
  const p = successes / n;
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  // Where all or none succeed the bound is exactly 1 or 0, which rounding would miss.
  return { estimate: p, lo: successes === 0 ? 0 : centre - half, hi: successes === n ? 1 : centre + half, n };
}

/**
 * Cohen's kappa (Cohen, 1960): (po - pe) / (1 - pe), po the share of agreement, pe that of chance by the margins. The interval is of the large
 * sample (Fleiss, Cohen and Everitt, 1969), cut at -1 and 1. Null where both hold all answers to be the same.
 */
export function kappaOf(confusion: Confusion, z: number): Estimate {
  const { both_correct, judge_only, human_only, both_incorrect } = confusion;
  const n = both_correct + judge_only + human_only + both_incorrect;
  const share = (count: number): number => count / n;
  const judge = share(both_correct + judge_only);
  const human = share(both_correct + human_only);
  const po = share(both_correct + both_incorrect);
  const pe = judge * human + (1 - judge) * (1 - human);
  if (n === 0 || pe === 1) return { estimate: null, lo: null, hi: null, n };
  const kappa = (po - pe) / (1 - pe);
  const diagonal =
    share(both_correct) * (1 - pe - (judge + human) * (1 - po)) ** 2 +
    share(both_incorrect) * (1 - pe - (2 - judge - human) * (1 - po)) ** 2;
  const off =
    (1 - po) ** 2 * (share(judge_only) * (human + 1 - judge) ** 2 + share(human_only) * (1 - human + judge) ** 2);
  // Rounding may leave a hair below zero where agreement is whole.
  const variance = Math.max(0, diagonal + off - (po * pe - 2 * pe + po) ** 2) / (n * (1 - pe) ** 4);
  const half = z * Math.sqrt(variance);
  return { estimate: kappa, lo: Math.max(-1, kappa - half), hi: Math.min(1, kappa + half), n };
}
