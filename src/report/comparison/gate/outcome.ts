import type { MeanDifference } from '../../statistics/statistics.js';
import type { GateResult } from '../comparison.js';
import type { GateCondition } from './condition.js';
import { oneSided } from './one-sided.js';

/** What a condition makes of one mean difference. */
export interface GateOutcome {
  readonly outcome: Exclude<GateResult['outcome'], 'invalid'>;
  /** What was held against the threshold. */
  readonly value: number | null;
  /** The other bound, where both lie on this side of the threshold: what shows that it is kept. Null where there is none. */
  readonly kept_by: number | null;
  /** That the units differ by the same, and the sign test took the interval's place: its p. */
  readonly sign_test_p: number | null;
}

/**
 * Holds a difference against a threshold (RP-4).
 *
 * A bound fails where it lies beyond the threshold, so that all that the difference may be does: with a true difference on the threshold, one night in
 * 1/alpha. The other bound on this side of it shows that the difference is within the margin; else nothing is shown either way.
 *
 * @param units what the difference is a mean over: conversations, or questions.
 */
export function gateOutcome(
  { tests, side, threshold }: GateCondition,
  found: MeanDifference,
  alpha: number,
  units: number,
): GateOutcome {
  const isBeyond = (value: number): boolean => (side === 'below' ? value < threshold : value > threshold);
  const passed = (value: number, sign_test_p: number | null = null): GateOutcome => ({
    outcome: isBeyond(value) ? 'regression' : 'no-regression-shown',
    value,
    kept_by: null,
    sign_test_p,
  });
  if (tests === 'estimate') return found.kind === 'no_pairs' ? UNTESTABLE : passed(found.estimate);
  const said = oneSided(found, alpha, units);
  if (said.kind === 'none') return UNTESTABLE;
  if (said.kind === 'equal') {
    const { estimate, p } = said;
    if (p <= alpha) return isBeyond(estimate) ? passed(estimate, p) : within(estimate, null, p);
    // Nothing gives a bound, and there are too few units to do without: what lies beyond is neither shown nor dismissed.
    return isBeyond(estimate) ? { ...UNTESTABLE, value: estimate, sign_test_p: p } : passed(estimate, p);
  }
  const [held, other] = side === 'below' ? [said.upper, said.lower] : [said.lower, said.upper];
  return isBeyond(held) || isBeyond(other) ? passed(held) : within(held, other, null);
}

const UNTESTABLE: GateOutcome = { outcome: 'untestable', value: null, kept_by: null, sign_test_p: null };

function within(value: number, kept_by: number | null, sign_test_p: number | null): GateOutcome {
  return { outcome: 'within-margin', value, kept_by, sign_test_p };
}
