import { invalidInput } from '../../../core/errors.js';
import type { Comparison, ContrastResult, GateResult } from '../comparison.js';
import { FACTOR_KINDS, isFactorName } from '../factors/factor-names.js';
import type { GateCondition } from './condition.js';
import { applies, gateContrast } from './gate-contrast.js';
import type { GateRule } from './rule.js';

/** What gates are asked with. */
export interface GateOptions extends Omit<GateRule, 'alpha' | 'unlike_rulers'> {
  readonly conditions: readonly GateCondition[];
}

/**
 * A comparison with what its gates say: one result for each condition, dataset and pair of arms (RP-4). The bounds share out alpha (Bonferroni): however many
 * gates there are, the chance that any fails is at most alpha where no true difference lies beyond its threshold.
 *
 * @throws `GATE_SCORER_UNKNOWN` (exit 2): a condition of a scorer that is not compared.
 */
export function applyGates(comparison: Comparison, options: GateOptions): Comparison {
  const rule: GateRule = { ...options, alpha: comparison.alpha, unlike_rulers: unlikeRulers(comparison) };
  const places = options.conditions.flatMap((condition) => placesOf(condition, comparison));
  const held = places.filter(({ contrast }) => applies(contrast, rule));
  const bounds = held.filter(({ condition }) => condition.tests === 'bound').length;
  const shared: GateRule = { ...rule, alpha: comparison.alpha / Math.max(1, bounds) };
  const gates = held.map(({ condition, dataset, contrast }) => gateContrast(condition, dataset, contrast, shared));
  return {
    ...comparison,
    gates,
    gate: gateOfAll(gates, options.conditions),
    notes: [...comparison.notes, ...places.filter((place) => !held.includes(place)).map(notGated)],
  };
}

interface Place {
  readonly condition: GateCondition;
  readonly dataset: string;
  readonly contrast: ContrastResult;
}

function placesOf(condition: GateCondition, { datasets }: Comparison): Place[] {
  const all = datasets.flatMap(({ dataset, contrasts }) =>
    contrasts.map((contrast) => ({ condition, dataset, contrast })),
  );
  const found = all.filter(({ contrast }) => contrast.scorer === condition.scorer);
  if (found.length > 0) return found;
  const scorers = [...new Set(all.map(({ contrast }) => contrast.scorer))];
  throw invalidInput('GATE_SCORER_UNKNOWN', `--fail-if names ${condition.scorer}, which is not compared`, {
    remedy: scorers.length === 0 ? 'compare runs that share an arm' : `name one of: ${scorers.join(', ')}`,
  });
}

/** Labels, scorers or judges that differ without being the treatment. */
function unlikeRulers({ factors }: Comparison): string[] {
  const found = factors.filter(
    ({ factor, is_treatment }) => !is_treatment && isFactorName(factor) && FACTOR_KINDS[factor].measures === true,
  );
  return [...new Set(found.map(({ factor }) => factor))];
}

function notGated({ condition, dataset, contrast: { head_arm } }: Place): string {
  return `${condition.scorer} applies to no question of ${head_arm} (${dataset}): ${JSON.stringify(condition.text)} is not asked of it.`;
}

/** A gate that can never fail is a fault of what was asked, an invalid night is no answer, and only then is one regression all that it takes. */
function gateOfAll(gates: readonly GateResult[], conditions: readonly GateCondition[]): Comparison['gate'] {
  if (conditions.length === 0) return 'none';
  const has = (outcome: GateResult['outcome']): boolean => gates.some((gate) => gate.outcome === outcome);
  const unasked = conditions.some(({ text }) => !gates.some(({ condition }) => condition === text));
  if (unasked || has('untestable')) return 'untestable';
  if (has('invalid')) return 'invalid';
  return has('regression') ? 'regression' : 'passed';
}
