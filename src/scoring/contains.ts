import { scoreByAbstention } from './abstaining.js';
import { normalisedWords } from './normalise.js';
import type { ScoredRow, Scorer } from './scoring.js';

/** Whether the words of an expected answer stand together in the answer. Whole words: `10` is not in `2010`. */
export const contains: Scorer = {
  name: 'contains',
  describes:
    '1 where the normalised answer holds the words of any expected one, in a row, else 0; unanswerable questions score 1 for an abstention, else 0. Denominator: every scored question.',
  score: (row) => scoreByAbstention(row) ?? (isContained(row) ? 1 : 0),
};

function isContained(row: ScoredRow): boolean {
  // Normalised words hold no space, so padding makes a search of text a search of whole words.
  const answer = ` ${normalisedWords(row.answer).join(' ')} `;
  return row.label.expected.some((expected) => {
    const words = normalisedWords(expected);
    return words.length > 0 && answer.includes(` ${words.join(' ')} `);
  });
}
