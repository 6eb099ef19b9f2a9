import { showUsd } from '../../ledger/money.js';

/** Nano-dollars for people; `unpriced` where there is no price (OB-2). */
export function showNanoUsd(amount: number | null): string {
  return amount === null ? 'unpriced' : `$${showUsd(BigInt(amount))}`;
}

/** What was paid, and what is held beside it for calls whose bill is not known (LG-6). */
export function showActual(actual: number, uncertain: number): string {
  return `${showNanoUsd(actual)}${uncertain > 0 ? ` (+${showNanoUsd(uncertain)} uncertain)` : ''}`;
}
