import type { GateResult } from '../comparison.js';

/** What a gate is held by. */
export interface GateRule {
  readonly scope: GateResult['scope'];
  /** One minus the confidence of each bound: the comparison's alpha, shared out over all gates that test a bound. */
  readonly alpha: number;
  /** What measures, differs between the sides, and was not meant to: scores are not on one scale then. */
  readonly unlike_rulers: readonly string[];
  /** Of rows lost to the provider or the budget, of either side: above it the night is invalid. */
  readonly max_lost_share: number;
}
