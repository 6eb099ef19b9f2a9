import { showUsd } from '../ledger/money.js';

/** Nano-dollars for people; `unpriced` where there is no price (OB-2). */
export function showNanoUsd(amount: number | null): string {
  return amount === null ? 'unpriced' : `$${showUsd(BigInt(amount))}`;
}
