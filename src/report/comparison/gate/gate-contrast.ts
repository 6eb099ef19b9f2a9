import type { ContrastResult, GateResult } from '../comparison.js';
import type { GateCondition } from './condition.js';
import { gateSentence } from './gate-sentence.js';
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
  const { outcome, value, why } = decided(condition, contrast, rule);
  return {
    condition: condition.text,
    dataset,
    scorer: condition.scorer,
    base_arm: contrast.base_arm,
    head_arm: contrast.head_arm,
    tests: condition.tests,
    scope: rule.scope,
    threshold: condition.threshold,
    value,
    outcome,
    sentence: gateSentence(condition, contrast, rule, { outcome, value, why }),
  };
}

interface Decided {
  readonly outcome: GateResult['outcome'];
  readonly value: number | null;
  /** What must be said beside the outcome; null where it speaks for itself. */
  readonly why: string | null;
}

function decided(condition: GateCondition, contrast: ContrastResult, rule: GateRule): Decided {
  if (rule.unlike_rulers.length > 0)
    return { outcome: 'untestable', value: null, why: otherRulers(rule.unlike_rulers) };
  const lost = whyInvalid(contrast, rule.max_lost_share);
  if (lost !== null) return { outcome: 'invalid', value: null, why: lost };
  const isNew = rule.scope === 'new-conversations';
  const units = isNew ? conversationsOf(contrast.sign_flip) : contrast.pairs;
  const found = isNew ? contrast.new_conversations : contrast.these_conversations;
  const counted = gateOutcome(condition, found, rule.alpha, units);
  const without = withoutFailures(condition, contrast, rule);
  if (without === null || isRegression(without) === isRegression(counted))
    return { ...counted, why: counted.sign_test_p === null ? null : equalUnits(counted, units, isNew) };
  // What an arm fails at by its own making is its users' loss too: it is no excuse (OB-4).
  if (isRegression(counted)) return { ...counted, why: `only with its failures counted as 0: ${failures(contrast)}` };
  return {
    outcome: 'invalid',
    value: counted.value,
    why: `with failures left out it would be a regression, with failures as 0 it is none, and so no verdict is given: ${failures(contrast)}`,
  };
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

function equalUnits({ outcome, sign_test_p }: GateOutcome, units: number, isNew: boolean): string {
  const p = Number((sign_test_p as number).toPrecision(2));
  const why = `every one of ${units} ${isNew ? 'conversations' : 'questions'} differs by the same, which chance would do with p ${p}`;
  return outcome === 'untestable' ? `it has no bound: ${why}` : why;
}

function otherRulers(names: readonly string[]): string {
  return `base and head are not measured alike (${names.join(', ')} differ): score both by the same, or name what was meant with --treatment`;
}
