import type { ArmResult } from '../../../experiment/experiment.js';
import { listed } from '../../listed.js';
import { showNanoUsd } from '../../money-text.js';
import { showCount } from '../../number-text.js';

/**
 * What the best arm costs by itself, and what costs less among those that may be as good (OB-2). An arm without a price is said to have none.
 *
 * @param rivals arms that are not told apart from it.
 */
export function costSentences(best: string, rivals: readonly string[], arms: readonly ArmResult[]): string[] {
  const of = (name: string): ArmResult | undefined => arms.find(({ arm }) => arm === name);
  const own = of(best);
  if (own === undefined) return [];
  const read = contextSentences(own, rivals, arms);
  if (own.attributed_nano_usd === null)
    return [`In money it is not known: ${best}, or what it reads, is unpriced in this matrix.`, ...read];
  const { fixed_nano_usd: fixed, marginal_nano_usd: marginal } = own.costs;
  const parts =
    fixed === null || marginal === null
      ? ''
      : `: ${showNanoUsd(fixed)} once, for formation and index, and ${showNanoUsd(marginal)} a question`;
  return [
    `On its own ${best} would have cost ${showNanoUsd(own.attributed_nano_usd)} for this load${parts} (attributed; what the run really paid is in the ledger).`,
    ...cheaper(own, rivals, of),
    ...read,
  ];
}

/** The cheapest of those that may be as good, where it costs less; of equal ones the first in the order given. */
function cheaper(best: ArmResult, rivals: readonly string[], of: (name: string) => ArmResult | undefined): string[] {
  const priced = rivals.flatMap((name) => {
    const cost = of(name)?.attributed_nano_usd ?? null;
    return cost === null ? [] : [{ name, cost }];
  });
  const [cheapest] = priced.sort((one, other) => one.cost - other.cost);
  if (cheapest === undefined || cheapest.cost >= (best.attributed_nano_usd as number)) return [];
  return [`${cheapest.name} is not told apart from it and would have cost ${showNanoUsd(cheapest.cost)}.`];
}

/** What its reader is given for a question, beside the least among those that may be as good, and beside the references. */
function contextSentences(best: ArmResult, rivals: readonly string[], arms: readonly ArmResult[]): string[] {
  const given = ({ context_tokens: { p50 } }: ArmResult): number | null => p50;
  const own = given(best);
  if (own === null) return [];
  const [least] = arms
    .filter((arm) => rivals.includes(arm.arm) && (given(arm) ?? own) < own)
    .sort((one, other) => (given(one) as number) - (given(other) as number));
  const references = arms.flatMap((arm) =>
    arm.reference && given(arm) !== null ? [`${showCount(given(arm))} of ${arm.arm}`] : [],
  );
  return [
    `The reader of ${best.arm} is given ${showCount(own)} context tokens for a question, in the median${references.length === 0 ? '' : `, beside ${listed(references)}`}.`,
    ...(least === undefined
      ? []
      : [`${least.arm} is not told apart from it, and its reader is given ${showCount(given(least))}.`]),
  ];
}
