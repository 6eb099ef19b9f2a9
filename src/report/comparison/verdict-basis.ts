import { counted } from '../../core/counted.js';
import { showConfidence, showDifferenceInterval } from '../number-text.js';
import type { Verdict } from './comparison.js';
import type { ContrastNumbers } from './contrast.js';
import type { VerdictFacts } from './verdict-facts.js';

/** What a verdict rests on, then what a reader must know before it is passed on: each a short sentence of its own. */
export function verdictBasis(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  return [...evidence(kind, numbers, facts), ...riders(numbers, facts)];
}

function evidence(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  switch (kind) {
    case 'reference':
      return [reference(facts), ...tested(numbers, facts), sizes(numbers)];
    case 'better':
    case 'worse':
      return [...tested(numbers, facts), sizes(numbers)];
    case 'not-told-apart':
      return [...tested(numbers, facts), sizes(numbers), ...missed(numbers)];
    case 'could-not-be-told':
      return numbers.pairs === 0 ? [] : [...untold(numbers, facts), sizes(numbers)];
    case 'withheld':
      return facts.measures.length > 0 ? [] : failures(numbers);
  }
}

function reference({ references }: VerdictFacts): string {
  return `${references.join(' and ')} ${references.length === 1 ? 'is a reference' : 'are references'}, for scale and never ranked.`;
}

function tested(numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  return [...p(numbers, facts), ...within(numbers), ...signFlip(numbers, facts)];
}

function p({ tests }: ContrastNumbers, { adjusted, planned, family }: VerdictFacts): string[] {
  if (tests.as_zero.p === null || adjusted.as_zero === null) return [];
  if (!planned || family === 1) return [`p is ${pText(tests.as_zero.p)}.`];
  return [`p is ${pText(adjusted.as_zero)} after Holm over ${counted(family, 'planned contrast')}.`];
}

/** Where the questions themselves leave more open than the conversations' means do. */
function within({ new_conversations: found, these_conversations: these }: ContrastNumbers): string[] {
  if (found.kind !== 'estimated' || these.kind !== 'estimated' || these.p <= found.p) return [];
  return [`The noise of the questions sets it; by the means of conversations alone it would be ${pText(found.p)}.`];
}

/** With few conversations the test could have found nothing: that is told, in the place of "not significant" (RP-3). */
function signFlip({ sign_flip: found }: ContrastNumbers, { alpha }: VerdictFacts): string[] {
  if (found.kind !== 'tested') return [];
  if (found.could_reach_alpha) return [`The sign-flip test gives p ${pText(found.p)}.`];
  return [
    `The sign-flip test could not have reached ${alpha}: with ${counted(found.differing_units, 'conversation')} that differ its smallest p is ${smallest(found.differing_units, found.smallest_p)}.`,
  ];
}

function sizes({ questions, pairs }: ContrastNumbers): string {
  return `${counted(questions.size, 'conversation')}, ${counted(pairs, 'question')}.`;
}

function missed({ smallest_detectable: found }: ContrastNumbers): string[] {
  if (found.kind !== 'estimated') return [];
  return [
    `A true difference of ${found.difference.toFixed(3)} would have been found ${Math.round(found.power * 100)} times in 100.`,
  ];
}

function untold(numbers: ContrastNumbers, { alpha }: VerdictFacts): string[] {
  const { new_conversations: found, these_conversations: these, sign_flip } = numbers;
  if (found.kind === 'one_unit')
    return these.kind === 'estimated' ? [`${showConfidence(alpha)} within it ${showDifferenceInterval(these)}.`] : [];
  if (sign_flip.kind !== 'tested') return [];
  return [
    `No error can be told from that, and with ${counted(sign_flip.differing_units, 'conversation')} that differ the smallest p of a sign-flip test is ${smallest(sign_flip.differing_units, sign_flip.smallest_p)}.`,
  ];
}

function failures({ rows }: ContrastNumbers): string[] {
  return [
    `${rows.base.failed} of ${counted(rows.base.rows, 'row')} of base and ${rows.head.failed} of ${rows.head.rows} of head failed by the arm's own making.`,
    'The two means do not come to the same.',
  ];
}

function riders(numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  const { confounders, in_sample } = facts;
  return [
    ...(facts.planned ? [] : [exploratory(facts)]),
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

function exploratory({ labels_changed }: VerdictFacts): string {
  return `Exploratory: ${labels_changed ? 'labels were changed after the answers' : 'no plan names it'}.`;
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

function pText(value: number): string {
  return value < 0.001 ? 'below 0.001' : `${Number(value.toPrecision(2))}`;
}
