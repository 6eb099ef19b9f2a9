import type { AnswerType } from './question.js';

/**
 * The least coverage at which a sentence of a long context may answer: the share of the question's weight that it and its surroundings
 * must hold. Spans of a shape of their own (money, dates) vouch for themselves; whole phrases do so less.
 */
const MIN_COVERAGE: Readonly<Record<AnswerType, number>> = {
  'yes-no': 0.32,
  owner: 0.2,
  money: 0.27,
  duration: 0.24,
  count: 0.32,
  weekday: 0.2,
  date: 0.22,
  time: 0.22,
  place: 0.24,
  person: 0.24,
  name: 0.26,
  reason: 0.27,
  manner: 0.27,
  thing: 0.24,
};
/** A context of this few lines was chosen with care, and its words need not be the question's. From there the demand rises to the whole at `long` lines. */
const LINES = { few: 4, long: 9 } as const;

/** Whether support is too weak to answer from a context of so many lines. */
export function isTooWeak(type: AnswerType, coverage: number, lineCount: number): boolean {
  const filled = Math.min(1, Math.max(0, (lineCount - LINES.few) / (LINES.long - LINES.few)));
  return coverage < MIN_COVERAGE[type] * filled;
}
