import { showConfidence } from '../../number-text.js';
import type { ContrastResult, GateResult } from '../comparison.js';
import type { GateCondition } from './condition.js';
import type { GateRule } from './rule.js';

/** What a gate found of one contrast. */
export interface GateFinding extends Pick<GateResult, 'outcome' | 'value'> {
  /** What must be said beside the outcome; null where it speaks for itself. */
  readonly why: string | null;
  /** The other bound, which shows that the threshold is kept; null where no bound does. */
  readonly kept_by: number | null;
  /** Of the sign test; null where there is a bound, and `value` is that and not the difference itself. */
  readonly sign_test_p: number | null;
}

/** One plain sentence of what a gate found, with the numbers that it rests on. */
export function gateSentence(
  condition: GateCondition,
  { head_arm, base_arm }: Pick<ContrastResult, 'head_arm' | 'base_arm'>,
  rule: GateRule,
  { outcome, value, kept_by, why, sign_test_p }: GateFinding,
): string {
  const what = `${condition.scorer} of ${head_arm === base_arm ? head_arm : `${head_arm} against ${base_arm}`}`;
  const because = why === null ? '' : ` (${why})`;
  switch (outcome) {
    case 'invalid':
      return `${what}: neither pass nor regression: ${why}.`;
    case 'untestable':
      return `${what}: untestable: ${why ?? `it can never fail, since ${NO_BOUND[rule.scope]}`}.`;
    case 'regression':
      return `${what}: regression: ${held(condition, rule, value, sign_test_p === null)} lies ${condition.side} ${condition.threshold}${because}.`;
    case 'within-margin':
      return `${what}: within the margin, shown ${kept(condition)}: ${keptBy(condition, rule, kept_by, value)}${because}.`;
    case 'no-regression-shown':
      return `${what}: no regression is shown: ${held(condition, rule, value, sign_test_p === null)} does not lie ${condition.side} ${condition.threshold}${because}.`;
  }
}

const NO_BOUND: Readonly<Record<GateResult['scope'], string>> = {
  'new-conversations':
    'of new conversations nothing can be told from fewer than two (--gate-scope these can, or `estimate` in the condition)',
  'these-conversations': 'nothing can be told from fewer than two questions (`estimate` in the condition can)',
};

/** What is held against the threshold. */
function held(
  { tests, side }: GateCondition,
  { scope, alpha }: GateRule,
  value: number | null,
  hasBound: boolean,
): string {
  const number = value === null ? 'unknown' : value.toFixed(4);
  if (!hasBound) return `the difference ${number}`;
  if (tests === 'estimate') return `the estimate ${number}`;
  return `the ${side === 'below' ? 'upper' : 'lower'} bound ${number} of head - base (${oneSidedText({ scope, alpha })})`;
}

function oneSidedText({ scope, alpha }: Pick<GateRule, 'scope' | 'alpha'>): string {
  return `one-sided, ${showConfidence(alpha)}, ${scope === 'new-conversations' ? 'new conversations' : 'these conversations'}`;
}

/** What a threshold that is kept means for the score: a fall or a rise, and how much of it. */
function kept({ side, threshold }: GateCondition): string {
  const [bad, good] = side === 'below' ? ['fall', 'rise'] : ['rise', 'fall'];
  if (threshold === 0) return `not to ${bad}`;
  // A threshold beyond 0 asks for more than no harm.
  return threshold < 0 === (side === 'below')
    ? `not to ${bad} by more than ${Math.abs(threshold)}`
    : `to ${good} by ${Math.abs(threshold)} or more`;
}

/** What shows it: the bound nearer to the threshold, or that all units are alike. */
function keptBy({ side }: GateCondition, rule: GateRule, bound: number | null, difference: number | null): string {
  if (bound === null) return `the difference is ${signedNumber(difference ?? 0)}`;
  return `the ${side === 'below' ? 'lower' : 'upper'} bound of head - base is ${signedNumber(bound)} (${oneSidedText(rule)})`;
}

function signedNumber(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(4)}`;
}
