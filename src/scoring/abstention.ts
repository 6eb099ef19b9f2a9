import { declines } from './abstaining.js';
import type { Scorer } from './scoring.js';

/** Whether the reader answered what can be answered and declined what cannot. */
export const abstention: Scorer = {
  name: 'abstention',
  describes:
    '1 where an answerable question was answered or an unanswerable one declined, else 0. Denominator: every scored question.',
  score: (row) => (row.label.answerable ? Number(!row.abstained) : Number(declines(row))),
};

/** Unanswerable questions alone: the share declined. */
export const rightAbstention: Scorer = {
  name: 'right-abstention',
  describes: '1 where an unanswerable question was declined, else 0. Denominator: scored unanswerable questions.',
  score: (row) => (row.label.answerable ? null : Number(declines(row))),
};

/** Answerable questions alone: the share on which the reader abstained. Lower is better. */
export const falseAbstention: Scorer = {
  name: 'false-abstention',
  describes:
    '1 where the reader abstained on an answerable question, else 0 (lower is better). Denominator: scored answerable questions.',
  score: (row) => (row.label.answerable ? Number(row.abstained) : null),
};
