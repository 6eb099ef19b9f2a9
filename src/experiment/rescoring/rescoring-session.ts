import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Clock } from '../../core/clock.js';
import { digestJson } from '../../core/digest.js';
import { removeLeftAsides } from '../../core/durable-files.js';
import { toolVersion } from '../../core/tool-version.js';
import type { LedgerTotals } from '../../ledger/ledger.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { RunResult } from '../experiment.js';
import { ledgerResult } from '../ledger-result.js';
import { programDigest } from '../program-digest.js';
import { rescoredRows, timesRescored } from '../rescored-rows.js';
import type { PastRun } from '../resuming/continued-run.js';
import { nextMatrix } from '../resuming/finished-run.js';
import { RunFolder } from '../run-folder.js';
import type { RunManifest, RunSession } from '../run-manifest.js';
import { changesOf, type RescoredFixture } from './rescored-fixtures.js';

/** A rescoring under way: nothing that counts is changed until it ends. */
export interface BegunRescoring {
  /** Of the run, with the place of the new rows. */
  readonly folder: RunFolder;
  /** The present one; its end is not known. */
  readonly session: RunSession;
}

/** Notes in the manifest that a rescoring began, and makes its place: rows that one left there when it was killed were never counted. */
export async function beginRescoring(past: PastRun, clock: Clock): Promise<BegunRescoring> {
  const { folder, manifest } = past;
  const rows = rescoredRows(timesRescored(manifest.rows_folder) + 1);
  await removeLeftAsides(folder.path);
  await rm(join(folder.path, rows), { recursive: true, force: true });
  const session: RunSession = {
    kind: 'rescore',
    started_at: clock.now(),
    finished_at: null,
    scored_by: { version: toolVersion(), program: programDigest() },
  };
  await folder.writeManifest({ ...manifest, sessions: [...manifest.sessions, session] });
  return { folder: RunFolder.of(folder.id, folder.path, rows), session };
}

/** Notes that a rescoring was stopped: the run is what it was before, but for what its judges were paid. */
export function leaveRescoring(
  { folder, manifest }: PastRun,
  { session }: BegunRescoring,
  totals: LedgerTotals,
  clock: Clock,
): Promise<void> {
  return folder.writeManifest({
    ...manifest,
    ledger: ledgerResult(totals),
    sessions: ended(manifest, session, clock),
  });
}

/**
 * Makes the new rows those that count, with the matrix and labels that they were scored by, in one replaced file: what is killed before has changed
 * nothing, and what is killed after has done everything.
 */
export async function finishRescoring(parts: {
  readonly past: PastRun;
  readonly loaded: LoadedMatrix;
  readonly fixtures: readonly RescoredFixture[];
  readonly begun: BegunRescoring;
  readonly result: RunResult;
  readonly clock: Clock;
}): Promise<void> {
  const { past, loaded, fixtures, begun, result, clock } = parts;
  const { manifest } = past;
  const { format: _format, run: _run, path: _path, matrix: digest, status, ...results } = result;
  const isSame = digest === manifest.matrix.digest;
  const matrices = isSame ? manifest.matrices : nextMatrix(manifest, digest);
  const changed = changesOf(fixtures);
  const { file } = matrices.at(-1) as (typeof matrices)[number];
  if (!isSame) await begun.folder.writeMatrix(file, stringify(loaded.matrix));
  const { prices } = loaded.matrix;
  await begun.folder.writeManifest({
    ...manifest,
    ...results,
    status,
    finished_at: clock.now(),
    matrix: { digest, name: loaded.matrix.name, path: loaded.path },
    matrices,
    sessions: ended(
      manifest,
      changed.length === 0 ? begun.session : { ...begun.session, changed_labels: changed },
      clock,
    ),
    prices,
    prices_digest: digestJson(prices as never),
    fixtures: fixtures.map(({ facts }) => facts),
    rows_folder: begun.folder.rows,
  } satisfies RunManifest);
}

function ended({ sessions }: RunManifest, session: RunSession, clock: Clock): RunSession[] {
  return [...sessions, { ...session, finished_at: clock.now() }];
}
