import type { VNode } from 'preact';
import type { RunResult } from '../../../experiment/experiment.js';
import type { RunManifest } from '../../../experiment/run-record.js';
import { DataText } from '../data-text.js';
import { DigestText } from '../digest.js';
import { FigureTable } from '../figure-table.js';

const KINDS: Readonly<Record<RunManifest['sessions'][number]['kind'], string>> = {
  run: 'run',
  resume: 'resumed',
  extend: 'extended',
  rescore: 'scored again',
};

/** When the run was worked on, and by which program it was scored again. */
export function Sessions({ sessions }: { readonly sessions: RunManifest['sessions'] }): VNode {
  const hasChanges = sessions.some(({ changed_labels }) => changed_labels !== undefined);
  return (
    <FigureTable
      caption="Sessions"
      head={['session', 'began', 'ended', 'scored by', ...(hasChanges ? ['labels changed'] : [])]}
      texts={[1, 2, 3, 4]}
      rows={sessions.map(({ kind, started_at, finished_at, scored_by, changed_labels = [] }, index) => ({
        name: `${index + 1}: ${KINDS[kind]}`,
        cells: [
          started_at,
          finished_at ?? 'killed',
          scored_by === undefined ? '–' : `recall-matrix ${scored_by.version}`,
          ...(hasChanges ? [changed_labels.length === 0 ? '–' : <LabelChanges changes={changed_labels} />] : []),
        ],
      }))}
    />
  );
}

/** Labels before and after, whole: the run holds the digests of the later ones alone. */
function LabelChanges({ changes }: { readonly changes: RunResult['changed_labels'] }): VNode {
  return (
    <>
      {changes.map(({ fixture, before, after }) => (
        <div key={fixture}>
          <DataText text={fixture} />: from <DigestText digest={before} /> to <DigestText digest={after} />
        </div>
      ))}
    </>
  );
}
