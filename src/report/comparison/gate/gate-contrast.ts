import type { MeanDifference } from '../../statistics/statistics.js';
import type { ContrastResult, GateResult } from '../comparison.js';
import type { GateCondition } from './condition.js';
import { type GateFinding, gateSentence } from './gate-sentence.js';
import { whyInvalid } from './lost-share.js';
import { type GateOutcome, gateOutcome } from './outcome.js';
import type { GateRule } from './rule.js';

/** Whether a condition can be of these rows: not where the scorer applies to no question of either arm. */
export function applies({ rows, pairs, only_base, only_head }: ContrastResult, { max_lost_share }: GateRule): boolean {
  const isThere = [rows.base, rows.head].every(({ rows: n, lost }) => n > 0 && lost <= n * max_lost_share);
  return !isThere || pairs + only_base + only_head > 0;
}

/** One condition, of one contrast. */
export function gateContrast(
  condition: GateCondition,
  dataset: string,
  contrast: ContrastResult,
  rule: GateRule,
): GateResult {
  const found = decided(condition, contrast, rule);
  return {
    condition: condition.text,
    dataset,
    scorer: condition.scorer,
    base_arm: contrast.base_arm,
    head_arm: contrast.head_arm,
    tests: condition.tests,
    scope: rule.scope,
    threshold: condition.threshold,
    value: found.value,
    outcome: found.outcome,
    sentence: gateSentence(condition, contrast, rule, found),
  };
}

function decided(condition: GateCondition, contrast: ContrastResult, rule: GateRule): GateFinding {
  if (rule.unlike_rulers.length > 0) return nothing('untestable', otherRulers(rule.unlike_rulers));
  const lost = whyInvalid(contrast, rule.max_lost_share);
  if (lost !== null) return nothing('invalid', lost);
  const isNew = rule.scope === 'new-conversations';
  const units = isNew ? conversationsOf(contrast.sign_flip) : contrast.pairs;
  const found = isNew ? contrast.new_conversations : contrast.these_conversations;
  const counted = gateOutcome(condition, found, rule.alpha, units);
  const without = withoutFailures(condition, contrast, rule);
  if (without === null || isRegression(without) === isRegression(counted))
    return { ...counted, why: equalUnits(counted, found, units, isNew) };
  // What an arm fails at by its own making is its users' loss too: it is no excuse (OB-4).
  if (isRegression(counted)) return { ...counted, why: `only with its failures counted as 0: ${failures(contrast)}` };
  return nothing(
    'invalid',
    `with failures left out it would be a regression, with failures as 0 it is none, and so no verdict is given: ${failures(contrast)}`,
  );
}

function nothing(outcome: 'invalid' | 'untestable', why: string): GateFinding {
  return { outcome, value: null, why, sign_test_p: null };
}

/** The same with failures left out; null where nothing failed. */
function withoutFailures(
  condition: GateCondition,
  { rows, without_failures, sign_flip }: ContrastResult,
  { scope, alpha }: GateRule,
): GateOutcome | null {
  if (rows.base.failed + rows.head.failed === 0) return null;
  return scope === 'new-conversations'
    ? gateOutcome(condition, without_failures.new_conversations, alpha, conversationsOf(sign_flip))
    : gateOutcome(condition, without_failures.these_conversations, alpha, without_failures.pairs);
}

function isRegression({ outcome }: GateOutcome): boolean {
  return outcome === 'regression';
}

function conversationsOf(sign_flip: ContrastResult['sign_flip']): number {
  return sign_flip.kind === 'no_pairs' ? 0 : sign_flip.units;
}

function failures({ rows }: ContrastResult): string {
  return `${rows.base.failed} of ${rows.base.rows} rows of base and ${rows.head.failed} of ${rows.head.rows} of head failed`;
}

/** What is said where no bound can be given, since nothing varies; null where there is one. */
function equalUnits(
  { outcome, sign_test_p }: GateOutcome,
  found: MeanDifference,
  units: number,
  isNew: boolean,
): string | null {
  if (sign_test_p === null) return null;
  if (found.kind === 'all_equal' && found.estimate === 0) return 'no question differs';
  const each = `every one of ${units} ${isNew ? 'conversations' : 'questions'} differs by the same`;
  const why = `${each}, which chance would do with p ${Number(sign_test_p.toPrecision(2))}`;
  return outcome === 'untestable' ? `it has no bound: ${why}` : why;
}

function otherRulers(names: readonly string[]): string {
  return `base and head are not measured alike (${names.join(', ')} differ): score both by the same, or name what was meant with --treatment`;
}
