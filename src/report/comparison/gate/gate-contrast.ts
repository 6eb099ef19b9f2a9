import type { ContrastResult, GateResult } from '../comparison.js';
import type { GateCondition } from './condition.js';
import { type GateFinding, gateSentence } from './gate-sentence.js';
import { losesTooMany, whyInvalid } from './lost-share.js';
import type { GateRule } from './rule.js';
import { type GateNumbers, scopedFinding } from './scoped-finding.js';

/** Whether a condition can be of these rows: not where the scorer applies to no question of either arm. */
export function applies({ rows, pairs, only_base, only_head }: ContrastResult, { max_lost_share }: GateRule): boolean {
  const isThere = [rows.base, rows.head].every((side) => side.rows > 0 && !losesTooMany(side, max_lost_share));
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
  const counted = scopedFinding(condition, numbersOf(contrast, contrast), rule);
  const { base, head } = contrast.rows;
  if (base.failed + head.failed === 0) return counted;
  const without = scopedFinding(condition, numbersOf(contrast, contrast.without_failures), rule);
  if (isRegression(without) === isRegression(counted)) return counted;
  // What an arm fails at by its own making is its users' loss too: it is no excuse (OB-4).
  if (isRegression(counted)) return { ...counted, why: `only with its failures counted as 0: ${failures(contrast)}` };
  return nothing(
    'invalid',
    `with failures left out it would be a regression, with failures as 0 it is none, and so no verdict is given: ${failures(contrast)}`,
  );
}

function nothing(outcome: 'invalid' | 'untestable', why: string): GateFinding {
  return { outcome, value: null, kept_by: null, why, sign_test_p: null };
}

function numbersOf({ sign_flip }: ContrastResult, of: ContrastResult['without_failures']): GateNumbers {
  const { new_conversations, these_conversations, pairs } = of;
  const conversations = sign_flip.kind === 'no_pairs' ? 0 : sign_flip.units;
  return { new_conversations, these_conversations, conversations, questions: pairs };
}

function isRegression({ outcome }: GateFinding): boolean {
  return outcome === 'regression';
}

function failures({ rows }: ContrastResult): string {
  return `${rows.base.failed} of ${rows.base.rows} rows of base and ${rows.head.failed} of ${rows.head.rows} of head failed`;
}

function otherRulers(names: readonly string[]): string {
  return `base and head are not measured alike (${names.join(', ')} differ): score both by the same, or name what was meant with --treatment`;
}
