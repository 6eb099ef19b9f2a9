import {
  holm,
  type MeanDifference,
  newConversations,
  pairedDifferences,
  type Score,
} from '../statistics/statistics.js';

/** An arm that may be ranked, in one dataset. */
export interface Contender {
  readonly arm: string;
  /** The primary scorer's; null where it has no score. */
  readonly mean: number | null;
  readonly scores: readonly Score[];
}

/** The arm with the highest mean, beside each of the others. */
export interface BestOfArms {
  readonly best: string;
  readonly mean: number;
  /** Others with the very same mean, in the matrix's order. */
  readonly tied: readonly string[];
  /** How many were ranked, the best included. */
  readonly arms: number;
  /** In the order of the input. */
  readonly rivals: readonly Rival[];
}

export interface Rival {
  readonly arm: string;
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
 * eight equal arms, the highest and the lowest are apart by t at 0.05/7 in more than a tenth of all runs. The lead of a winner is overstated all the same.
 *
 * Ties: the first in the input's order, which is the matrix's, stands as best, and the others are named.
 *
 * @returns null where no arm has a score.
 */
export function bestOfArms(contenders: readonly Contender[], alpha: number): BestOfArms | null {
  const ranked = contenders.flatMap(({ arm, mean, scores }) => (mean === null ? [] : [{ arm, mean, scores }]));
  const highest = Math.max(...ranked.map(({ mean }) => mean));
  const [best, ...tied] = ranked.filter(({ mean }) => mean === highest);
  if (best === undefined) return null;
  const tests = ranked.flatMap((one, index) =>
    ranked.slice(index + 1).map((other) => ({ one, other, ...compared(one.scores, other.scores, alpha) })),
  );
  const adjusted = holm(tests.map(({ one, other, difference }) => ({ id: pairId(one, other), p: pOf(difference) })));
  const adjustedOf = new Map(adjusted.map(({ id, adjusted_p }) => [id, adjusted_p]));
  return {
    best: best.arm,
    mean: best.mean,
    tied: tied.map(({ arm }) => arm),
    arms: ranked.length,
    rivals: ranked
      .filter((one) => one !== best)
      .map((rival) => {
        const { pairs, difference } = compared(rival.scores, best.scores, alpha);
        const isFirst = ranked.indexOf(rival) < ranked.indexOf(best);
        const adjusted_p = adjustedOf.get(isFirst ? pairId(rival, best) : pairId(best, rival)) ?? null;
        return { arm: rival.arm, pairs, difference, adjusted_p, standing: standingOf(difference, adjusted_p, alpha) };
      }),
  };
}

function compared(base: readonly Score[], head: readonly Score[], alpha: number) {
  const { pairs } = pairedDifferences(base, head);
  return { pairs: pairs.length, difference: newConversations(pairs, alpha) };
}

/** Every arm has a name of its own. */
function pairId(one: Pick<Contender, 'arm'>, other: Pick<Contender, 'arm'>): string {
  return JSON.stringify([one.arm, other.arm]);
}

function pOf(difference: MeanDifference): number | null {
  return difference.kind === 'estimated' ? difference.p : null;
}

function standingOf(difference: MeanDifference, adjustedP: number | null, alpha: number): Rival['standing'] {
  if (adjustedP === null || difference.kind !== 'estimated') return 'could-not-be-told';
  return adjustedP <= alpha && difference.estimate > 0 ? 'behind' : 'not-told-apart';
}
