import { isRemote, type ProviderEntry } from '../../matrix/matrix.js';
import type { CallEstimate, CostEstimate } from '../../matrix/plan.js';
import type { Admission, PlannedCost } from '../documents.js';
import { jsonAmount, sumKnown } from '../summary/amounts.js';

/** Calls that never leave this process: they cost nothing. */
export function inProcess(calls: number): PlannedCost {
  return { calls, sends: 0, expected_nano_usd: 0, worst_nano_usd: 0 };
}

/** Calls that are sent, with what they are estimated to cost. */
export function planned(calls: readonly CallEstimate[], cost: CostEstimate): PlannedCost {
  const json = (amount: bigint | null): number | null => (amount === null ? null : jsonAmount(amount));
  const sends = calls.reduce((sum, call) => sum + call.sends, 0);
  return {
    calls: sends,
    sends,
    expected_nano_usd: json(cost.expected_nano_usd),
    worst_nano_usd: json(cost.worst_nano_usd),
  };
}

/** A sum of stages; one unpriced part makes it unpriced. */
export function total(parts: readonly PlannedCost[]): PlannedCost {
  const sum = (key: 'expected_nano_usd' | 'worst_nano_usd'): number | null => {
    const amount = sumKnown(parts.map((part) => (part[key] === null ? null : BigInt(part[key]))));
    return amount === null ? null : jsonAmount(amount);
  };
  return {
    calls: parts.reduce((all, part) => all + part.calls, 0),
    sends: parts.reduce((all, part) => all + part.sends, 0),
    expected_nano_usd: sum('expected_nano_usd'),
    worst_nano_usd: sum('worst_nano_usd'),
  };
}

/** Input tokens that a provider may add to a body (LG-2). */
export function overhead(entry: ProviderEntry): number {
  return isRemote(entry) ? entry.overhead_tokens : 0;
}

const ADMISSIONS: readonly Admission[] = ['no', 'not-the-worst-case', 'unknown', 'yes'];

/** What several admissions come to: the worst of them. */
export function worstAdmission(admissions: readonly Admission[]): Admission {
  return ADMISSIONS.find((admission) => admissions.includes(admission)) ?? 'yes';
}
