import type { VNode } from 'preact';
import type { ArmResult } from '../../../experiment/experiment.js';
import { COST_PARTS, type CostPart } from '../../figures/cost-counts.js';
import { listed } from '../../listed.js';
import { showNanoUsd } from '../../money-text.js';
import { ArmName } from '../arm-name.js';
import { FigureTable } from '../figure-table.js';
import type { ReportModel } from '../report-model.js';

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
  // A part that is known of no arm is said once, and is no column.
  const columns = [
    ['attributed', ({ attributed_nano_usd: cost }: ArmResult) => (cost === null ? null : BigInt(cost))],
    ...COST_PARTS.map((part) => [WORDS[part], ({ arm }: ArmResult) => partOf(model, arm, part)] as const),
    ...(isJudged ? [['judging, in neither', judgingOf] as const] : []),
  ] as const;
  const known = columns.filter(([, costOf]) => arms.some((arm) => costOf(arm) !== null));
  const first = known[0]?.[0] === 'attributed' ? 1 : 0;
  const unknown = columns.filter((column) => !known.includes(column)).map(([name]) => name);
  return (
    <>
      <h3>Attributed and actual</h3>
      <p>
        Attributed: as if the arm had run alone, by the prices of the matrix. Actual: what this run newly sent for it
        and paid. What was replayed, or answered in this process, is actually free, and no measurement of a fresh run:
        neither its cost nor its time. Formation and vectors that all arms share are paid once, and are no arm's.
      </p>
      <FigureTable
        caption="By arm: what it would have cost alone and the parts of that, and what was paid for it"
        head={[
          'arm',
          ...known.slice(0, first).map(([name]) => name),
          'actual',
          'uncertain',
          ...known.slice(first).map(([name]) => name),
        ]}
        rows={arms.map((arm) => ({
          name: <ArmName model={model} arm={arm.arm} />,
          cells: [
            ...known.slice(0, first).map(([, costOf]) => money(costOf(arm))),
            showNanoUsd(arm.actual_nano_usd),
            showNanoUsd(arm.uncertain_nano_usd),
            ...known.slice(first).map(([, costOf]) => money(costOf(arm))),
          ],
        }))}
      />
      {unknown.length === 0 ? null : <p>Not known of any arm: {listed(unknown)}.</p>}
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
