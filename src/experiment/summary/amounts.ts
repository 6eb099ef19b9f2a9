import { internalFault } from '../../core/errors.js';

/** A nano-dollar amount as the JSON integer that files hold. */
export function jsonAmount(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number))
    throw internalFault('AMOUNT_TOO_LARGE', `${amount} nano-dollars do not fit a JSON integer`);
  return number;
}

/** A sum in which one unknown makes the whole unknown: null, never 0 (OB-2). */
export function sumKnown(amounts: Iterable<bigint | null>): bigint | null {
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === null) return null;
    sum += amount;
  }
  return sum;
}
