import { pairedDifferences } from '../statistics/statistics.js';
import type { CountedScore } from './figures.js';

/** Questions that one of two arms is right about and the other is wrong. */
export interface Disagreements {
  readonly head: number;
  readonly base: number;
}

/** An arm is right about a question where its mean, as pairs have it, is no less than `from`: the rule of the questions' filters (OB-4, OB-6, RP-3). */
export function disagreements(
  head: readonly CountedScore[],
  base: readonly CountedScore[],
  from: number,
): Disagreements {
  const { pairs } = pairedDifferences(base, head);
  return {
    head: pairs.filter((pair) => pair.head >= from && pair.base < from).length,
    base: pairs.filter((pair) => pair.head < from && pair.base >= from).length,
  };
}
