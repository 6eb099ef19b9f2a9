import { counted } from '../../../core/counted.js';
import { showConfidence, showDifferenceInterval } from '../../number-text.js';
import type { Verdict } from '../comparison.js';
import type { ContrastNumbers } from '../contrast.js';
import type { VerdictFacts } from './verdict-facts.js';

/** What a verdict rests on, then what a reader must know before it is passed on: each a short sentence of its own. */
export function verdictBasis(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  return [...evidence(kind, numbers, facts), ...riders(numbers, facts)];
}

const DECIDED = 'Decided by p';

function evidence(kind: Verdict['kind'], numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  switch (kind) {
    case 'reference':
      return [reference(facts), ...tested('p is', numbers, facts), sizes(numbers)];
    case 'better':
    case 'worse':
      return [...tested(DECIDED, numbers, facts), sizes(numbers)];
    case 'not-told-apart':
      return [...tested(DECIDED, numbers, facts), sizes(numbers), ...missed(numbers, facts)];
    case 'could-not-be-told':
      return numbers.pairs === 0 ? [] : [...untold(numbers, facts), sizes(numbers)];
    case 'withheld':
      return facts.measures.length > 0 ? [] : failures(numbers);
  }
}

function reference({ references }: VerdictFacts): string {
  return `${references.join(' and ')} ${references.length === 1 ? 'is a reference' : 'are references'}, for scale and never ranked.`;
}

/** The p that decides and what it is of; then what stands beside it and decides nothing. */
function tested(lead: string, numbers: ContrastNumbers, facts: VerdictFacts): string[] {
  return [...deciding(lead, numbers, facts), ...within(numbers), ...signFlip(numbers, facts)];
}

function deciding(lead: string, numbers: ContrastNumbers, { adjusted, planned, family }: VerdictFacts): string[] {
  const { p } = numbers.tests.as_zero;
  if (p === null || adjusted.as_zero === null) return [];
  const holm = planned && family > 1 ? `, after Holm over ${family} planned contrasts` : '';
  return [`${lead} ${pText(holm === '' ? p : adjusted.as_zero)} (${testName(numbers)}${holm}).`];
}

/** As `testOf` chooses it. */
function testName(numbers: ContrastNumbers): string {
  if (numbers.new_conversations.kind === 'estimated')
    return isOfQuestions(numbers) ? 't over questions' : 't over conversations';
  return numbers.sign_flip.kind === 'tested' ? 'the sign-flip test' : 'no conversation differs';
}

/** Where the questions themselves leave more open than the conversations' means do. */
function isOfQuestions({ new_conversations: found, these_conversations: these }: ContrastNumbers): boolean {
  return found.kind === 'estimated' && these.kind === 'estimated' && these.p > found.p;
}

function within(numbers: ContrastNumbers): string[] {
  const { new_conversations: found } = numbers;
  if (found.kind !== 'estimated' || !isOfQuestions(numbers)) return [];
  return [`The noise of the questions leaves more open than t over conversations, whose own p is ${pText(found.p)}.`];
}

/** With few conversations the test could have found nothing: that is told, in the place of "not significant" (RP-3). */
function signFlip({ sign_flip: found, new_conversations }: ContrastNumbers, { alpha }: VerdictFacts): string[] {
  if (found.kind !== 'tested') return [];
  const least = smallest(found.differing_units, found.smallest_p);
  if (!found.could_reach_alpha)
    return [
      `Beside it, the sign-flip test could not have reached ${alpha}: with ${counted(found.differing_units, 'conversation')} that differ its smallest p is ${least}.`,
    ];
  // Without an error to divide by it is the test that decides.
  if (new_conversations.kind !== 'estimated') return [];
  return found.p === found.smallest_p
    ? [`Beside it, the sign-flip test: p ${pText(found.p)}, the least that it could have given.`]
    : [
        `Beside it, the sign-flip test: p ${pText(found.p)}; it could have given ${Number(found.smallest_p.toPrecision(2))} at the least.`,
      ];
}

function sizes({ questions, pairs }: ContrastNumbers): string {
  return `${counted(questions.size, 'conversation')}, ${counted(pairs, 'question')}.`;
}

/** What the test that decides would have found: by its strictest step, whatever comes of the other contrasts. */
function missed(
  numbers: ContrastNumbers,
  { smallest_detectable: found, alpha, planned, family }: VerdictFacts,
): string[] {
  if (found.kind !== 'estimated') return [];
  const step =
    planned && family > 1
      ? `${pText(found.alpha)} (${alpha} over ${family} planned contrasts, Holm's strictest step)`
      : `${found.alpha}`;
  const more = isOfQuestions(numbers) ? '; the noise of the questions may have hidden a larger one' : '';
  return [
    `For new conversations, t at ${step} would have found a true difference of ${found.difference.toFixed(3)} in ${Math.round(found.power * 100)} of 100 runs${more}.`,
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
