import type { Observation } from '../../experiment/experiment.js';
import { isOwnFailure } from '../../experiment/run-record.js';
import { MISS_BELOW, MISS_CAUSES } from '../../scoring/miss.js';
import { CAUSE_WORDS } from './cause-words.js';

/**
 * What becomes of a question under an arm: answered rightly, lost at a stage (OB-6), answered without a score that says so, failed by the
 * arm's own making, lost to the provider or the budget (OB-4), or not come to.
 */
export const FATES = ['right', ...MISS_CAUSES, 'unscored', 'failed', 'lost', 'unasked'] as const;
export type Fate = (typeof FATES)[number];
export type FateCounts = { readonly [Kind in Fate]: number };

/** Fates as people read them. */
export const FATE_WORDS: { readonly [Kind in Fate]: string } = {
  right: 'right',
  ...CAUSE_WORDS,
  untold: 'wrong, cause not told',
  unscored: 'answered, not scored',
  failed: 'failed (own)',
  lost: 'lost (provider, budget)',
  unasked: 'not asked',
};

/** @param scorer by which answers are wrong; null where none looks at answers. */
export function fateOf(row: Observation, scorer: string | null): Fate {
  if (isOwnFailure(row)) return 'failed';
  if (row.outcome.kind !== 'answered') return 'lost';
  const score = scorer === null ? null : (row.scores[scorer] ?? null);
  if (score === null) return 'unscored';
  return score >= MISS_BELOW ? 'right' : (row.miss?.cause ?? 'untold');
}

/** Counts fates, those of rows that are missing too. */
export function fateCounts(counts: ReadonlyMap<Fate, number>, expected: number): FateCounts {
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const all = FATES.map((fate) => [fate, counts.get(fate) ?? 0] as const);
  return { ...(Object.fromEntries(all) as FateCounts), unasked: Math.max(0, expected - rows) };
}
