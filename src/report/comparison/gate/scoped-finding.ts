import type { MeanDifference } from '../../statistics/statistics.js';
import type { GateCondition } from './condition.js';
import type { GateFinding } from './gate-sentence.js';
import { type GateOutcome, gateOutcome } from './outcome.js';
import type { GateRule } from './rule.js';

/** The numbers that a gate is held by: of one contrast, failures as 0 or left out. */
export interface GateNumbers {
  readonly new_conversations: MeanDifference;
  readonly these_conversations: MeanDifference;
  readonly conversations: number;
  readonly questions: number;
}

/**
 * What a condition makes of a contrast, in the scope of the rule.
 *
 * Nothing is concluded about new conversations that the noise of the questions asked does not allow within these, as in verdicts: where few
 * conversations come to nearly the same mean by chance, their bound alone would be certain of anything (docs/decisions/gates.md).
 */
export function scopedFinding(
  condition: GateCondition,
  numbers: GateNumbers,
  { scope, alpha }: Pick<GateRule, 'scope' | 'alpha'>,
): GateFinding {
  const { new_conversations, these_conversations, conversations, questions } = numbers;
  const these = gateOutcome(condition, these_conversations, alpha, questions);
  if (scope === 'these-conversations')
    return { ...these, why: whyEqual(these, these_conversations, `${questions} questions`) };
  const found = gateOutcome(condition, new_conversations, alpha, conversations);
  const isTold = found.outcome === 'regression' || found.outcome === 'within-margin';
  // Means that are equal by chance give no bound; where these conversations have one, it says whether there is a fall to be explained at all.
  const isChance = found.outcome === 'untestable' && found.value !== null && isNoRegression(these);
  if (condition.tests === 'bound' && (isChance || (isTold && these.outcome !== found.outcome)))
    return {
      ...these,
      outcome: 'no-regression-shown',
      why: 'that of these conversations: the noise of their questions',
    };
  return { ...found, why: whyEqual(found, new_conversations, `${conversations} conversations`) };
}

function isNoRegression({ outcome }: GateOutcome): boolean {
  return outcome === 'no-regression-shown' || outcome === 'within-margin';
}

/** What is said where no bound can be given, since nothing varies; null where there is one. */
function whyEqual({ outcome, sign_test_p }: GateOutcome, found: MeanDifference, units: string): string | null {
  if (sign_test_p === null) return null;
  if (found.kind === 'all_equal' && found.estimate === 0) return 'no question differs';
  const why = `every one of ${units} differs by the same, which chance would do with p ${Number(sign_test_p.toPrecision(2))}`;
  return outcome === 'untestable' ? `it has no bound: ${why}` : why;
}
