import type { ResolvedMatrix } from '../../matrix/matrix.js';

/** The plan that was made before the run, and what of its result that plan does not cover (MX-8). */
export interface AnalysisResult {
  /** The scorer that the plan tests. */
  readonly primary: string;
  /** Pairs [treatment, control] that the plan compares by it. */
  readonly contrasts: readonly (readonly [string, string])[];
  readonly alpha: number;
  readonly power: number;
  readonly margin: number;
  /** Looked at, and not planned: what they suggest wants a run of its own. */
  readonly exploratory: {
    /** Every scorer but the primary one. */
    readonly scorers: readonly string[];
    /** Arms that no contrast names, but for one that runs another again; among them every arm of a later extension: a pair with one of them was not planned. */
    readonly arms: readonly string[];
  };
}

/**
 * Divides a matrix's results by its analysis plan. The plan is bound by the matrix digest, and an extension may not change it: so what it names was
 * named before the first question was asked.
 */
export function analysisResult({ analysis, arms, scoring }: ResolvedMatrix): AnalysisResult {
  const planned = new Set(analysis.contrasts.flat());
  return {
    ...analysis,
    exploratory: {
      scorers: scoring.filter((name) => name !== analysis.primary),
      arms: arms.filter(({ name, aa_of }) => aa_of === undefined && !planned.has(name)).map(({ name }) => name),
    },
  };
}
