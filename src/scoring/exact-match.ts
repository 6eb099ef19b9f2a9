import { scoreByAbstention } from './abstaining.js';
import { normaliseAnswer } from './normalise.js';
import type { ScoredRow, Scorer } from './scoring.js';

/** Whether the normalised answer equals a normalised expected one. An expected answer that normalises to nothing matches nothing. */
export const exactMatch: Scorer = {
  name: 'exact-match',
  describes:
    '1 where the normalised answer equals any expected one, else 0; unanswerable questions score 1 for an abstention, else 0. Denominator: every scored question.',
  score: (row) => scoreByAbstention(row) ?? (matches(row) ? 1 : 0),
};

function matches(row: ScoredRow): boolean {
  const answer = normaliseAnswer(row.answer);
  return answer !== '' && row.label.expected.some((expected) => normaliseAnswer(expected) === answer);
}
