/**
 * Splits an amount in proportion to weights by largest remainder: the shares sum exactly to it, and of equal remainders the first ones are
 * rounded up (OB-2).
 *
 * @param weights at least one, none below zero, not all of them zero.
 */
export function splitByWeight(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = weights.map((weight) => (total * weight) / all);
  const remainders = weights.map((weight, index) => ({ index, remainder: (total * weight) % all }));
  const left = Number(total - shares.reduce((sum, share) => sum + share, 0n));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of remainders.slice(0, left)) shares[index] = (shares[index] as bigint) + 1n;
  return shares;
}
