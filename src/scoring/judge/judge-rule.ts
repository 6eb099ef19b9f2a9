import { judgeOf, type ScoredRow, type Scorer } from '../scoring.js';

/**
 * What the reader's own abstention decides without a judge: 0 on an answerable question, 1 on one that cannot be answered. Everything else is asked,
 * an answer that declines in words included.
 *
 * @returns null where the judge is to be asked.
 */
export function judgedByRule(row: Pick<ScoredRow, 'abstained'> & { readonly answerable: boolean }): 0 | 1 | null {
  if (!row.abstained) return null;
  return row.answerable ? 0 : 1;
}

/** A judge where no model is asked: it scores what the rule decides, and is null elsewhere. For the arm that always abstains. */
export function judgeWithoutModel(name: string): Scorer | null {
  if (judgeOf(name) === null) return null;
  return {
    name,
    describes:
      '1 where the judge holds the answer to be correct, else 0; abstentions by rule: 1 on an unanswerable question, 0 on an answerable one. Denominator: every scored question with a verdict.',
    score: (row) => judgedByRule({ abstained: row.abstained, answerable: row.label.answerable }),
  };
}
