import { showDifference, showDifferenceInterval } from '../../number-text.js';
import type { MeanDifference } from '../../statistics/statistics.js';
import type { Comparison, ContrastResult, Factor, GateResult, Verdict } from '../comparison.js';
import type { NoiseFloor } from '../noise-floor.js';

/** The one name of a contrast's direction: head - base; an arm against itself is the arm. Hostile text as it stands. */
export function contrastName({ head_arm, base_arm }: Pick<ContrastResult, 'head_arm' | 'base_arm'>): string {
  return head_arm === base_arm ? head_arm : `${head_arm} - ${base_arm}`;
}

/** The estimate of a mean difference; null where there is no pair. */
export function estimateOf(found: MeanDifference): number | null {
  return found.kind === 'no_pairs' ? null : found.estimate;
}

/** An interval, or why there is none. */
export function intervalText(found: MeanDifference): string {
  switch (found.kind) {
    case 'estimated':
      return showDifferenceInterval(found);
    case 'no_pairs':
      return 'no pairs';
    case 'one_unit':
      return 'of one only';
    case 'all_equal':
      return found.estimate === 0 ? 'none differs' : 'all the same';
    case 'no_variance':
      return 'no variance';
  }
}

/** The factors that a page or a terminal shows one by one. Where a run's arms are compared, each pair's treatment is the arm itself: it goes without saying. */
export function factorsTold({ kind, factors, datasets }: Comparison): readonly Factor[] {
  const pairs = new Set(datasets.flatMap(({ contrasts }) => contrasts.map(contrastName)));
  return kind === 'within-run' && pairs.size > 1 ? factors.filter(({ is_treatment }) => !is_treatment) : factors;
}

/** Contrasts without any pair, in words: by their arms, with the scorers of each. Empty where there is none. */
export function unpairedText(contrasts: readonly ContrastResult[]): string {
  const none = contrasts.filter(({ pairs }) => pairs === 0);
  if (none.length === 0) return '';
  const names = [...new Set(none.map(contrastName))].map((name) => {
    const scorers = none.filter((contrast) => contrastName(contrast) === name).map(({ scorer }) => scorer);
    return `${name} (${scorers.join(', ')})`;
  });
  return `No question has a score on both sides: ${names.join('; ')}.`;
}

/** How far an arm that ran twice is from itself, in words (RP-8). */
export function noiseText({ arm, pairs, changed, half_width, these_conversations: found }: NoiseFloor): string {
  if (pairs > 0 && changed === 0) return `Noise: ${arm}, asked twice, scored the same on all of ${pairs} questions.`;
  const what = `Noise: ${arm}, asked twice, scored otherwise on ${changed} of ${pairs} questions`;
  if (half_width === null) return `${what}; how far it is from itself cannot be told.`;
  return `${what}; it is ${showDifference(estimateOf(found))} from itself, and within ${half_width.toFixed(3)} of 0 a difference may be the reader's chance.`;
}

/** One factor that differs. Digests are cut to their first twelve digits. */
export function factorText({ factor, fixture, arm, base, head, is_treatment }: Factor): string {
  const where = [fixture, arm].filter((part) => part !== null).join(', ');
  const told = `${factor}${where === '' ? '' : ` (${where})`}: ${base} -> ${head}${is_treatment ? ', the treatment' : ''}`;
  return told.replace(/sha256:([0-9a-f]{12})[0-9a-f]{52}/g, '$1');
}

export const VERDICT_WORDS: Readonly<Record<Verdict['kind'], string>> = {
  better: 'better',
  worse: 'worse',
  'not-told-apart': 'not told apart',
  'could-not-be-told': 'could not be told',
  withheld: 'withheld',
  reference: 'a reference, not ranked',
};

export const OUTCOME_WORDS: Readonly<Record<GateResult['outcome'], string>> = {
  regression: 'REGRESSION',
  'within-margin': 'within the margin',
  'no-regression-shown': 'no regression shown',
  invalid: 'INVALID',
  untestable: 'UNTESTABLE',
};

/** What all gates come to, in a sentence; empty where there is none. */
export function gateText({ gate }: Pick<Comparison, 'gate'>): string {
  switch (gate) {
    case 'none':
      return '';
    case 'passed':
      return 'Gate: passed. No condition is shown to be met.';
    case 'regression':
      return 'Gate: REGRESSION. A condition is shown to be met.';
    case 'invalid':
      return 'Gate: INVALID. Too little is there of a side: neither pass nor regression.';
    case 'untestable':
      return 'Gate: UNTESTABLE. A condition cannot be answered as it is asked; its line says why.';
  }
}
