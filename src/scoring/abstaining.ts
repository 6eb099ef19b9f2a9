import type { ScoredRow } from './scoring.js';

// The two phrases that LoCoMo's evaluation takes for an abstention.
const ABSTAINING_PHRASES = ['no information available', 'not mentioned'];

/** Whether an unanswerable question was declined: the reader abstained, or said it in LoCoMo's words. */
export function declines(row: ScoredRow): boolean {
  const answer = row.answer.toLowerCase();
  return row.abstained || ABSTAINING_PHRASES.some((phrase) => answer.includes(phrase));
}

/**
 * What abstention alone decides: an unanswerable question scores 1 where it was declined and 0 where it was answered; an answerable
 * one on which the reader abstained scores 0.
 *
 * @returns null where the answer's text decides.
 */
export function scoreByAbstention(row: ScoredRow): 0 | 1 | null {
  if (!row.label.answerable) return declines(row) ? 1 : 0;
  return row.abstained ? 0 : null;
}
