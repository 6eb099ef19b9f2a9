import { showConfidence, showDifference, showDifferenceInterval } from '../../number-text.js';
import type { MeanDifference } from '../../statistics/statistics.js';
import type { Verdict } from '../comparison.js';
import type { ContrastNumbers } from '../contrast.js';
import type { VerdictFacts } from './verdict-facts.js';

/** A verdict in one plain sentence: who, told apart or not, the difference with its interval. What it rests on, `verdictBasis` says. */
export function verdictSentence(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string {
  const { head, base } = names(numbers, facts);
  const { scorer, new_conversations: found } = numbers;
  const difference = interval(found, facts.alpha);
  switch (kind) {
    case 'better':
    case 'worse':
      return `${head} scored ${apart(numbers)} ${base} on ${scorer}: ${difference}.`;
    case 'not-told-apart':
      return `${head} and ${base} are not told apart on ${scorer}: ${difference}${butNot(numbers, facts)}.`;
    case 'reference':
      return `For scale: ${head} scored ${apart(numbers)} ${base} on ${scorer}: ${difference}.`;
    case 'could-not-be-told':
      return `Whether ${head} and ${base} differ on ${scorer} could not be told: ${whyNot(numbers, facts)}.`;
    case 'withheld':
      return `No verdict on ${head} and ${base} by ${scorer}: ${whyWithheld(numbers, facts)}.`;
  }
}

/** Between two runs, which side an arm is of. */
function names({ head_arm, base_arm }: ContrastNumbers, { kind }: VerdictFacts): { head: string; base: string } {
  return kind === 'within-run'
    ? { head: head_arm, base: base_arm }
    : { head: `${head_arm} of head`, base: `${base_arm} of base` };
}

function apart({ tests: { as_zero } }: ContrastNumbers): string {
  const estimate = as_zero.estimate as number;
  return `${Math.abs(estimate).toFixed(3)} ${estimate < 0 ? 'below' : 'above'}`;
}

function interval(found: MeanDifference, alpha: number): string {
  switch (found.kind) {
    case 'estimated':
      return `difference ${showDifference(found.estimate)}, ${showConfidence(alpha)} for new conversations ${showDifferenceInterval(found)}`;
    case 'all_equal':
      return found.estimate === 0
        ? 'no question differs'
        : `every question differs by ${showDifference(found.estimate)}`;
    case 'no_variance':
      return `every conversation differs by ${showDifference(found.estimate)} in the mean`;
    case 'one_unit':
      return `difference ${showDifference(found.estimate)} in the one conversation`;
    case 'no_pairs':
      return 'no pair';
  }
}

/** Why an interval that leaves 0 out is no finding: it is of one pair alone, and of the means of conversations. */
function butNot({ new_conversations: found, tests }: ContrastNumbers, { alpha, family }: VerdictFacts): string {
  if (found.kind !== 'estimated' || (found.lo <= 0 && found.hi >= 0)) return '';
  return tests.as_zero.p !== null && tests.as_zero.p <= alpha
    ? `, too little among ${family} planned contrasts`
    : ', no more than the noise of the questions';
}

function whyNot({ new_conversations: found, only_base, only_head }: ContrastNumbers, { alpha }: VerdictFacts): string {
  switch (found.kind) {
    case 'no_pairs':
      return only_base + only_head === 0
        ? 'no question has a score'
        : `no question has a score under both (${only_base} under base alone, ${only_head} under head alone)`;
    case 'one_unit':
      return `one conversation says nothing of new ones; in it the difference is ${showDifference(found.estimate)}`;
    default:
      return interval(found, alpha);
  }
}

function whyWithheld({ tests }: ContrastNumbers, { measures }: VerdictFacts): string {
  if (measures.length > 0)
    return `it was scored by other ${measures.join(' and other ')}, so that its scores are not on one scale`;
  return `with failures as 0 the difference is ${difference(tests.as_zero.estimate)}, with them left out ${difference(tests.left_out.estimate)}`;
}

function difference(estimate: number | null): string {
  return estimate === null ? 'none' : showDifference(estimate);
}
