import type { LedgerTotals } from '../ledger/ledger.js';
import type { LedgerResult } from './experiment.js';
import { jsonAmount } from './summary/amounts.js';

/** A ledger's totals as documents give them. */
export function ledgerResult(totals: LedgerTotals): LedgerResult {
  return {
    limit_nano_usd: jsonAmount(totals.limit_nano_usd),
    spent_nano_usd: jsonAmount(totals.spent_nano_usd),
    held_nano_usd: jsonAmount(totals.held_nano_usd),
    uncertain_nano_usd: jsonAmount(totals.uncertain_nano_usd),
    sends: totals.sends,
    breached: totals.breached,
    by_arm_and_stage: totals.by_arm_and_stage.map((sums) => ({
      arm: sums.arm,
      stage: sums.stage,
      sends: sums.sends,
      spent_nano_usd: jsonAmount(sums.spent_nano_usd),
      held_nano_usd: jsonAmount(sums.held_nano_usd),
      uncertain_nano_usd: jsonAmount(sums.uncertain_nano_usd),
    })),
  };
}
