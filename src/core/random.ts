import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { digestText } from './digest.js';

/** A seeded source of uniform integers: the same seed text gives the same sequence on every machine. */
export interface SeededRandom {
  /** A uniform integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** Thirty uniform bits, as an integer: many times as fast as `integer`. */
  bits30(): number;
  /** A new, uniformly shuffled array. */
  shuffled<T>(items: readonly T[]): T[];
}

/** Seeds a generator by the digest of a text, so that nearby seeds share nothing. */
export function seededRandom(seed: string): SeededRandom {
  const generator = xoroshiro128plus(Number.parseInt(digestText(seed).slice(7, 15), 16) | 0);
  const integer = (low: number, high: number): number => uniformInt(generator, low, high);
  return {
    integer,
    // The lowest bits of this generator are its weakest.
    bits30: () => generator.next() >>> 2,
    shuffled: (items) => {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = integer(0, last);
        [result[last], result[other]] = [
          result[other] as (typeof result)[number],
          result[last] as (typeof result)[number],
        ];
      }
      return result;
    },
  };
}
