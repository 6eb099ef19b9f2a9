/** A statement on its way to become a belief. */
export interface Draft {
  readonly statement: string;
  readonly subjects: readonly string[];
  readonly sources: readonly string[];
  readonly observedAt: string;
  readonly confidence: number;
}

/** A stated rule: 0.9, less for what makes a statement less sure; never under 0.3. */
export const CONFIDENCE = {
  plain: 0.9,
  hedged: -0.3,
  pronounFromOtherTurn: -0.1,
  joinedAnswer: -0.1,
  fragment: -0.1,
} as const;

/** Confidence from its parts, to two digits. */
export function confidenceOf(parts: readonly (keyof typeof CONFIDENCE)[]): number {
  const sum = parts.reduce((total: number, part) => total + CONFIDENCE[part], CONFIDENCE.plain);
  return Math.max(0.3, Math.round(sum * 100) / 100);
}
