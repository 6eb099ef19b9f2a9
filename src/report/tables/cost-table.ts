import { counted } from '../../core/counted.js';
import type { ArmResult } from '../../experiment/experiment.js';
import { showNanoUsd } from '../money-text.js';
import { plainTable } from './table.js';

/** What each arm costs once and for each question, where it has a price (OB-2). */
export function showCosts(arms: readonly ArmResult[]): string {
  const priced = arms.filter((arm) => arm.costs.fixed_nano_usd !== null);
  if (priced.length === 0) return '';
  return plainTable(
    ['attributed cost', 'fixed', 'a question', 'breaks even with full-history at'],
    priced.map(({ arm, costs }) => [
      arm,
      showNanoUsd(costs.fixed_nano_usd),
      showNanoUsd(costs.marginal_nano_usd),
      costs.break_even_questions === null ? '–' : counted(costs.break_even_questions, 'question'),
    ]),
    [1, 2, 3],
  );
}
