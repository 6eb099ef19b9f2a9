/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const RRF_K = 60;

/** How many of each ranking take part in a fusion: this many, or the limit where that is more. */
export const FUSION_DEPTH = 100;

/** A store position with its score. */
export interface Scored {
  readonly position: number;
  readonly score: number;
}

/** A score as it is compared and recorded: to 1e-6 (RT-2), and never a negative zero. */
export function quantised(score: number): number {
  return Math.round(score * 1e6) / 1e6 + 0;
}

/**
 * Reciprocal rank fusion: an item scores the sum of 1 / (60 + its rank) over the rankings that hold it. Quantised to 1e-6, ties by
 * store position (RT-2).
 *
 * @param rankings store positions, best first, each without repeats.
 */
export function fuse(rankings: readonly (readonly number[])[], limit: number): Scored[] {
  const sums = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [index, position] of ranking.entries()) {
      sums.set(position, (sums.get(position) ?? 0) + 1 / (RRF_K + index + 1));
    }
  }
  return [...sums]
    .map(([position, sum]) => ({ position, score: quantised(sum) }))
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, limit);
}
