/** What an arm costs, and how good it is. */
export interface PricedArm {
  readonly arm: string;
  readonly cost: number;
  readonly score: number;
}

/**
 * The arms that none beats in both: no other costs as little and scores as much, and is better in one of the two. By their figures as they are: whether a difference
 * is real is not its question. Cheapest first; of arms that are equal in both, all.
 */
export function paretoFront(arms: readonly PricedArm[]): PricedArm[] {
  const beats = (one: PricedArm, other: PricedArm): boolean =>
    one.cost <= other.cost && one.score >= other.score && (one.cost < other.cost || one.score > other.score);
  return arms
    .filter((arm) => !arms.some((other) => beats(other, arm)))
    .sort((one, other) => one.cost - other.cost || one.score - other.score);
}
