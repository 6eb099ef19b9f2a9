import { invalidInput } from '../core/errors.js';

/** An amount in integer nano-dollars (1e-9 USD), the quantum of every account here. */
export type NanoUsd = bigint;

/** An exact fraction; its denominator is positive. Never reduced, never rounded before the end of a calculation. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const DECIMAL_TEXT = /^(0|[1-9]\d{0,11})(?:\.(\d{1,30}))?$/;
const NANO_DECIMALS = 9;
const NANO_USD_PER_USD = 1_000_000_000n;
const TOKENS_PER_PRICE = 1_000_000n;

/** Decimal text as `units / 10^decimals`, without loss; null where it is no plain, non-negative decimal text of at most 12 digits and 30 decimals. */
function parseDecimal(text: unknown): { readonly units: bigint; readonly decimals: number } | null {
  const match = typeof text === 'string' ? DECIMAL_TEXT.exec(text) : null;
  if (match === null) return null;
  const decimals = (match[2] ?? '').replace(/0+$/, '');
  return { units: BigInt(`${match[1]}${decimals}`), decimals: decimals.length };
}

/**
 * What is wrong with a USD text, for schemas that report all faults together; null where nothing is. An amount finer than a nano-dollar is wrong
 * for a budget; a price may be finer.
 */
export function usdProblem(text: unknown, use: 'amount' | 'price'): string | null {
  if (typeof text !== 'string')
    return 'a USD amount is decimal text in quotes, such as "0.50"; a bare number loses digits';
  const decimal = parseDecimal(text);
  if (decimal === null) {
    return `"${text.slice(0, 40)}" is no USD amount: digits and a decimal point, no sign, exponent, separator or white space`;
  }
  if (use === 'amount' && decimal.decimals > NANO_DECIMALS)
    return `"${text}" is finer than a nano-dollar (nine decimals)`;
  return null;
}

/**
 * An exact amount from USD decimal text: `"0.50"` is 500,000,000 nano-dollars (LG-4).
 *
 * @throws `USD_INVALID` (exit 2) for anything else: a number, a sign, an exponent, more than nine decimals that count.
 */
export function parseUsd(text: unknown): NanoUsd {
  const problem = usdProblem(text, 'amount');
  const decimal = parseDecimal(text);
  if (problem !== null || decimal === null) throw invalidUsd(problem);
  return decimal.units * 10n ** BigInt(NANO_DECIMALS - decimal.decimals);
}

/**
 * Nano-dollars a token, exactly, from a price in USD a million tokens (LG-8).
 *
 * @throws `USD_INVALID` (exit 2) as `parseUsd`, but for the number of decimals.
 */
export function perTokenNanoUsd(usdPerMillionTokens: unknown): Rational {
  const problem = usdProblem(usdPerMillionTokens, 'price');
  const decimal = parseDecimal(usdPerMillionTokens);
  if (problem !== null || decimal === null) throw invalidUsd(problem);
  return {
    numerator: decimal.units * NANO_USD_PER_USD,
    denominator: TOKENS_PER_PRICE * 10n ** BigInt(decimal.decimals),
  };
}

/** The sum of `tokens × price` over the parts of one call, rounded up once, at the end (LG-4, R-30). Token counts are non-negative. */
export function ceilingNanoUsd(parts: readonly { readonly tokens: bigint; readonly price: Rational }[]): NanoUsd {
  let numerator = 0n;
  let denominator = 1n;
  for (const { tokens, price } of parts) {
    numerator = numerator * price.denominator + tokens * price.numerator * denominator;
    denominator *= price.denominator;
  }
  return (numerator + denominator - 1n) / denominator;
}

/** Nano-dollars as USD text, exactly: at least two decimals, at most nine, e.g. `0.50`, `0.000000001`, `-1.25`. */
export function showUsd(amount: NanoUsd): string {
  const magnitude = amount < 0n ? -amount : amount;
  const decimals = (magnitude % NANO_USD_PER_USD)
    .toString()
    .padStart(NANO_DECIMALS, '0')
    .replace(/0{1,7}$/, '');
  return `${amount < 0n ? '-' : ''}${magnitude / NANO_USD_PER_USD}.${decimals}`;
}

function invalidUsd(problem: string | null): Error {
  return invalidInput('USD_INVALID', problem ?? 'no USD amount', { remedy: 'write it as "0.50"' });
}
