import type { VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import type { LedgerResult } from '../../../experiment/experiment.js';
import { isHalfScored } from '../../../experiment/run-record.js';
import { showNanoUsd } from '../../money-text.js';
import { showShare } from '../../number-text.js';
import { Facts } from '../facts.js';
import { FigureTable } from '../figure-table.js';
import { AttributedAndActual } from '../ledger/attributed-and-actual.js';
import { FixedAndMarginal } from '../ledger/fixed-and-marginal.js';
import { FormationCosts } from '../ledger/formation-costs.js';
import { PairingSaved } from '../ledger/pairing-saved.js';
import { PartsOfSpent } from '../ledger/parts-of-spent.js';
import type { ReportModel } from '../report-model.js';

/** What was allowed, spent and held, for whom, and what pairing saved (RP-5, OB-2, OB-3, LG-6). */
export function LedgerSection({ model }: { readonly model: ReportModel }): VNode {
  const { ledger } = model.result;
  return (
    <>
      <Facts
        facts={[
          ['limit', showNanoUsd(ledger.limit_nano_usd)],
          [
            'spent',
            `${showNanoUsd(ledger.spent_nano_usd)} (${showShare(ledger.spent_nano_usd, ledger.limit_nano_usd)})`,
          ],
          ['held', showNanoUsd(ledger.held_nano_usd)],
          ['of it uncertain', showNanoUsd(ledger.uncertain_nano_usd)],
          ['sends', ledger.sends],
        ]}
      />
      {isHalfScored(model.manifest) ? (
        <p class="caution">
          Scoring this run again was killed: what it paid its judges is not in these figures.{' '}
          <code>recall-matrix ledger {model.result.run}</code> has it, and scoring again completes them.
        </p>
      ) : null}
      {ledger.breached ? (
        <p class="caution">
          A call cost more than its reservation. Its true cost is booked, and nothing was admitted after it.
        </p>
      ) : null}
      {ledger.uncertain_nano_usd === 0 ? null : (
        <p class="caution">
          {showNanoUsd(ledger.uncertain_nano_usd)} stay held for calls whose bill is not known. Nothing of it expires:
          the provider may have charged it.
        </p>
      )}
      <PartsOfSpent result={model.result} />
      <StageTable ledger={ledger} />
      <AttributedAndActual model={model} />
      <FixedAndMarginal model={model} />
      <PairingSaved result={model.result} />
      <FormationCosts formation={model.result.formation} />
    </>
  );
}

/** Replayed calls are no sends: they are in no line of it (LG-12). */
function StageTable({ ledger }: { readonly ledger: LedgerResult }): VNode {
  if (ledger.by_arm_and_stage.length === 0)
    return (
      <p>Nothing was reserved and nothing was sent: whatever a model said was replayed, or said in this process.</p>
    );
  return (
    <FigureTable
      caption={`Spent, held and uncertain, by arm and stage: ${counted(ledger.sends, 'send')}`}
      head={['arm', 'stage', 'sends', 'spent', 'held', 'uncertain']}
      texts={[1]}
      rows={ledger.by_arm_and_stage.map(({ arm, stage, sends, spent_nano_usd, held_nano_usd, uncertain_nano_usd }) => ({
        name: arm ?? 'shared by all',
        cells: [stage, sends, showNanoUsd(spent_nano_usd), showNanoUsd(held_nano_usd), showNanoUsd(uncertain_nano_usd)],
      }))}
    />
  );
}
