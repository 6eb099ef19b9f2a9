import type { Verdict } from '../comparison.js';
import type { ContrastNumbers } from '../contrast.js';
import { verdictBasis } from './verdict-basis.js';
import type { VerdictFacts } from './verdict-facts.js';
import { verdictSentence } from './verdict-sentence.js';

/** What one contrast comes to, in one word and in plain sentences. Pure: the same numbers say the same. */
export function verdictOf(numbers: ContrastNumbers, facts: VerdictFacts): Verdict {
  const kind = kindOf(numbers, facts);
  return { kind, sentence: verdictSentence(kind, numbers, facts), basis: verdictBasis(kind, numbers, facts) };
}

function kindOf({ tests, pairs }: ContrastNumbers, facts: VerdictFacts): Verdict['kind'] {
  if (pairs > 0 && facts.measures.length > 0) return 'withheld';
  const { alpha, adjusted } = facts;
  const counted = told(tests.as_zero.estimate, adjusted.as_zero, alpha);
  if (counted === 'could-not-be-told') return counted;
  if (counted !== told(tests.left_out.estimate, adjusted.left_out, alpha)) return 'withheld';
  return facts.references.length > 0 ? 'reference' : counted;
}

type Told = 'better' | 'worse' | 'not-told-apart' | 'could-not-be-told';

function told(estimate: number | null, p: number | null, alpha: number): Told {
  if (estimate === null || p === null) return 'could-not-be-told';
  if (p > alpha || estimate === 0) return 'not-told-apart';
  return estimate > 0 ? 'better' : 'worse';
}
