import type { VNode } from 'preact';
import type { RunResult } from '../../experiment/experiment.js';
import type { RunRecord } from '../../experiment/run-record.js';
import { DataText } from './data-text.js';

const STATUS: Readonly<Record<RunResult['status'], string>> = {
  complete: 'complete',
  incomplete: 'not complete: what is below is of the rows that there are',
  refused: 'refused: nothing could be asked',
};

/** What the page is of: the matrix, the run, when, and whether it was finished. */
export function Masthead({ record }: { readonly record: RunRecord }): VNode {
  const { manifest, result } = record;
  return (
    <>
      <h1>
        <DataText text={manifest.matrix.name} />
      </h1>
      <p class="muted">
        Run <DataText text={record.run} />, begun {moment(manifest.started_at)}
        {manifest.finished_at === null ? '' : `, finished ${moment(manifest.finished_at)}`}; {STATUS[result.status]}.
        Written by recall-matrix {manifest.tool.version}.
      </p>
      {result.status === 'complete' ? null : (
        <p class="caution">
          This run is not complete.
          {result.resume === null ? null : (
            <>
              {' '}
              It is continued with <code class="data">{result.resume}</code>
            </>
          )}
        </p>
      )}
    </>
  );
}

/** `2026-03-01T10:02:03.004Z` as it is read: to the minute, in UTC. */
function moment(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
