import { budgetRefused, internalFault, invalidInput } from '../core/errors.js';
import type { AccountProblem } from './account.js';
import { type NanoUsd, showUsd } from './money.js';

/** Why a call, or an event that cannot happen, is refused: `BUDGET_EXHAUSTED`, `BUDGET_BREACHED` (exit 4) or `LEDGER_MISUSED`. */
export function refusal({ reason, message }: AccountProblem): Error {
  if (reason === 'exhausted') {
    return budgetRefused('BUDGET_EXHAUSTED', `the budget does not admit this call: ${message}`, {
      remedy: 'resume the run with a higher limit, or ask for less; what is done stays',
    });
  }
  if (reason === 'breached') {
    return budgetRefused('BUDGET_BREACHED', `no further call is admitted: ${message}`, {
      remedy:
        "the price table, or the provider's overhead_tokens, is too low for this model: correct it and start a new run, which replays the banks that are recorded; what this run answered stays in its folder",
    });
  }
  return internalFault('LEDGER_MISUSED', message, { details: { reason } });
}

/** How a ledger that is there already is opened again. */
export interface LimitAsked {
  readonly limit: NanoUsd;
  /** The user asked for a higher limit; it is journalled (LG-10). */
  readonly amendLimit?: boolean;
}

/** @throws `LEDGER_LIMIT_CHANGED` (exit 2) unless the limit is the journal's, or higher as an amendment (LG-10). */
export function refuseChangedLimit({ limit, amendLimit }: LimitAsked, journalled: NanoUsd, place: string): void {
  if (limit === journalled || (limit > journalled && amendLimit === true)) return;
  throw invalidInput(
    'LEDGER_LIMIT_CHANGED',
    `the ledger ${place} has a limit of ${showUsd(journalled)} USD, the run now asks for ${showUsd(limit)} USD`,
    {
      remedy:
        limit > journalled
          ? 'ask for the higher limit as an amendment'
          : 'a limit is never lowered: restore it, or start a new run',
    },
  );
}
