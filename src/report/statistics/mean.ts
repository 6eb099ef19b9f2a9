/** The sum, the same whatever the order: from the smallest magnitude up, the negative before the positive of one magnitude. */
export function sumOf(values: readonly number[]): number {
  return [...values]
    .sort((one, other) => Math.abs(one) - Math.abs(other) || one - other)
    .reduce((sum, value) => sum + value, 0);
}

/** The mean, the same whatever the order. @param values at least one. */
export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}
