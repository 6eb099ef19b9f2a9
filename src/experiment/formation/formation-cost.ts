import type { Bank } from '../../bank/bank.js';
import { type PriceEntry, priceOf } from '../../provider/prices.js';
import { addUsage, NO_USAGE, type Usage } from '../../provider/usage.js';
import { sumKnown } from '../summary/amounts.js';

/** What something takes on its own, whoever paid for it. Null: unknown, or unpriced. */
export interface OwnCost {
  readonly usage: Usage | null;
  readonly nano_usd: bigint | null;
}

/** Nothing at all: known, and 0. */
export const NO_COST: OwnCost = { usage: NO_USAGE, nano_usd: 0n };

/** What a bank's calls would cost at the matrix's prices (OB-2): each call is rounded up once, as the ledger would have. */
export function bankCost(bank: Bank, price: PriceEntry | null): OwnCost {
  const usages = bank.calls.map((call) => call.usage);
  return {
    usage: usages.reduce<Usage | null>(
      (sum, usage) => (sum === null || usage === null ? null : addUsage(sum, usage)),
      NO_USAGE,
    ),
    nano_usd: sumKnown(usages.map((usage) => priceOf(price, usage))),
  };
}

/** What a usage costs at a price, as one call. */
export function ownCost(usage: Usage | null, price: PriceEntry | null): OwnCost {
  return { usage, nano_usd: priceOf(price, usage) };
}
