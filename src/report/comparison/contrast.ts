import {
  clusterBootstrap,
  clusterSignFlip,
  type MeanDifference,
  mcnemar,
  meanOf,
  newConversations,
  type PairedDifference,
  pairedDifferences,
  questionPermutation,
  type SignFlip,
  theseConversations,
} from '../statistics/statistics.js';
import type { ArmRows } from './arm-rows.js';
import type { ContrastResult, NotComputed } from './comparison.js';

/** One contrast's numbers, before it is known what else was tested. */
export interface ContrastNumbers
  extends Omit<ContrastResult, 'adjusted_p' | 'verdict' | 'planned' | 'smallest_detectable'> {
  /** Of new conversations, by each of OB-4's two means. */
  readonly tests: { readonly as_zero: Test; readonly left_out: Test };
  /** Questions in pairs, by conversation. */
  readonly questions: ReadonlyMap<string, number>;
}

/** What a difference is tested by. */
export interface Test {
  readonly estimate: number | null;
  /** Null where nothing could have been found, however large. */
  readonly p: number | null;
}

interface Sides {
  readonly base: ArmRows;
  readonly head: ArmRows;
}

interface ContrastOptions {
  readonly base_arm: string;
  readonly head_arm: string;
  readonly scorer: string;
  readonly alpha: number;
  readonly diagnostics: boolean;
  /** Of what is drawn: the same of the same rows' identity. */
  readonly seed: string;
}

const NOT_COMPUTED: NotComputed = { kind: 'not_computed' };

/** Computes one scorer's difference between two arms' rows of one dataset (RP-3). */
export function contrastNumbers(
  sides: Sides,
  { base_arm, head_arm, scorer, alpha, seed, diagnostics }: ContrastOptions,
): ContrastNumbers {
  const { pairs, only_base, only_head } = pairsOf(sides, scorer, 'as-zero');
  const without = pairsOf(sides, scorer, 'left-out').pairs;
  const found = newConversations(pairs, alpha);
  const foundWithout = newConversations(without, alpha);
  const [these, theseWithout] = [theseConversations(pairs, alpha), theseConversations(without, alpha)];
  const signFlip = clusterSignFlip(pairs, { alpha, seed });
  return {
    head_arm,
    base_arm,
    scorer,
    rows: { base: sides.base.counts(scorer), head: sides.head.counts(scorer) },
    pairs: pairs.length,
    only_base,
    only_head,
    base_mean: pairs.length === 0 ? null : meanOf(pairs.map(({ base }) => base)),
    head_mean: pairs.length === 0 ? null : meanOf(pairs.map(({ head }) => head)),
    new_conversations: found,
    these_conversations: these,
    without_failures: {
      pairs: without.length,
      new_conversations: foundWithout,
      these_conversations: theseWithout,
    },
    sign_flip: signFlip,
    bootstrap: diagnostics ? clusterBootstrap(pairs, { alpha, seed }) : NOT_COMPUTED,
    within: {
      permutation: diagnostics ? questionPermutation(pairs, { alpha, seed }) : NOT_COMPUTED,
      mcnemar: mcnemar(pairs),
    },
    tests: {
      as_zero: testOf(found, these, signFlip),
      left_out: testOf(foundWithout, theseWithout, clusterSignFlip(without, { alpha, seed })),
    },
    questions: questionsOf(pairs),
  };
}

function pairsOf({ base, head }: Sides, scorer: string, failures: 'as-zero' | 'left-out') {
  return pairedDifferences(base.scores(scorer, failures), head.scores(scorer, failures));
}

/**
 * The t test of new conversations; but no smaller p than within these conversations. What is not told apart from the noise of the questions that were
 * asked is not told apart for others: where few conversations come to nearly the same mean by chance, their t test alone would find a difference in one
 * question of each (docs/decisions/comparison.md).
 *
 * Where there is no error to test by, because all conversations differ by the same, the sign-flip test, if it could have found anything. Two arms
 * that differ nowhere are no difference at all: p is 1.
 */
export function testOf(found: MeanDifference, these: MeanDifference, signFlip: SignFlip): Test {
  switch (found.kind) {
    case 'no_pairs':
      return { estimate: null, p: null };
    case 'one_unit':
      return { estimate: found.estimate, p: null };
    case 'estimated':
      return { estimate: found.estimate, p: these.kind === 'estimated' ? Math.max(found.p, these.p) : found.p };
    case 'all_equal':
    case 'no_variance':
      if (signFlip.kind === 'all_zero') return { estimate: found.estimate, p: 1 };
      return {
        estimate: found.estimate,
        p: signFlip.kind === 'tested' && signFlip.could_reach_alpha ? signFlip.p : null,
      };
  }
}

function questionsOf(pairs: readonly PairedDifference[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { conversation } of pairs) counts.set(conversation, (counts.get(conversation) ?? 0) + 1);
  return counts;
}
