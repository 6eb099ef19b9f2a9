import { counted } from '../core/counted.js';
import type { LedgerResult } from '../experiment/experiment.js';
import { showUsd } from '../ledger/money.js';

/** Nano-dollars for people; `unpriced` where there is no price (OB-2). */
export function showNanoUsd(amount: number | null): string {
  return amount === null ? 'unpriced' : `$${showUsd(BigInt(amount))}`;
}

/** What was paid, and what is held beside it for calls whose bill is not known (LG-6). */
export function showActual(actual: number, uncertain: number): string {
  return `${showNanoUsd(actual)}${uncertain > 0 ? ` (+${showNanoUsd(uncertain)} uncertain)` : ''}`;
}

/** A run's budget, in one line. */
export function showLedger(ledger: LedgerResult): string {
  const parts = [
    `limit ${showNanoUsd(ledger.limit_nano_usd)}`,
    `spent ${showNanoUsd(ledger.spent_nano_usd)}`,
    `held ${showNanoUsd(ledger.held_nano_usd)}`,
    counted(ledger.sends, 'send'),
    ...(ledger.breached ? ['BREACHED: a cost exceeded its reservation, and admission stopped'] : []),
  ];
  return `ledger: ${parts.join(', ')}`;
}
