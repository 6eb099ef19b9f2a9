import { counted } from '../../core/counted.js';
import type { MeanDifference } from '../statistics/statistics.js';
import type { Verdict } from './comparison.js';
import type { ContrastNumbers } from './contrast.js';
import type { VerdictFacts } from './verdict-facts.js';

/** A verdict in plain sentences: what was found with its numbers, then what has to be known beside it. */
export function verdictSentence(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string {
  return [`${finding(kind, numbers, facts)}.`, ...riders(numbers, facts)].join(' ');
}

function finding(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string {
  const { head, base } = names(numbers, facts);
  const { scorer } = numbers;
  switch (kind) {
    case 'better':
    case 'worse':
      return `${head} scored ${apart(numbers)} ${base} on ${scorer}: ${evidence(numbers, facts)}`;
    case 'not-told-apart':
      return `${head} and ${base} are not told apart on ${scorer}: ${evidence(numbers, facts)}${missed(numbers)}`;
    case 'reference':
      return `${facts.references.join(' and ')} ${facts.references.length === 1 ? 'is a reference' : 'are references'}, for scale and never ranked; ${head} scored ${apart(numbers)} ${base} on ${scorer}: ${evidence(numbers, facts)}`;
    case 'could-not-be-told':
      return `whether ${head} and ${base} differ on ${scorer} could not be told: ${whyNot(numbers, facts)}`;
    case 'withheld':
      return `no verdict on ${head} and ${base} by ${scorer}: ${whyWithheld(numbers, facts)}`;
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
  return `${number(Math.abs(estimate))} ${estimate < 0 ? 'below' : 'above'}`;
}

function evidence(numbers: ContrastNumbers, facts: VerdictFacts): string {
  const { questions, pairs, new_conversations: found } = numbers;
  const sizes = `${counted(questions.size, 'conversation')}, ${counted(pairs, 'question')}`;
  return `${interval(found, facts.alpha)}${p(numbers, facts)}${within(numbers)}; ${signFlip(numbers, facts)}${sizes}`;
}

/** Where the questions themselves leave more open than the conversations' means do. */
function within({ new_conversations: found, these_conversations: these }: ContrastNumbers): string {
  if (found.kind !== 'estimated' || these.kind !== 'estimated' || these.p <= found.p) return '';
  return ` (set by the noise of the questions; by the means of conversations alone ${pText(found.p)})`;
}

function interval(found: MeanDifference, alpha: number): string {
  switch (found.kind) {
    case 'estimated':
      return `difference ${signed(found.estimate)}, ${confidence(alpha)} for new conversations [${signed(found.lo)}, ${signed(found.hi)}]`;
    case 'all_equal':
      return found.estimate === 0 ? 'no question differs' : `every question differs by ${signed(found.estimate)}`;
    case 'no_variance':
      return `every conversation differs by ${signed(found.estimate)} in the mean`;
    case 'one_unit':
      return `difference ${signed(found.estimate)} in the one conversation`;
    case 'no_pairs':
      return 'no pair';
  }
}

function p({ tests }: ContrastNumbers, { adjusted, planned, family }: VerdictFacts): string {
  if (tests.as_zero.p === null || adjusted.as_zero === null) return '';
  if (!planned || family === 1) return `, p ${pText(tests.as_zero.p)}`;
  return `, p ${pText(adjusted.as_zero)} after Holm over ${counted(family, 'planned contrast')}`;
}

/** With few conversations the test could have found nothing: that is told, in the place of "not significant" (RP-3). */
function signFlip({ sign_flip: found }: ContrastNumbers, { alpha }: VerdictFacts): string {
  if (found.kind !== 'tested') return '';
  if (found.could_reach_alpha) return `sign-flip p ${pText(found.p)}; `;
  return `the sign-flip test could not have reached ${alpha}: with ${counted(found.differing_units, 'conversation')} that differ its smallest p is ${smallest(found.differing_units, found.smallest_p)}; `;
}

function missed({ smallest_detectable: found }: ContrastNumbers): string {
  if (found.kind !== 'estimated') return '';
  return `; a true difference of ${number(found.difference)} would have been found ${Math.round(found.power * 100)} times in 100`;
}

function whyNot(numbers: ContrastNumbers, { alpha }: VerdictFacts): string {
  const { new_conversations: found, these_conversations: these, sign_flip, only_base, only_head } = numbers;
  switch (found.kind) {
    case 'no_pairs':
      return only_base + only_head === 0
        ? 'no question has a score'
        : `no question has a score under both (${only_base} under base alone, ${only_head} under head alone)`;
    case 'one_unit': {
      const within =
        these.kind === 'estimated' ? `, ${confidence(alpha)} within it [${signed(these.lo)}, ${signed(these.hi)}]` : '';
      return `one conversation says nothing of new ones; in it the difference is ${signed(found.estimate)}${within} (${counted(numbers.pairs, 'question')})`;
    }
    default:
      return sign_flip.kind === 'tested'
        ? `${interval(found, alpha)}, so that no error can be told from it, and with ${counted(sign_flip.differing_units, 'conversation')} that differ the smallest p of a sign-flip test is ${smallest(sign_flip.differing_units, sign_flip.smallest_p)}`
        : interval(found, alpha);
  }
}

function whyWithheld(numbers: ContrastNumbers, { measures }: VerdictFacts): string {
  if (measures.length > 0)
    return `it was scored by other ${measures.join(' and other ')}, so that its scores are not on one scale`;
  const { rows, tests } = numbers;
  const failed = `${rows.base.failed} of ${counted(rows.base.rows, 'row')} of base and ${rows.head.failed} of ${rows.head.rows} of head failed by the arm's own making`;
  return `${failed}, and with them as 0 the difference is ${difference(tests.as_zero.estimate)}, with them left out ${difference(tests.left_out.estimate)}: the two do not come to the same`;
}

function difference(estimate: number | null): string {
  return estimate === null ? 'none' : signed(estimate);
}

/** What a reader must know before the verdict is passed on. */
function riders(numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  const { confounders, in_sample } = facts;
  return [
    ...(facts.planned ? [] : ['Exploratory: no plan names it.']),
    ...(confounders.length === 0
      ? []
      : [`Confounded: ${confounders.join(', ')} differ${confounders.length === 1 ? 's' : ''} as well.`]),
    ...(facts.formation_differs ? ['Formation differs.'] : []),
    ...(in_sample === 0
      ? []
      : [`Left out: ${counted(in_sample, 'in-sample question')}, which lessons were learnt from.`]),
    ...concentrated(numbers),
  ];
}

/** Where one conversation holds most of the questions, the interval is too narrow (docs/decisions/statistics.md). */
function concentrated({ questions, pairs }: ContrastNumbers): string[] {
  if (questions.size < 2) return [];
  const largest = Math.max(...questions.values());
  // Of two conversations one always holds half: what counts is also how far it is from an equal share.
  if (largest * 2 <= pairs || largest * questions.size <= 1.5 * pairs) return [];
  const sizes = [...questions].map(([conversation, size]) => `${conversation} ${size}`);
  const shown = sizes.length > 10 ? [...sizes.slice(0, 10), `${sizes.length - 10} more`] : sizes;
  return [
    `One conversation holds ${largest} of the ${pairs} questions, which makes the interval too narrow (${shown.join(', ')}).`,
  ];
}

function smallest(units: number, value: number): string {
  return units <= 20 ? `2/${2 ** units} = ${pText(value)}` : pText(value);
}

function confidence(alpha: number): string {
  return `${Number(((1 - alpha) * 100).toFixed(2))} %`;
}

function pText(value: number): string {
  return value < 0.001 ? 'below 0.001' : `${Number(value.toPrecision(2))}`;
}

function number(value: number): string {
  return value.toFixed(3);
}

function signed(value: number): string {
  const text = value.toFixed(3);
  return Number(text) === 0 ? '0.000' : value > 0 ? `+${text}` : text;
}
