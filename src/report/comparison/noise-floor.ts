import {
  type MeanDifference,
  newConversations,
  pairedDifferences,
  type Score,
  theseConversations,
} from '../statistics/statistics.js';

/** How far an arm is from itself: its twin, run a second time under the same banks, less the arm (RP-8). A difference within it may be chance of the reader. */
export interface NoiseFloor {
  readonly arm: string;
  readonly twin: string;
  readonly dataset: string;
  /** Questions that both have a score for. */
  readonly pairs: number;
  /** Of those, how many scored otherwise the second time. */
  readonly changed: number;
  readonly new_conversations: MeanDifference;
  readonly these_conversations: MeanDifference;
  /** Half the width of the band around 0 that shows it: the larger distance from 0 that the interval reaches; null where there is no interval. */
  readonly half_width: number | null;
}

/** @param scores of one dataset, of the arm and of its twin. */
export function noiseFloor(
  { arm, twin, dataset }: Pick<NoiseFloor, 'arm' | 'twin' | 'dataset'>,
  scores: { readonly arm: readonly Score[]; readonly twin: readonly Score[] },
  alpha: number,
): NoiseFloor {
  const { pairs } = pairedDifferences(scores.arm, scores.twin);
  const these = theseConversations(pairs, alpha);
  return {
    arm,
    twin,
    dataset,
    pairs: pairs.length,
    changed: pairs.filter(({ difference }) => difference !== 0).length,
    new_conversations: newConversations(pairs, alpha),
    these_conversations: these,
    half_width: halfWidth(these),
  };
}

/** By the interval of these conversations: what a reader's chance does to a mean is an affair of the questions that were asked, not of new ones. */
function halfWidth(found: MeanDifference): number | null {
  if (found.kind === 'estimated') return Math.max(Math.abs(found.lo), Math.abs(found.hi));
  return found.kind === 'all_equal' ? Math.abs(found.estimate) : null;
}
