import type { VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import type { RunResult } from '../../../experiment/experiment.js';
import { pairingSaving } from '../../figures/pairing.js';
import { showNanoUsd } from '../../money-text.js';

/** What it saved that each history was formed once for all arms: reckoned from the calls that were replayed. */
export function PairingSaved({ result }: { readonly result: RunResult }): VNode {
  const saving = pairingSaving(result);
  const replayed = result.arms.reduce((sum, { replayed_calls }) => sum + replayed_calls, 0);
  const isReplayed = result.formation.every(({ source }) => source === 'replayed');
  return (
    <>
      <h3>What pairing saved</h3>
      {saving === null ? (
        <p>Nothing: no bank was read by more than one arm.</p>
      ) : (
        <>
          <p>
            {counted(saving.arms, 'arm')} read beliefs that were formed once, in {counted(saving.bank_calls, 'call')}.
            Had each formed by itself, that would have been {counted(saving.saved_calls, 'call')} more
            {saving.saved_nano_usd === null
              ? ', at a cost that is not known.'
              : `, and ${showNanoUsd(Number(saving.saved_nano_usd))} more at what the banks' calls cost.`}
          </p>
          <p class="note">
            Reckoned, and not measured: ({saving.arms} − 1) arms times the banks' calls and cost; another formation
            would have been another state, and could not have been compared in pairs.
          </p>
        </>
      )}
      {replayed === 0 ? null : (
        <p class="note">
          All arms together replayed {counted(replayed, 'call')}, those that read turns included, so that all start
          alike. A replayed call is never a live one: it was not sent, and its time is this machine's.
          {isReplayed ? ' The banks were recorded before this run, which sent no formation call at all.' : ''}
        </p>
      )}
    </>
  );
}
