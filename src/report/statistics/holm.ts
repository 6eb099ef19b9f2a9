/** A planned contrast's p; null where its test could not be made. */
export interface Contrast {
  readonly id: string;
  readonly p: number | null;
}

/** A contrast with its p adjusted for all that were planned. */
export interface AdjustedContrast extends Contrast {
  readonly adjusted_p: number | null;
}

/**
 * Holm's step-down adjustment over the planned contrasts (Holm, 1979; RP-3, MX-8): of m, the i-th smallest p becomes
 * max over j ≤ i of min(1, (m - j + 1) p_(j)). The chance of any false finding among all of them stays at most alpha.
 *
 * A contrast whose test could not be made counts in m, since it was planned, and stays null. The order of the input is kept.
 */
export function holm(planned: readonly Contrast[]): AdjustedContrast[] {
  const adjusted = new Map<Contrast, number>();
  let largest = 0;
  const tested = planned.filter(({ p }) => p !== null).sort((one, other) => Number(one.p) - Number(other.p));
  for (const [index, contrast] of tested.entries()) {
    largest = Math.max(largest, Math.min(1, (planned.length - index) * Number(contrast.p)));
    adjusted.set(contrast, largest);
  }
  return planned.map((contrast) => ({ ...contrast, adjusted_p: adjusted.get(contrast) ?? null }));
}
