import type { ContrastResult, GateResult } from '../comparison.js';
import type { GateCondition } from './condition.js';
import type { GateRule } from './rule.js';

/** What a gate found of one contrast. */
export interface GateFinding extends Pick<GateResult, 'outcome' | 'value'> {
  /** What must be said beside the outcome; null where it speaks for itself. */
  readonly why: string | null;
  /** Of the sign test; null where there is a bound, and `value` is that and not the difference itself. */
  readonly sign_test_p: number | null;
}

/** One plain sentence of what a gate found, with the numbers that it rests on. */
export function gateSentence(
  condition: GateCondition,
  { head_arm, base_arm }: Pick<ContrastResult, 'head_arm' | 'base_arm'>,
  rule: GateRule,
  { outcome, value, why, sign_test_p }: GateFinding,
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
      return `${what}: within the margin: ${held(condition, rule, value, sign_test_p === null)} does not lie ${condition.side} ${condition.threshold}, nor does the other bound${because}.`;
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
  const confidence = `${Number(((1 - alpha) * 100).toFixed(2))} %, ${scope === 'new-conversations' ? 'new conversations' : 'these conversations'}`;
  return `the ${side === 'below' ? 'upper' : 'lower'} bound ${number} of head - base (one-sided, ${confidence})`;
}
