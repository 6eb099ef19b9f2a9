import type { Label } from '../../fixture/label.js';
import type { ScoredRow, Scorer } from '../../scoring/scoring.js';
import type { Asked } from './asked.js';

/** Scores an asked question; a row without an answer has null scores, and still says which scorers apply to it. */
export function scoreAsked(
  asked: Asked,
  label: Label,
  scorers: readonly Scorer[],
  ranked: boolean,
): { scores: Record<string, number | null>; applicable: string[] } {
  const row = scoredRow(asked, label, ranked);
  const scores = [
    ...scorers.map((scorer) => [scorer.name, scorer.score(row)] as const),
    ...Object.entries(asked.module_scores),
  ];
  const answered = asked.outcome.kind === 'answered';
  return {
    scores: Object.fromEntries(scores.map(([name, score]) => [name, answered ? score : null])),
    applicable: scores.flatMap(([name, score]) => (score === null ? [] : [name])),
  };
}

/** An asked question as scorers see it. */
export function scoredRow(asked: Asked, label: Label, ranked: boolean): ScoredRow {
  return {
    label,
    answer: asked.answer ?? '',
    abstained: asked.abstained ?? false,
    // An answer that was given without a ranking has none to be scored.
    ranked_sources: ranked && !(asked.is_given && asked.recalled === null) ? rankedSources(asked) : null,
  };
}

/** Turns in the rank order of the items that brought them, the first rank of each. */
function rankedSources({ recalled, context }: Asked): NonNullable<ScoredRow['ranked_sources']> {
  const sources = new Map<string, { turn: string; rank: number; tokens: number }>();
  let tokens = 0;
  for (const [index, item] of (recalled?.items ?? []).entries()) {
    tokens += context?.item_tokens[index] ?? 0;
    for (const turn of item.sources) if (!sources.has(turn)) sources.set(turn, { turn, rank: item.rank, tokens });
  }
  return [...sources.values()];
}
