import type { Comparison, ContrastResult, RowCounts } from '../../src/report/comparison/comparison.js';
import {
  clusterBootstrap,
  clusterSignFlip,
  mcnemar,
  newConversations,
  type PairedDifference,
  questionPermutation,
  smallestDetectableDifference,
  theseConversations,
} from '../../src/report/statistics/statistics.js';
import { SAMPLE_DIGEST } from './observation-samples.js';

export const ALPHA = 0.05;
const SEED = 'sample';

/** Differences of conversations that are named c1, c2, …: one list of differences each, over a base score of one half. */
export function pairsOf(conversations: readonly (readonly number[])[]): PairedDifference[] {
  return conversations.flatMap((differences, index) =>
    differences.map((difference, question) => ({
      conversation: `c${index + 1}`,
      question: `q${question + 1}`,
      base: 0.5,
      head: 0.5 + difference,
      difference,
    })),
  );
}

/** A contrast with the real statistics of the given differences. */
export function sampleContrast(
  conversations: readonly (readonly number[])[],
  changes: Partial<ContrastResult> = {},
): ContrastResult {
  const pairs = pairsOf(conversations);
  const [found, these] = [newConversations(pairs, ALPHA), theseConversations(pairs, ALPHA)];
  const mean = (of: (pair: PairedDifference) => number): number | null =>
    pairs.length === 0 ? null : pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  return {
    head_arm: 'bm25',
    base_arm: 'bm25',
    scorer: 'token-f1',
    planned: true,
    rows: { base: rowsOf(pairs.length), head: rowsOf(pairs.length) },
    pairs: pairs.length,
    only_base: 0,
    only_head: 0,
    base_mean: mean(({ base }) => base),
    head_mean: mean(({ head }) => head),
    new_conversations: found,
    these_conversations: these,
    without_failures: { pairs: pairs.length, new_conversations: found, these_conversations: these },
    sign_flip: clusterSignFlip(pairs, { alpha: ALPHA, seed: SEED }),
    bootstrap: clusterBootstrap(pairs, { alpha: ALPHA, seed: SEED, draws: 200 }),
    smallest_detectable: smallestDetectableDifference(found, { alpha: ALPHA, power: 0.8 }),
    adjusted_p: found.kind === 'estimated' ? found.p : null,
    within: {
      permutation: questionPermutation(pairs, { alpha: ALPHA, seed: SEED }),
      mcnemar: mcnemar(pairs),
    },
    verdict: { kind: 'not-told-apart', sentence: 'bm25 and bm25 are not told apart.', basis: ['p is 0.5.'] },
    ...changes,
  };
}

export function rowsOf(rows: number, { failed = 0, lost = 0 }: Partial<RowCounts> = {}): RowCounts {
  return { rows, answered: rows - failed - lost, failed, lost };
}

/** Two runs of one dataset; everything else as told. */
export function sampleComparison(contrasts: readonly ContrastResult[], changes: Partial<Comparison> = {}): Comparison {
  const side = { path: '/runs/x', matrix: SAMPLE_DIGEST, started_at: '2026-05-01T00:00:00.000Z', status: 'complete' };
  return {
    format: 'comparison@1',
    base: { ...side, run: 'base-run', path: '/runs/base-run' },
    head: { ...side, run: 'head-run', path: '/runs/head-run' },
    kind: 'two-runs',
    factors: [],
    confounded: false,
    formation_differs: false,
    alpha: ALPHA,
    power: 0.8,
    margin: 0.02,
    primary: 'token-f1',
    datasets: [{ dataset: 'made-up', conversations: [{ fixture: 'c1', questions: 3 }], contrasts, noise_floors: [] }],
    gates: [],
    gate: 'none',
    notes: [],
    ...changes,
  };
}
