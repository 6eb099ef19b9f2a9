import { internalFault } from '../../../core/errors.js';
import { QUANTUM_NANO_USD } from '../admission.js';

/**
 * An amount in whole quanta of the owner's ledger, rounded up (SQ-10). Both a reservation and a cost are stored so: never less than what was billed.
 *
 * @throws internal fault `CHARGE_NEGATIVE`.
 */
export function quantaOf(amount_nano_usd: bigint): bigint {
  if (amount_nano_usd < 0n) {
    throw internalFault('CHARGE_NEGATIVE', `an embedding request cannot cost ${amount_nano_usd} nano-dollars`);
  }
  return (amount_nano_usd + QUANTUM_NANO_USD - 1n) / QUANTUM_NANO_USD;
}

/** Whole quanta as nano-dollars. */
export function nanoUsdOf(quanta: bigint): bigint {
  return quanta * QUANTUM_NANO_USD;
}

/** Whole quanta as USD text with six decimals, for messages: `$0.002000`. */
export function showQuanta(quanta: bigint): string {
  const [perUsd, decimals] = [1_000_000n, 6];
  return `$${quanta / perUsd}.${(quanta % perUsd).toString().padStart(decimals, '0')}`;
}
