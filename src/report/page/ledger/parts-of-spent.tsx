import type { VNode } from 'preact';
import type { RunResult } from '../../../experiment/experiment.js';
import { spentByWhom } from '../../figures/spent-by-whom.js';
import { showNanoUsd } from '../../money-text.js';

/** What was paid adds up, to the nano-dollar, to what the ledger spent (LG-12). */
export function PartsOfSpent({ result }: { readonly result: RunResult }): VNode {
  const { formation, vectors, arms, judging, other } = spentByWhom(result);
  const parts = [
    ['formation', formation],
    ['vectors', vectors],
    ['arms', arms],
    ['judging', judging],
    ['sessions that left no result', other],
  ] as const;
  return (
    <p>
      What was spent is{' '}
      {parts
        .filter(([, amount]) => amount !== 0)
        .map(([what, amount]) => `${showNanoUsd(amount)} for ${what}`)
        .join(', ') || 'nothing'}
      {parts.filter(([, amount]) => amount !== 0).length > 1
        ? `: together ${showNanoUsd(result.ledger.spent_nano_usd)}.`
        : '.'}
    </p>
  );
}
