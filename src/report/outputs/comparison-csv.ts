import type { Comparison, ContrastResult } from '../comparison/comparison.js';
import { estimateOf } from '../comparison/verdicts/contrast-text.js';
import type { MeanDifference } from '../statistics/statistics.js';

/**
 * A comparison as CSV (RP-4): a line for each dataset, pair of arms and scorer, the sides' runs in each, so that files of many nights can be put together.
 * Numbers are unrounded; an empty cell is "none". Text that a spreadsheet would take for a formula has an apostrophe before it.
 */
export async function comparisonCsv(comparison: Comparison): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const rows = comparison.datasets.flatMap(({ dataset, contrasts }) =>
    contrasts.map((contrast) => lineOf(comparison, dataset, contrast)),
  );
  return stringify(rows, { header: true, columns: COLUMNS as unknown as string[], escape_formulas: true, cast: CAST });
}

/** Numbers in the shortest form that reads back to the same, never with a locale's comma. */
const CAST = { number: String, boolean: (value: boolean) => (value ? 'true' : 'false') };

function lineOf(comparison: Comparison, dataset: string, contrast: ContrastResult): Record<Column, Cell> {
  const { base, head, gates } = comparison;
  const { rows, sign_flip: flip, bootstrap, smallest_detectable: smallest, within } = contrast;
  const of = gates.filter(
    (gate) =>
      gate.dataset === dataset &&
      gate.scorer === contrast.scorer &&
      gate.head_arm === contrast.head_arm &&
      gate.base_arm === contrast.base_arm,
  );
  const [found, these] = [interval(contrast.new_conversations), interval(contrast.these_conversations)];
  return {
    base_run: base.run,
    head_run: head.run,
    dataset,
    head_arm: contrast.head_arm,
    base_arm: contrast.base_arm,
    scorer: contrast.scorer,
    planned: contrast.planned,
    confounded: comparison.confounded,
    pairs: contrast.pairs,
    only_base: contrast.only_base,
    only_head: contrast.only_head,
    base_mean: contrast.base_mean,
    head_mean: contrast.head_mean,
    difference: estimateOf(contrast.new_conversations),
    new_kind: contrast.new_conversations.kind,
    new_lo: found?.lo,
    new_hi: found?.hi,
    new_p: found?.p,
    adjusted_p: contrast.adjusted_p,
    these_kind: contrast.these_conversations.kind,
    these_lo: these?.lo,
    these_hi: these?.hi,
    sign_flip_p: flip.kind === 'tested' ? flip.p : null,
    sign_flip_smallest_p: flip.kind === 'tested' ? flip.smallest_p : null,
    bootstrap_lo: bootstrap.kind === 'estimated' ? bootstrap.lo : null,
    bootstrap_hi: bootstrap.kind === 'estimated' ? bootstrap.hi : null,
    smallest_detectable: smallest.kind === 'estimated' ? smallest.difference : null,
    difference_without_failures: estimateOf(contrast.without_failures.new_conversations),
    within_permutation_p: within.permutation.kind === 'tested' ? within.permutation.p : null,
    within_mcnemar_p: within.mcnemar.kind === 'tested' ? within.mcnemar.p : null,
    base_rows: rows.base.rows,
    base_failed: rows.base.failed,
    base_lost: rows.base.lost,
    head_rows: rows.head.rows,
    head_failed: rows.head.failed,
    head_lost: rows.head.lost,
    verdict: contrast.verdict.kind,
    sentence: contrast.verdict.sentence,
    basis: contrast.verdict.basis.join(' '),
    gates: of.map(({ condition, outcome }) => `${condition}: ${outcome}`).join('; '),
  };
}

type Cell = string | number | boolean | null | undefined;

const COLUMNS = [
  'base_run',
  'head_run',
  'dataset',
  'head_arm',
  'base_arm',
  'scorer',
  'planned',
  'confounded',
  'pairs',
  'only_base',
  'only_head',
  'base_mean',
  'head_mean',
  'difference',
  'new_kind',
  'new_lo',
  'new_hi',
  'new_p',
  'adjusted_p',
  'these_kind',
  'these_lo',
  'these_hi',
  'sign_flip_p',
  'sign_flip_smallest_p',
  'bootstrap_lo',
  'bootstrap_hi',
  'smallest_detectable',
  'difference_without_failures',
  'within_permutation_p',
  'within_mcnemar_p',
  'base_rows',
  'base_failed',
  'base_lost',
  'head_rows',
  'head_failed',
  'head_lost',
  'verdict',
  'sentence',
  'basis',
  'gates',
] as const;
type Column = (typeof COLUMNS)[number];

function interval(found: MeanDifference): Extract<MeanDifference, { kind: 'estimated' }> | null {
  return found.kind === 'estimated' ? found : null;
}
