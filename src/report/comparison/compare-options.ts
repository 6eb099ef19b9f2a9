/** What is asked of a comparison. */
export interface CompareOptions {
  /** The arm of head; null: every arm that is to be compared. */
  readonly arm: string | null;
  /** The arm of base that it is compared with; null: between two runs the same arm, within one the baseline. */
  readonly against: string | null;
  /** `primary`: the plan's alone; `all`: that, and every other that both sides have; else those. */
  readonly scorers: 'primary' | 'all' | readonly string[];
  /** Scorers of gates: compared, whatever others are. */
  readonly gated: readonly string[];
  /** Factors that were meant to differ. */
  readonly treatments: readonly string[];
  /** Whether unlike banks may be compared (RP-2). */
  readonly across_banks: boolean;
  /** Whether arms with a fallback may be compared. */
  readonly allow_degraded: boolean;
  /** Whether what no verdict rests on is drawn too: the bootstrap, and the permutation of questions. */
  readonly diagnostics: boolean;
}

/** What is compared by default, and nothing that has to be asked for. */
export const COMPARE_DEFAULTS: CompareOptions = {
  arm: null,
  against: null,
  scorers: 'primary',
  gated: [],
  treatments: [],
  across_banks: false,
  allow_degraded: false,
  diagnostics: true,
};
