import { counted } from '../../core/counted.js';
import { newConversations } from '../../report/statistics/statistics.js';
import type { ScoreDetail } from '../experiment.js';

/** One question's mean score. */
export interface QuestionMean {
  /** Its fixture: the cluster of all inference (RP-3). */
  readonly conversation: string;
  readonly score: number;
}

/** What an interval is reckoned by, beside the scores. */
export interface IntervalRule {
  /** One minus the confidence. */
  readonly alpha: number;
  /** The dataset that a fixture is of: those of several are never pooled (RP-3). */
  datasetOf(fixture: string): string;
}

/**
 * The interval of a mean score as it would be over new conversations of the same dataset (RP-3): cluster-robust t, conversations the clusters. It may
 * reach beyond 0 and 1, where so few conversations say that little.
 *
 * `lo` and `hi` are null where nothing tells how far new conversations would differ, and `method` says why.
 */
export function scoreInterval(
  means: readonly QuestionMean[],
  { alpha, datasetOf }: IntervalRule,
): Pick<ScoreDetail, 'lo' | 'hi' | 'method' | 'clusters'> {
  const conversations = new Set(means.map(({ conversation }) => conversation));
  const none = (why: string) => ({ lo: null, hi: null, method: `no interval: ${why}`, clusters: conversations.size });
  if (new Set([...conversations].map(datasetOf)).size > 1)
    return none('its conversations are of several datasets, which are never pooled');
  const found = newConversations(
    means.map(({ conversation, score }) => ({ conversation, difference: score })),
    alpha,
  );
  switch (found.kind) {
    case 'no_pairs':
      return none('no question has this score');
    case 'one_unit':
      return none('one conversation does not tell how far others differ from it');
    case 'all_equal':
      return none('every question has the same score');
    case 'no_variance':
      return none('every conversation has the same mean, which is chance and no certainty');
    case 'estimated':
      return {
        lo: found.lo,
        hi: found.hi,
        method: `${percent(alpha)} % for new conversations: cluster-robust t (jackknife) over question means, ${counted(found.degrees_of_freedom, 'degree')} of freedom`,
        clusters: conversations.size,
      };
  }
}

function percent(alpha: number): number {
  return Number(((1 - alpha) * 100).toFixed(2));
}
