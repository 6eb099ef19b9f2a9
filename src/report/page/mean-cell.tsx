import type { VNode } from 'preact';
import type { MeanFigure } from '../figures/question-means.js';
import { showInterval, showScore } from '../number-text.js';
import type { MeanDifference } from '../statistics/statistics.js';

/** A mean with its denominator, unless that stands elsewhere. */
export function MeanCell({
  figure,
  isCounted = true,
}: {
  readonly figure: MeanFigure | null;
  readonly isCounted?: boolean;
}): VNode {
  if (figure === null || figure.mean === null) return <>–</>;
  return (
    <>
      {showScore(figure.mean)}
      {isCounted ? <small> n={figure.questions}</small> : null}
    </>
  );
}

/** The interval of a mean, or why there is none. */
export function meanInterval(found: MeanDifference): string {
  return found.kind === 'estimated' ? showInterval(found) : NO_INTERVAL[found.kind];
}

/** Why something has no interval. */
export const NO_INTERVAL: { readonly [Kind in Exclude<MeanDifference['kind'], 'estimated'>]: string } = {
  no_pairs: 'no score',
  one_unit: 'only one',
  all_equal: 'all equal',
  no_variance: 'no variance',
};
