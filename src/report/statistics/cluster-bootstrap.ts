import { seededRandom } from '../../core/random.js';
import { conversationSums, type Difference } from './conversation-sums.js';

/** How many resamples a diagnostic takes (RP-3). */
export const BOOTSTRAP_DRAWS = 10_000;

/** A bootstrap interval, or why there is none. Never NaN. */
export type Bootstrap =
  | {
      readonly kind: 'estimated';
      readonly estimate: number;
      readonly lo: number;
      readonly hi: number;
      readonly draws: number;
    }
  | { readonly kind: 'no_pairs' }
  /** One conversation: every resample is the same. */
  | { readonly kind: 'one_unit'; readonly estimate: number };

export interface BootstrapOptions {
  readonly alpha: number;
  readonly seed: string;
  readonly draws?: number;
}

/**
 * The percentile interval of the cluster bootstrap (Efron and Tibshirani, 1993, chapter 13; by clusters Davison and Hinkley, 1997, section 3.8):
 * G conversations are drawn with replacement, whole, and the resample's mean is Σ S_g / Σ n_g over those drawn; lo and hi are
 * the means' quantiles alpha/2 and 1 - alpha/2, interpolated (Hyndman and Fan, 1996, type 7).
 *
 * A diagnostic beside the t interval, never a verdict: with few conversations it is too narrow.
 */
export function clusterBootstrap(
  differences: readonly Difference[],
  { alpha, seed, draws = BOOTSTRAP_DRAWS }: BootstrapOptions,
): Bootstrap {
  const conversations = conversationSums(differences);
  if (conversations.length === 0) return { kind: 'no_pairs' };
  const estimate = pooled(conversations.map((_, index) => index));
  if (conversations.length === 1) return { kind: 'one_unit', estimate };
  const random = seededRandom(`bootstrap ${seed}`);
  const means = Float64Array.from({ length: draws }, () =>
    pooled(conversations.map(() => random.integer(0, conversations.length - 1))),
  ).sort();
  return { kind: 'estimated', estimate, lo: quantile(means, alpha / 2), hi: quantile(means, 1 - alpha / 2), draws };

  function pooled(drawn: readonly number[]): number {
    let [sum, questions] = [0, 0];
    for (const index of drawn) {
      sum += conversations[index]?.sum as number;
      questions += conversations[index]?.questions as number;
    }
    return sum / questions;
  }
}

function quantile(sorted: Float64Array, p: number): number {
  const place = (sorted.length - 1) * p;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
