/** The nearest-rank median of counts of tokens, as run.json has it; null of none. */
export function medianOf(counts: readonly number[]): number | null {
  const sorted = Float64Array.from(counts).sort();
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}
