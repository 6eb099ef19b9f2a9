import type { ScoredRow } from './scoring.js';

/** What every score of a ranking says of its mean. */
export const RANKED_DENOMINATOR =
  'Denominator: scored questions with evidence, of arms that rank; n/a where nothing is ranked or the question has no evidence.';

type RankedSources = NonNullable<ScoredRow['ranked_sources']>;

/** A row's evidence turns and ranked sources, each turn once, in rank order; null where a score of rankings does not apply. */
export function evidenceOf(
  row: ScoredRow,
): { readonly evidence: ReadonlySet<string>; readonly sources: RankedSources } | null {
  const evidence = new Set(row.label.evidence);
  if (row.ranked_sources === null || evidence.size === 0) return null;
  const seen = new Set<string>();
  const sources = row.ranked_sources.filter(({ turn }) => {
    if (seen.has(turn)) return false;
    seen.add(turn);
    return true;
  });
  return { evidence, sources };
}
