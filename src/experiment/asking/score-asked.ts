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
  const isAnswered = asked.outcome.kind === 'answered';
  return scoresOf(scoredRow(asked, label, ranked), isAnswered, scorers, asked.module_scores);
}

/** The scores of a row as scorers see it. */
export function scoresOf(
  row: ScoredRow,
  isAnswered: boolean,
  scorers: readonly Scorer[],
  module_scores: Asked['module_scores'],
): { scores: Record<string, number | null>; applicable: string[] } {
  const scores = [
    ...scorers.map((scorer) => [scorer.name, scorer.score(row)] as const),
    ...Object.entries(module_scores),
  ];
  return {
    scores: Object.fromEntries(scores.map(([name, score]) => [name, isAnswered ? score : null])),
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
    ranked_sources: ranked && !(asked.is_given && asked.recalled === null) ? rankedSources(itemsOf(asked)) : null,
  };
}

function itemsOf({ recalled, context }: Asked): RankedItem[] {
  return (recalled?.items ?? []).map(({ rank, sources }, index) => ({
    rank,
    sources,
    tokens: context?.item_tokens[index] ?? null,
  }));
}

/** A retrieved item, with the tokens of its line of the context; null where none was assembled. */
interface RankedItem {
  readonly rank: number;
  readonly sources: readonly string[];
  readonly tokens: number | null;
}

/** Turns in the rank order of the items that brought them, the first rank of each. */
export function rankedSources(items: readonly RankedItem[]): NonNullable<ScoredRow['ranked_sources']> {
  const sources = new Map<string, { turn: string; rank: number; tokens: number }>();
  let tokens = 0;
  for (const item of items) {
    tokens += item.tokens ?? 0;
    for (const turn of item.sources) if (!sources.has(turn)) sources.set(turn, { turn, rank: item.rank, tokens });
  }
  return [...sources.values()];
}
