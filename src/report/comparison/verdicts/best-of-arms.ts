import {
  clusterSignFlip,
  holm,
  type MeanDifference,
  meanOf,
  newConversations,
  pairedDifferences,
  type Score,
  theseConversations,
} from '../../statistics/statistics.js';
import { type Test, testOf } from '../contrast.js';

/** An arm that may be ranked, in one dataset: its primary scores. */
export interface Contender {
  readonly arm: string;
  readonly scores: readonly Score[];
}

/** The arm with the highest mean, beside each of the others. */
export interface BestOfArms {
  readonly best: string;
  readonly mean: number;
  readonly questions: number;
  readonly conversations: number;
  /** Others with the very same mean, in the matrix's order. */
  readonly tied: readonly string[];
  /** How many were ranked, the best included. */
  readonly arms: number;
  /** From the highest mean to the lowest; of equal ones, in the matrix's order. */
  readonly rivals: readonly Rival[];
}

export interface Rival {
  readonly arm: string;
  readonly mean: number;
  readonly pairs: number;
  /** best - rival, for new conversations. */
  readonly difference: MeanDifference;
  /** By Holm over all pairs of ranked arms; null where it could not be tested. */
  readonly adjusted_p: number | null;
  /** `behind`: told apart from the best for new conversations. */
  readonly standing: 'behind' | 'not-told-apart' | 'could-not-be-told';
}

/**
 * Which arm scored highest, and what it may be told apart from. Exploratory: the best was picked by the same scores that it is tested with, so
 * that any pair of arms could have come to be looked at. Holm's family is therefore every pair of ranked arms, not those with the best alone: of
 * eight equal arms over six conversations, some other is apart from the best at 0.05/7 in a tenth of all runs. A winner's lead is overstated all the same.
 *
 * Ties: the first in the input's order, which is the matrix's, stands as best, and the others are named.
 *
 * @returns null where no arm has a score.
 */
export function bestOfArms(contenders: readonly Contender[], alpha: number): BestOfArms | null {
  const ranked = contenders.flatMap(({ arm, scores }) => {
    // An arm beside itself: its questions' means.
    const { pairs } = pairedDifferences(scores, scores);
    return pairs.length === 0 ? [] : [{ arm, scores, mean: meanOf(pairs.map(({ base }) => base)), pairs }];
  });
  const [best, ...others] = [...ranked].sort((one, other) => other.mean - one.mean);
  if (best === undefined) return null;
  const tests = ranked.flatMap((base, index) => ranked.slice(index + 1).map((head) => compared(base, head, alpha)));
  const adjusted = holm(tests.map(({ id, test: { p } }) => ({ id, p })));
  return {
    best: best.arm,
    mean: best.mean,
    questions: best.pairs.length,
    conversations: new Set(best.pairs.map(({ conversation }) => conversation)).size,
    tied: others.filter(({ mean }) => mean === best.mean).map(({ arm }) => arm),
    arms: ranked.length,
    rivals: others.map((rival) => {
      const isHead = ranked.indexOf(rival) > ranked.indexOf(best);
      const id = isHead ? pairId(best, rival) : pairId(rival, best);
      const index = tests.findIndex((test) => test.id === id);
      const { pairs, difference: headLess } = tests[index] as (typeof tests)[number];
      const difference = isHead ? turned(headLess) : headLess;
      const adjusted_p = adjusted[index]?.adjusted_p ?? null;
      return {
        arm: rival.arm,
        mean: rival.mean,
        pairs,
        difference,
        adjusted_p,
        standing: standingOf(difference, adjusted_p, alpha),
      };
    }),
  };
}

/** Every arm has a name of its own. */
function pairId(base: Pick<Contender, 'arm'>, head: Pick<Contender, 'arm'>): string {
  return JSON.stringify([base.arm, head.arm]);
}

/** The same test as a contrast's (RP-3): what is told apart here would be there. */
function compared(base: Contender, head: Contender, alpha: number): Compared {
  const { pairs } = pairedDifferences(base.scores, head.scores);
  const difference = newConversations(pairs, alpha);
  const id = pairId(base, head);
  const signFlip = clusterSignFlip(pairs, { alpha, seed: id });
  return {
    id,
    pairs: pairs.length,
    difference,
    test: testOf(difference, theseConversations(pairs, alpha), signFlip),
  };
}

interface Compared {
  readonly id: string;
  readonly pairs: number;
  /** head - base. */
  readonly difference: MeanDifference;
  readonly test: Test;
}

/** The same difference, the other way round. */
function turned(difference: MeanDifference): MeanDifference {
  if (difference.kind === 'no_pairs') return difference;
  const estimate = 0 - difference.estimate;
  if (difference.kind !== 'estimated') return { ...difference, estimate };
  return { ...difference, estimate, lo: 0 - difference.hi, hi: 0 - difference.lo, t: 0 - difference.t };
}

/** No rival has the higher mean; where questions that only one of them has make the pairs say otherwise, it is not behind. */
function standingOf(difference: MeanDifference, adjustedP: number | null, alpha: number): Rival['standing'] {
  if (adjustedP === null || difference.kind === 'no_pairs') return 'could-not-be-told';
  return adjustedP <= alpha && difference.estimate > 0 ? 'behind' : 'not-told-apart';
}
