import { invalidInput } from '../../../core/errors.js';
import type { Comparison, GateResult } from '../comparison.js';

/** What must not be true of a difference, as `--fail-if` gives it (RP-4). */
export interface GateCondition {
  /** As it was given. */
  readonly text: string;
  readonly scorer: string;
  readonly tests: GateResult['tests'];
  /** On which side of the threshold a difference is a regression: `below` for scores of which more is better. */
  readonly side: 'below' | 'above';
  /** In the scorer's own unit, above -1 and below 1: a difference of scores is never outside. */
  readonly threshold: number;
}

/** A module's path may hold spaces; no other scorer's name does. */
const GRAMMAR = /^\s*(module:.+?|\S+?)(?:\s+(estimate|bound))?\s*([<>])\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*$/;

/**
 * Reads `SCORER [estimate|bound] < NUMBER`, or with `>`. `bound` where neither is named.
 *
 * @throws `GATE_CONDITION` (exit 2): not of that form, or a threshold that no difference could lie beyond, or every one does.
 */
export function parseCondition(text: string): GateCondition {
  const [, scorer, tests = 'bound', sign, number] = GRAMMAR.exec(text) ?? [];
  if (scorer === undefined || number === undefined)
    throw refused(text, 'it is not of the form SCORER [estimate|bound] < NUMBER, or with >');
  return reachable({
    text: text.trim(),
    scorer,
    tests: tests === 'estimate' ? 'estimate' : 'bound',
    side: sign === '<' ? 'below' : 'above',
    threshold: Number(number),
  });
}

/**
 * The condition that the plan implies: the primary scorer fell by more than the margin (MX-8).
 *
 * @throws `GATE_CONDITION` (exit 2): a margin of 1, by more than which no score falls.
 */
export function plannedCondition({ primary, margin }: Pick<Comparison, 'primary' | 'margin'>): GateCondition {
  const threshold = margin === 0 ? 0 : -margin;
  return reachable({ text: `${primary} < ${threshold}`, scorer: primary, tests: 'bound', side: 'below', threshold });
}

function reachable(condition: GateCondition): GateCondition {
  if (Math.abs(condition.threshold) < 1) return condition;
  throw refused(condition.text, `scores lie from 0 to 1: no threshold of a difference is ${condition.threshold}`);
}

function refused(text: string, why: string): Error {
  return invalidInput('GATE_CONDITION', `the condition ${JSON.stringify(text)} cannot be read: ${why}`, {
    remedy: "give one such as --fail-if 'token-f1 < -0.02': fail where token-f1 is shown to have fallen by more",
  });
}
