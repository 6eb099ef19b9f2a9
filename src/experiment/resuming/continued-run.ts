import { removeLeftAsides } from '../../core/durable-files.js';
import { invalidInput } from '../../core/errors.js';
import { parseUsd, showUsd } from '../../ledger/money.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { lessonsOfContinued } from '../bind-lessons.js';
import { blockName } from '../block-id.js';
import { findRun } from '../find-run.js';
import { JudgementFile } from '../judging/judgement-file.js';
import { readRunLedger, refuseOtherHome } from '../ledger-home.js';
import { type SessionOptions, withSession } from '../open-session.js';
import type { PreparedRun } from '../prepare-run.js';
import { readRecordedMatrix } from '../reading/recorded-matrix.js';
import { MatrixRun, type RunOutcome } from '../run.js';
import { RunFolder } from '../run-folder.js';
import type { RunHistory } from '../run-history.js';
import { lockRun } from '../run-lock.js';
import { type RunManifest, type RunSession, readManifest } from '../run-manifest.js';
import { refuseStrangeRows } from './past-rows.js';

/** What `run --resume` and `run --extend` are told. */
export interface ContinueOptions extends SessionOptions {
  /** A run id under the output folder, `latest`, or a folder. */
  readonly run: string;
  /** A matrix file, absolute; null where none is given. */
  readonly matrixPath: string | null;
  /** A higher limit, in US dollars (LG-10); null leaves the run's. */
  readonly budget: string | null;
  /** Whether rows that the provider lost are asked again. */
  readonly retryFailed: boolean;
}

/** A run folder that this process has for itself, with what earlier sessions said of it. */
export interface PastRun {
  readonly folder: RunFolder;
  readonly manifest: RunManifest;
  /** Its matrix as it was resolved. */
  readonly loaded: LoadedMatrix;
}

/**
 * Finds a run and does something with it, alone: another process that works on it is named and left alone.
 *
 * @throws exit 2: `RUN_NOT_FOUND`, `RUN_IN_USE`, `RUN_MANIFEST_BROKEN`, `RUN_MATRIX_BROKEN`.
 */
export async function withPastRun<T>(options: ContinueOptions, work: (past: PastRun) => Promise<T>): Promise<T> {
  if (options.budget !== null) parseUsd(options.budget);
  const path = await findRun(options.out ?? options.defaultOut, options.run, 'run@1');
  const lock = await lockRun(path, options.clock);
  try {
    const manifest = await readManifest(path);
    const loaded = await readRecordedMatrix(manifest, path);
    return await work({ folder: RunFolder.of(manifest.run, path, manifest.rows_folder), manifest, loaded });
  } finally {
    await lock.release();
  }
}

/** The next session of a run, once its input was found to be what it has to be. */
export async function continueRun(
  options: ContinueOptions,
  { folder, manifest }: PastRun,
  prepared: PreparedRun,
  change: { readonly kind: RunSession['kind']; readonly matrices: RunManifest['matrices'] },
): Promise<RunOutcome> {
  await refuseOtherHome(folder, manifest.ledger_home);
  const { totals, uncertain } = await readRunLedger(folder.path, options);
  await refuseStrangeRows(folder, prepared, totals);
  await JudgementFile.read(folder.judgementsPath);
  const lessons = await lessonsOfContinued(prepared.loaded, folder.path, manifest, options);
  const limit = higherLimit(options.budget, totals.limit_nano_usd);
  if (totals.uncertain_nano_usd > 0n) {
    const text = `calls whose bill is not known stay held: $${showUsd(totals.uncertain_nano_usd)} (recall-matrix ledger ${folder.id})`;
    options.progress({ kind: 'note', text });
  }
  await removeLeftAsides(folder.path);
  const history: RunHistory = {
    ...change,
    started_at: manifest.started_at,
    sessions: manifest.sessions,
    banks: manifest.banks,
    vector_banks: manifest.vector_banks,
    retryFailed: options.retryFailed,
  };
  const place = { kind: 'continued' as const, folder, limit, amendLimit: limit > totals.limit_nano_usd, uncertain };
  return withSession(options, prepared, { reads: true, place, lessons }, (session) => {
    const { version } = session.postgres;
    if (version !== manifest.postgres.version)
      options.progress({
        kind: 'note',
        text: `the run began on Postgres ${manifest.postgres.version}, and goes on with ${version}: equal scores may be ordered otherwise`,
      });
    return new MatrixRun(session, prepared, folder, history).run();
  });
}

/** Names of the blocks whose bank the run was to record: found now, it is its own. */
export function ownBanks({ banks }: RunManifest): ReadonlySet<string> {
  return new Set(banks.filter(({ action }) => action === 'record').map(blockName));
}

/**
 * The limit that a session goes on with.
 *
 * @param budget what the user asks for; null leaves it.
 * @throws `BUDGET_LOWERED` (exit 2).
 */
export function higherLimit(budget: string | null, present: bigint): bigint {
  if (budget === null) return present;
  const asked = parseUsd(budget);
  if (asked >= present) return asked;
  throw invalidInput('BUDGET_LOWERED', `the run's limit is ${showUsd(present)} USD, and --budget asks for ${budget}`, {
    remedy: 'a limit is never lowered: name a higher one, or none',
  });
}
