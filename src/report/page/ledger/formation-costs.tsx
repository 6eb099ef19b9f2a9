import type { VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import type { ActualCost, FormationResult } from '../../../experiment/experiment.js';
import { showActual, showNanoUsd } from '../../money-text.js';
import { FigureTable } from '../figure-table.js';

const SOURCES: Readonly<Record<FormationResult['source'], string>> = {
  recorded: 'recorded in this run',
  replayed: 'replayed from an earlier recording',
  live: 'formed live in every cell: unpaired',
  none: 'no formation',
  failed: 'failed',
};

/** What forming and embedding each conversation took, for all arms together (LG-12). */
export function FormationCosts({ formation }: { readonly formation: readonly FormationResult[] }): VNode {
  const hasReplicates = formation.some(({ replicate }) => replicate > 1);
  const caption = `Formation and vectors of ${counted(formation.length, hasReplicates ? 'conversation and replicate' : 'conversation', hasReplicates ? 'conversations and replicates' : 'conversations')}`;
  return (
    <details>
      <summary>{caption}</summary>
      <FigureTable
        caption={`${caption}: what the calls cost alone, and what was paid now`}
        head={[
          'conversation',
          ...(hasReplicates ? ['replicate'] : []),
          'formation',
          'calls',
          'attributed',
          'actual',
          'vectors of items',
          'vectors of questions',
        ]}
        texts={[hasReplicates ? 2 : 1]}
        rows={formation.map((one) => ({
          name: one.fixture,
          cells: [
            ...(hasReplicates ? [one.replicate] : []),
            SOURCES[one.source],
            one.calls,
            one.source === 'none' ? '–' : showNanoUsd(one.attributed_nano_usd),
            showActual(one.actual_nano_usd, one.uncertain_nano_usd),
            paid(one.embedding.index),
            paid(one.embedding.query),
          ],
        }))}
      />
    </details>
  );
}

function paid({ sends, actual_nano_usd, uncertain_nano_usd }: ActualCost): string {
  return sends === 0 ? 'none sent' : `${showActual(actual_nano_usd, uncertain_nano_usd)} (${counted(sends, 'send')})`;
}
