import { type CallableModule, moduleFailure } from '../../module/module.js';
import type { ScoredRow } from '../../scoring/scoring.js';

/**
 * Asks a scorer module for one row's score (RT-6).
 *
 * @returns from 0 to 1; null where the module says that it does not apply to the row.
 * @throws kind `provider`, as `CallableModule.call`, and `MODULE_UNSOUND` for anything else than such a score.
 */
export async function scoreByModule(module: CallableModule, row: ScoredRow): Promise<number | null> {
  const what = `the question ${row.label.question_id}`;
  const score = await module.call('score', [row], what);
  if (score === null || (typeof score === 'number' && score >= 0 && score <= 1)) return score;
  throw moduleFailure(
    'UNSOUND',
    module.module,
    what,
    `it gave ${shown(score)}; expected a number from 0 to 1, or null`,
  );
}

function shown(value: unknown): string {
  return typeof value === 'number' ? `the score ${value}` : `a value of type ${typeof value}`;
}
