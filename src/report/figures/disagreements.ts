import type { CountedScore } from './figures.js';

/** Questions that one of two arms is right about and the other is wrong. */
export interface Disagreements {
  readonly head: number;
  readonly base: number;
}

/** An arm is right about a question where the mean of its scores that count is no less than `from`: the rule of the questions' filters (OB-4, OB-6). */
export function disagreements(
  head: readonly CountedScore[],
  base: readonly CountedScore[],
  from: number,
): Disagreements {
  const other = meansOf(base);
  const counts = { head: 0, base: 0 };
  for (const [question, mean] of meansOf(head)) {
    const against = other.get(question);
    if (against === undefined) continue;
    if (mean >= from && against < from) counts.head += 1;
    if (mean < from && against >= from) counts.base += 1;
  }
  return counts;
}

function meansOf(scores: readonly CountedScore[]): Map<string, number> {
  const sums = new Map<string, { sum: number; rows: number }>();
  for (const { conversation, question, score } of scores) {
    if (score === null) continue;
    const key = JSON.stringify([conversation, question]);
    const found = sums.get(key) ?? { sum: 0, rows: 0 };
    sums.set(key, { sum: found.sum + score, rows: found.rows + 1 });
  }
  return new Map([...sums].map(([question, { sum, rows }]) => [question, sum / rows]));
}
