/** An arm's place by one judge. */
export interface RankedArm {
  readonly arm: string;
  /** Null where the arm has no verdict: it has no rank then. */
  readonly mean: number | null;
  /** From 1; equal means share one. */
  readonly rank: number | null;
}

/** Two arms that two judges put in opposite orders. */
export interface RankChange {
  readonly judges: readonly [string, string];
  /** The first judge has the first arm ahead, the second judge the second. */
  readonly arms: readonly [string, string];
}

/** Ranks arms by their means, the highest first, in the order given. */
export function ranksOf(means: readonly { readonly arm: string; readonly mean: number | null }[]): RankedArm[] {
  return means.map(({ arm, mean }) => ({
    arm,
    mean,
    rank: mean === null ? null : 1 + means.filter((other) => other.mean !== null && other.mean > mean).length,
  }));
}

/** Every pair of arms whose order two judges reverse (OB-7); a tie by either reverses nothing. Pairs of judges in the order given. */
export function rankChanges(byJudge: ReadonlyMap<string, readonly RankedArm[]>): RankChange[] {
  const judges = [...byJudge];
  return judges.flatMap(([first, ranks], index) =>
    judges.slice(index + 1).flatMap(([second, others]) =>
      pairs(ranks).flatMap(([one, two]): RankChange[] => {
        const here = order(ranks, one, two);
        const there = order(others, one, two);
        if (here * there >= 0) return [];
        return [{ judges: [first, second], arms: here > 0 ? [one, two] : [two, one] }];
      }),
    ),
  );
}

function pairs(ranks: readonly RankedArm[]): [string, string][] {
  return ranks.flatMap(({ arm }, index) => ranks.slice(index + 1).map((other): [string, string] => [arm, other.arm]));
}

/** Above 0 where `one` is ahead of `two`, 0 where neither is or one has no mean. */
function order(ranks: readonly RankedArm[], one: string, two: string): number {
  const mean = (name: string): number | null => ranks.find(({ arm }) => arm === name)?.mean ?? null;
  const [left, right] = [mean(one), mean(two)];
  return left === null || right === null ? 0 : Math.sign(left - right);
}
