import { scoreByAbstention } from './abstaining.js';
import { nltkStem } from './nltk-stem.js';
import { normalisedWords } from './normalise.js';
import type { ScoredRow, Scorer } from './scoring.js';

/**
 * LoCoMo's F1 by its own category rules (OB-6; snap-research/LoCoMo, task_eval/evaluation.py, `eval_question_answering`): stems of
 * normalised words, counted with repeats.
 *
 * - multi-hop: both texts are split at commas; the mean, over the expected parts, of the best F1 of any part of the answer
 * - open-domain: the expected text before its first `;`
 * - every other category, those of fixtures of one's own included: F1 of the whole texts
 * - unanswerable (LoCoMo's adversarial): see `scoreByAbstention`
 *
 * The best of the expected alternatives counts. Where LoCoMo scores an adversarial question that has an answer as an abstention, it is
 * scored here as the answerable question that it is.
 */
export const tokenF1: Scorer = {
  name: 'token-f1',
  describes:
    "LoCoMo's token F1 by category, best of the expected answers; unanswerable questions score 1 for an abstention, else 0. Denominator: every scored question.",
  score: (row) => scoreByAbstention(row) ?? scoreAnswer(row),
};

function scoreAnswer(row: ScoredRow): number {
  const scores = row.label.expected.map((expected) => scoreAgainst(row.label.category, row.answer, expected));
  return Math.max(0, ...scores);
}

function scoreAgainst(category: string, answer: string, expected: string): number {
  if (category === 'multi-hop') return partsF1(answer, expected);
  if (category === 'open-domain') return wordsF1(answer, expected.split(';')[0] as string);
  return wordsF1(answer, expected);
}

function partsF1(answer: string, expected: string): number {
  const answerParts = answer.split(',');
  const expectedParts = expected.split(',');
  const best = expectedParts.map((part) => Math.max(...answerParts.map((given) => wordsF1(given, part))));
  return best.reduce((sum, score) => sum + score, 0) / best.length;
}

/** F1 of two texts' stems; 0 where they share none, so an expected text of no words never matches (R-38). */
function wordsF1(answer: string, expected: string): number {
  const answerStems = normalisedWords(answer).map(nltkStem);
  const expectedStems = normalisedWords(expected).map(nltkStem);
  const shared = countShared(answerStems, expectedStems);
  if (shared === 0) return 0;
  const precision = shared / answerStems.length;
  const recall = shared / expectedStems.length;
  return (2 * precision * recall) / (precision + recall);
}

function countShared(left: readonly string[], right: readonly string[]): number {
  const available = new Map<string, number>();
  for (const stem of left) available.set(stem, (available.get(stem) ?? 0) + 1);
  let shared = 0;
  for (const stem of right) {
    const count = available.get(stem) ?? 0;
    if (count === 0) continue;
    available.set(stem, count - 1);
    shared += 1;
  }
  return shared;
}
