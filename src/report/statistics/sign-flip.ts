import { seededRandom } from '../../core/random.js';
import { conversationSums, type Difference, roundingOf } from './conversation-sums.js';

/** Up to so many units that differ, every one of their 2^n sign patterns is counted; above it patterns are drawn. */
export const EXACT_UNITS = 20;
/** How many patterns are drawn above it. */
export const SIGN_FLIP_DRAWS = 10_000;

/** A sign-flip test, or why there is none. Never NaN. */
export type SignFlip =
  | {
      readonly kind: 'tested';
      readonly method: 'exact' | 'monte_carlo';
      readonly p: number;
      /** The least p that these units could have given, had all of them pointed one way. */
      readonly smallest_p: number;
      /** False where even `smallest_p` is above alpha: then the test could not have found any difference, and must not be called "not significant". */
      readonly could_reach_alpha: boolean;
      /** What signs are given to: conversations, or questions. */
      readonly units: number;
      /** Those whose difference is not 0: flipping another changes nothing. */
      readonly differing_units: number;
    }
  | { readonly kind: 'no_pairs' }
  /** No unit differs: every pattern gives 0, and p is 1 whatever their number. */
  | { readonly kind: 'all_zero'; readonly units: number };

/** What a sign-flip test needs besides the differences. `seed` matters above `EXACT_UNITS` alone. */
export interface SignFlipOptions {
  readonly alpha: number;
  readonly seed: string;
}

/**
 * The cluster sign-flip test of no difference over new conversations (RP-3): were the arms alike, each conversation's sum of differences S_g
 * would as likely have had the other sign (Fisher, 1935, section 21; by clusters Canay, Romano and Shaikh, 2017).
 *
 * p = share of sign patterns with |Σ ±S_g| ≥ |Σ S_g|. Counted over all 2^G, its smallest value is 2/2^G. By B drawn patterns, p =
 * (1 + those as extreme) / (1 + B), which is never 0 (Phipson and Smyth, 2010).
 */
export function clusterSignFlip(differences: readonly Difference[], options: SignFlipOptions): SignFlip {
  return signFlip(
    conversationSums(differences).map(({ sum }) => sum),
    roundingOf(differences) * differences.length,
    options,
  );
}

/**
 * The same with a sign for each question: the paired permutation test. It holds within these conversations alone, and must be labelled so (RP-3).
 */
export function questionPermutation(differences: readonly Difference[], options: SignFlipOptions): SignFlip {
  return signFlip(
    differences.map(({ difference }) => difference),
    roundingOf(differences) * differences.length,
    options,
  );
}

/** @param rounding what a sum may be off by: as much apart, two sums are equal. */
function signFlip(units: readonly number[], rounding: number, { alpha, seed }: SignFlipOptions): SignFlip {
  if (units.length === 0) return { kind: 'no_pairs' };
  // In one order whatever the input's, the largest first: rounding and the draws are then the same too.
  const differing = units
    .filter((unit) => Math.abs(unit) > rounding)
    .sort((a, b) => Math.abs(b) - Math.abs(a) || a - b);
  if (differing.length === 0) return { kind: 'all_zero', units: units.length };
  const magnitudes = differing.map(Math.abs);
  const least = Math.abs(differing.reduce((sum, unit) => sum + unit, 0)) - rounding;
  const exact = differing.length <= EXACT_UNITS;
  const p = exact
    ? asExtreme(magnitudes, magnitudes[0] as number, 1, least) / 2 ** (differing.length - 1)
    : (1 + drawnAsExtreme(magnitudes, least, seed)) / (1 + SIGN_FLIP_DRAWS);
  const smallest_p = exact ? 2 / 2 ** differing.length : 1 / (1 + SIGN_FLIP_DRAWS);
  return {
    kind: 'tested',
    method: exact ? 'exact' : 'monte_carlo',
    p,
    smallest_p,
    could_reach_alpha: smallest_p <= alpha,
    units: units.length,
    differing_units: differing.length,
  };
}

/** Patterns as extreme, the first sign held by whoever asks: the other half mirrors these. */
function asExtreme(magnitudes: readonly number[], sum: number, from: number, least: number): number {
  if (from === magnitudes.length) return Math.abs(sum) >= least ? 1 : 0;
  const magnitude = magnitudes[from] as number;
  return (
    asExtreme(magnitudes, sum + magnitude, from + 1, least) + asExtreme(magnitudes, sum - magnitude, from + 1, least)
  );
}

/** Thirty signs a drawn integer, in three parts. */
const PART = 10;

/** Block by block of thirty units: what each part adds under all of its sign patterns is reckoned once, and looked up in every draw. */
function drawnAsExtreme(magnitudes: readonly number[], least: number, seed: string): number {
  const random = seededRandom(`sign-flip ${seed}`);
  const sums = new Float64Array(SIGN_FLIP_DRAWS);
  const part = (from: number): Float64Array => patternSums(magnitudes.slice(from, from + PART));
  for (let from = 0; from < magnitudes.length; from += 3 * PART) {
    const [first, second, third] = [part(from), part(from + PART), part(from + 2 * PART)];
    for (let draw = 0; draw < SIGN_FLIP_DRAWS; draw += 1) {
      const bits = random.bits30();
      sums[draw] =
        Number(sums[draw]) +
        Number(first[bits % 2 ** PART]) +
        Number(second[(bits >> PART) % 2 ** PART]) +
        Number(third[bits >> (2 * PART)]);
    }
  }
  return sums.filter((sum) => Math.abs(sum) >= least).length;
}

/** Of up to ten units: Σ ±u for each pattern of ten bits, those beyond the last unit meaning nothing. */
function patternSums(units: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** PART);
  for (const [index, unit] of units.entries())
    for (let pattern = 0; pattern < sums.length; pattern += 1)
      sums[pattern] = Number(sums[pattern]) + ((pattern >> index) % 2 === 1 ? unit : -unit);
  return sums;
}
