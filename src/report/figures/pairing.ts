import type { RunResult } from '../../experiment/experiment.js';

/** What it saved that arms share a bank: reckoned, and not measured (FB-4). */
export interface PairingSaving {
  /** Arms that read beliefs formed from a bank. */
  readonly arms: number;
  /** Calls in the banks: each was sent once, in this run or before it. */
  readonly bank_calls: number;
  /** Calls that arms which read beliefs would have sent beyond the banks' own, had each formed by itself. */
  readonly saved_calls: number;
  /** What those would have cost, at what the banks' cost; null where that has no price, or some arm did not replay all. */
  readonly saved_nano_usd: bigint | null;
}

/** Null where no bank was shared. */
export function pairingSaving({ arms, formation }: RunResult): PairingSaving | null {
  const banks = formation.filter(({ source }) => source === 'recorded' || source === 'replayed');
  const reading = arms.filter(({ unit, parity }) => unit === 'beliefs' && parity === 'equal');
  const bank_calls = banks.reduce((sum, { calls }) => sum + calls, 0);
  const replayed = reading.reduce((sum, { replayed_calls }) => sum + replayed_calls, 0);
  if (banks.length === 0 || reading.length < 2 || replayed <= bank_calls) return null;
  const amounts = banks.map(({ attributed_nano_usd }) => attributed_nano_usd);
  const isWhole = replayed === reading.length * bank_calls && amounts.every((amount) => amount !== null);
  const cost = amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n);
  return {
    arms: reading.length,
    bank_calls,
    saved_calls: replayed - bank_calls,
    saved_nano_usd: isWhole ? BigInt(reading.length - 1) * cost : null,
  };
}
