import type { SummaryRow } from '../summary/summary-row.js';

/** A failure that counts as zero: the arm's own, not the provider's and not the budget's (OB-4). */
export function isOwnFailure(row: SummaryRow): boolean {
  return row.outcome.kind === 'failed' && row.outcome.cause?.own_making === true;
}

/** What a row puts into a scorer's mean: its score, or 0 for an own failure that the scorer applies to; null where it is in no mean (OB-4). */
export function countedScore(row: SummaryRow, scorer: string): number | null {
  if (isOwnFailure(row)) return row.applicable.includes(scorer) ? 0 : null;
  const score = row.scores[scorer];
  return row.outcome.kind === 'answered' && typeof score === 'number' ? score : null;
}

/** A question of a run, as a key: two fixtures may have questions of one id. */
export function questionKey({ fixture, question }: Pick<SummaryRow, 'fixture' | 'question'>): string {
  return JSON.stringify([fixture, question]);
}

/** The items that share a key, together, in the order of their first. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** The mean of some numbers; null for none. */
export function meanOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** One question's mean: over each replicate's repeats, then over replicates, as pairs of arms have it (RP-3). @param own at least one. */
export function questionMean(own: readonly { readonly replicate: number; readonly score: number }[]): number {
  const byReplicate = grouped(own, ({ replicate }) => `${replicate}`);
  return meanOf(byReplicate.map((repeats) => meanOf(repeats.map(({ score }) => score)) as number)) as number;
}

/** The mean over questions, each first averaged over its repeats and replicates, so that a question with a lost row weighs as much as any (FB-18, RP-3). */
export function meanOverQuestions(
  scores: readonly { readonly question: string; readonly replicate: number; readonly score: number }[],
): number | null {
  return meanOf(grouped(scores, ({ question }) => question).map(questionMean));
}
