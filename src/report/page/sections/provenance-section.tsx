import type { VNode } from 'preact';
import { counted } from '../../../core/counted.js';
import type { ParityStatus } from '../../../experiment/experiment.js';
import { PARITY_SHOWS } from '../../parity-words.js';
import { DataText } from '../data-text.js';
import { DigestText } from '../digest.js';
import { Facts } from '../facts.js';
import { BoundFixtures } from '../provenance/bound-fixtures.js';
import { BoundModels } from '../provenance/bound-models.js';
import { BoundPrices } from '../provenance/bound-prices.js';
import { Sessions } from '../provenance/sessions.js';
import type { ReportModel } from '../report-model.js';

/** What every number of the page rests on (RP-5): digests, versions, prices with their dates, and what parity does and does not show (ST-5). */
export function ProvenanceSection({ model }: { readonly model: ReportModel }): VNode {
  const { manifest, result, matrix } = model;
  const { tool, postgres } = manifest;
  return (
    <>
      <p>
        What the rows rest on, whole, so that another run can be held against it. A digest is selected by one click; the
        files that hold these texts lie in the run folder.
      </p>
      <Facts
        facts={[
          ['run', <DataText text={manifest.run} />],
          ['matrix', <DigestText digest={manifest.matrix.digest} />],
          ['matrix file', <DataText text={manifest.matrix.path} />],
          ['earlier matrices', manifest.matrices.length === 1 ? null : <EarlierMatrices model={model} />],
          ['rows', manifest.rows_folder === null ? null : `scored again: those in ${manifest.rows_folder}`],
          ['seed', <DataText text={matrix.seed} />],
          ['order', 'questions in load order; for each, the arms shuffled by the seed'],
          ['lessons', manifest.lesson_projection === null ? null : <DigestText digest={manifest.lesson_projection} />],
          ['recall-matrix', tool.version],
          ['program that asks and scores', <DigestText digest={tool.program} />],
          ['program that forms', <DigestText digest={tool.implementation} />],
          ['Node', tool.node],
          ['Postgres', `${postgres.version} (${postgres.kind})`],
          ['ledger', isInPostgres(manifest.ledger_home) ? 'in Postgres' : 'in the run folder'],
        ]}
      />
      <Packages packages={tool.packages ?? null} />
      <Sessions sessions={manifest.sessions} />
      <BoundModels model={model} />
      <BoundPrices prices={matrix.prices} digest={stringOf(manifest.prices_digest)} />
      <BoundFixtures manifest={manifest} formation={result.formation} />
      <h3>What parity shows</h3>
      <p>{PARITY_SHOWS}</p>
      <ParityOfArms model={model} />
    </>
  );
}

/** Of an extended or rescored run: every matrix that it had before. */
function EarlierMatrices({ model }: { readonly model: ReportModel }): VNode {
  return (
    <>
      {model.manifest.matrices.slice(0, -1).map(({ digest, file }) => (
        <div key={file}>
          <DigestText digest={digest} /> <span class="note">{file}</span>
        </div>
      ))}
    </>
  );
}

/** The installed packages that rows rest on; null where the run's version did not write them. */
function Packages({ packages }: { readonly packages: { readonly [name: string]: string } | null }): VNode | null {
  const entries = Object.entries(packages ?? {});
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>{counted(entries.length, 'package')} that rows rest on</summary>
      <Facts facts={entries.map(([name, version]) => [name, version] as const)} />
    </details>
  );
}

const PARITY_WORDS: Readonly<Record<ParityStatus, string>> = {
  equal: "started from the bank's state",
  changed: "refused: its state differs from the bank's",
  unpaired: 'formed beliefs of its own, without a bank: compared in pairs with none',
  'not-applicable': 'has no formation of this matrix to be equal to',
  'not-reached': 'was stopped before the gate',
};

function ParityOfArms({ model }: { readonly model: ReportModel }): VNode {
  const { arms } = model.result;
  return (
    <ul>
      {Object.entries(PARITY_WORDS).flatMap(([parity, words]) => {
        const own = arms.filter((arm) => arm.parity === parity).map(({ arm }) => arm);
        return own.length === 0 ? [] : [<li key={parity}>{`${own.join(', ')}: ${words}.`}</li>];
      })}
    </ul>
  );
}

function isInPostgres(home: unknown): boolean {
  return (home as { readonly home?: unknown } | undefined)?.home === 'postgres';
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
