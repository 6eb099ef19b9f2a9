import type { VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import { showNanoUsd } from '../../money-text.js';
import { ArmName } from '../arm-name.js';
import { FigureTable } from '../figure-table.js';
import type { ReportModel } from '../report-model.js';

/** What an arm costs once, and for each further question; from how many questions on it costs no more than full-history (OB-2). */
export function FixedAndMarginal({ model }: { readonly model: ReportModel }): VNode {
  const { arms } = model.result;
  const fullHistory = model.matrix.arms.filter(({ retrieval }) => retrieval.strategy === 'full-history');
  const isFullHistory = (arm: string): boolean => fullHistory.some(({ name }) => name === arm);
  const isKnown = arms.some(({ costs }) => costs.fixed_nano_usd !== null || costs.marginal_nano_usd !== null);
  const hasFullHistory = fullHistory.length > 0;
  return (
    <>
      <h3>Fixed and marginal</h3>
      {isKnown ? (
        <FigureTable
          caption="Attributed cost of one bank and index, paid once, and of a further question"
          head={['arm', 'once', 'a further question', ...(hasFullHistory ? ['breaks even with full-history at'] : [])]}
          rows={arms.map(({ arm, costs }) => ({
            name: <ArmName model={model} arm={arm} />,
            cells: [
              known(costs.fixed_nano_usd),
              known(costs.marginal_nano_usd),
              ...(hasFullHistory ? [isFullHistory(arm) ? '' : breakEven(costs.break_even_questions)] : []),
            ],
          }))}
        />
      ) : (
        <p>What a bank and its index, and what a further question, would cost of themselves is not known of any arm.</p>
      )}
      {hasFullHistory && isKnown ? <p class="note">A dash: never, or not known.</p> : null}
    </>
  );
}

function breakEven(questions: number | null): string {
  return questions === null ? '–' : counted(questions, 'question');
}

function known(amount: number | null): string {
  return amount === null ? 'not known' : showNanoUsd(amount);
}
