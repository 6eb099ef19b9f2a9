import type { VNode } from 'preact';
import type { RunManifest } from '../../../experiment/run-record.js';
import { FigureTable } from '../figure-table.js';

const KINDS: Readonly<Record<RunManifest['sessions'][number]['kind'], string>> = {
  run: 'run',
  resume: 'resumed',
  extend: 'extended',
  rescore: 'scored again',
};

/** When the run was worked on, and by which program it was scored again. */
export function Sessions({ sessions }: { readonly sessions: RunManifest['sessions'] }): VNode {
  return (
    <FigureTable
      caption="Sessions"
      head={['session', 'began', 'ended', 'scored by']}
      texts={[1, 2, 3]}
      rows={sessions.map(({ kind, started_at, finished_at, scored_by }, index) => ({
        name: `${index + 1}: ${KINDS[kind]}`,
        cells: [
          started_at,
          finished_at ?? 'killed',
          scored_by === undefined ? '–' : `recall-matrix ${scored_by.version}`,
        ],
      }))}
    />
  );
}
