import type { VNode } from 'preact';
import type { ArmResult } from '../../../experiment/experiment.js';
import { COST_PARTS, type CostPart } from '../../figures/cost-counts.js';
import { showNanoUsd } from '../../tables/money-text.js';
import { FigureTable } from '../figure-table.js';
import type { ReportModel } from '../report-model.js';
import { ArmName } from '../sections/arms-section.js';

const WORDS: Readonly<Record<CostPart, string>> = {
  formation: 'formation',
  index: 'index',
  query: 'query preparation',
  reader: 'reader',
};

/** What each arm would have cost alone, beside what was newly sent for it; what is paid once, beside a question's own (OB-2). */
export function AttributedAndActual({ model }: { readonly model: ReportModel }): VNode {
  const { arms } = model.result;
  const isJudged = arms.some(({ judging }) => Object.keys(judging).length > 0);
  return (
    <>
      <h3>Attributed and actual</h3>
      <p>
        Attributed: as if the arm had run alone, by the prices of the matrix. Actual: what this run newly sent for it
        and paid. What was replayed, or answered in this process, is actually free, and no measurement of a fresh run:
        neither its cost nor its time. Formation and vectors that all arms share are paid once, and are no arm's.
      </p>
      <FigureTable
        caption="By arm: what it would have cost alone, what was paid for it, and of the former what is formation, index, query preparation and reader"
        head={[
          'arm',
          'attributed',
          'actual',
          'uncertain',
          ...COST_PARTS.map((part) => WORDS[part]),
          ...(isJudged ? ['judging, in neither'] : []),
        ]}
        rows={arms.map((arm) => ({
          name: <ArmName model={model} arm={arm.arm} />,
          cells: [
            money(arm.attributed_nano_usd === null ? null : BigInt(arm.attributed_nano_usd)),
            showNanoUsd(arm.actual_nano_usd),
            showNanoUsd(arm.uncertain_nano_usd),
            ...COST_PARTS.map((part) => money(partOf(model, arm.arm, part))),
            ...(isJudged ? [money(judgingOf(arm))] : []),
          ],
        }))}
      />
      <p class="note">
        An attributed cost that is not known has no price, or holds a call whose cost is not known. Formation is charged
        to arms that read beliefs, in equal shares of a cell's rows that sum to the bank's cost.
      </p>
    </>
  );
}

/** Over all datasets: costs may be added where scores are not. */
function partOf({ datasets }: ReportModel, arm: string, part: CostPart): bigint | null {
  const parts = datasets
    .flatMap(({ arms }) => arms.filter((one) => one.arm === arm))
    .map(({ cost }) => cost.parts[part]);
  return parts.reduce<bigint | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0n);
}

function judgingOf({ judging }: ArmResult): bigint | null {
  return Object.values(judging).reduce<bigint | null>(
    (sum, { attributed_nano_usd: one }) => (sum === null || one === null ? null : sum + BigInt(one)),
    0n,
  );
}

function money(amount: bigint | null): string {
  return amount === null ? 'not known' : showNanoUsd(Number(amount));
}
