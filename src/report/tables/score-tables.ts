import type { ArmResult } from '../../experiment/experiment.js';
import { showActual, showNanoUsd } from '../money-text.js';
import { showScore } from '../number-text.js';
import { lookupMark } from './lookup-notes.js';
import { plainTable } from './table.js';

/** Every score of every arm, what became of its rows, and what it cost: as wide as it takes. */
export function showScores(arms: readonly ArmResult[]): string {
  const scorers = Object.keys(arms[0]?.scores ?? {}).filter((scorer) => !isBudget(scorer));
  const head = ['arm', 'unit', 'parity', ...scorers];
  const counts = ['answered', 'abstained', 'failed', 'lost', 'tokens p50'];
  return plainTable(
    [...head, ...counts, 'attributed', 'actual'],
    arms.map((arm) => [
      `${arm.arm}${arm.reference ? ' *' : ''}${lookupMark(arm)}`,
      arm.unit ?? '–',
      arm.parity,
      ...scorers.map((scorer) => showScore(arm.scores[scorer])),
      `${arm.answered}/${arm.questions}`,
      String(arm.abstained),
      String(arm.failed),
      String(arm.lost),
      arm.context_tokens.p50 === null ? '–' : String(arm.context_tokens.p50),
      showNanoUsd(arm.attributed_nano_usd),
      showActual(arm.actual_nano_usd, arm.uncertain_nano_usd),
    ]),
    [...scorers, ...counts].map((_, index) => 3 + index),
  );
}

/** Recall at token budgets, beside recall at k (RT-4). */
export function showBudgets(arms: readonly ArmResult[]): string {
  const scorers = Object.keys(arms[0]?.scores ?? {}).filter(isBudget);
  const ranking = arms.filter((arm) => scorers.some((scorer) => arm.scores[scorer] !== null));
  if (ranking.length === 0) return '';
  if (ranking.every(({ scores }) => scorers.every((scorer) => scores[scorer] === scores.coverage))) {
    return `evidence recall within ${scorers.map(tokensOf).join(', ')} tokens equals coverage in every arm`;
  }
  return plainTable(
    ['evidence recall within', ...scorers.map((scorer) => `${tokensOf(scorer)} tokens`)],
    ranking.map((arm) => [arm.arm, ...scorers.map((scorer) => showScore(arm.scores[scorer]))]),
    scorers.map((_, index) => index + 1),
  );
}

/** The primary score by category; empty where there is but one. */
export function showCategories(arms: readonly ArmResult[], scorer: string): string {
  const categories = [...new Set(arms.flatMap((arm) => Object.keys(arm.by_category)))].sort();
  if (categories.length < 2) return '';
  const count = (category: string): number =>
    Math.max(0, ...arms.map((arm) => arm.by_category[category]?.[scorer]?.n ?? 0));
  return plainTable(
    [`${scorer} by category`, ...categories.map((category) => `${category} (n=${count(category)})`)],
    arms.map((arm) => [arm.arm, ...categories.map((category) => showScore(arm.by_category[category]?.[scorer]?.mean))]),
    categories.map((_, index) => index + 1),
  );
}

function isBudget(scorer: string): boolean {
  return scorer.endsWith('-tokens');
}

function tokensOf(scorer: string): string {
  return scorer.replace(/^.*@(\d+)-tokens$/, '$1');
}
