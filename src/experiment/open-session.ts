import type { Clock } from '../core/clock.js';
import { openFileLedger } from '../ledger/file-ledger.js';
import { type Environment, environmentOf } from '../matrix/environment.js';
import type { MatrixOverrides } from '../matrix/load-matrix.js';
import { openPostgres } from '../postgres/open.js';
import type { PostgresServer } from '../postgres/postgres.js';
import { assertRecordable } from './assert-recordable.js';
import { usesVectors } from './cell.js';
import type { Progress } from './experiment.js';
import { type PreparedRun, senders } from './prepare-run.js';
import { Providers } from './providers.js';
import { RunFolder } from './run-folder.js';
import type { Session } from './session.js';

/** What `run` and `record` are told on their command lines. */
export interface RunOptions {
  /** Absolute. */
  readonly matrixPath: string;
  /** Where run folders are written; null leaves it to the matrix, and then to `defaultOut`. */
  readonly out: string | null;
  readonly defaultOut: string;
  readonly overrides: MatrixOverrides;
  /** An existing server's URL; null starts one. */
  readonly databaseUrl: string | null;
  /** How long another process's recording is waited for (FB-13). */
  readonly recorder_wait_ms: number;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Opens what sound input needs, in the order in which a refusal costs least: variables, the server, a run folder, the ledger. Closes all
 * of it when the work ends, however it ends.
 *
 * @param use whether questions are read, and the prefix of the run's name.
 */
export async function withSession<T>(
  options: RunOptions,
  prepared: PreparedRun,
  use: { readonly reads: boolean; readonly prefix: string },
  work: (session: Session, folder: RunFolder) => Promise<T>,
): Promise<T> {
  const { clock, signal, progress, recorder_wait_ms } = options;
  const { loaded, implementation } = prepared;
  const environment = await environmentOf(options.matrixPath, options.environment);
  await assertRecordable(prepared);
  const providers = Providers.create(loaded, senders(prepared, use.reads), environment, clock);
  let postgres: PostgresServer | null = null;
  try {
    const opening = openPostgres({ databaseUrl: options.databaseUrl, clock, signal });
    // What is heavy loads while the server starts.
    if (use.reads) providers.warmUp({ embeds: loaded.matrix.arms.some(usesVectors) });
    postgres = await opening;
    const folder = await RunFolder.create(
      options.out ?? loaded.output_folder ?? options.defaultOut,
      `${use.prefix}${loaded.matrix.name}`,
      loaded.digest,
      clock,
    );
    const limit = BigInt(loaded.matrix.budget_nano_usd);
    const ledger = await openFileLedger({ path: folder.ledgerPath, mode: 'create', limit, clock, run: folder.id });
    try {
      return await work(
        { loaded, clock, signal, ledger, postgres, providers, implementation, progress, recorder_wait_ms },
        folder,
      );
    } finally {
      await ledger.close();
    }
  } finally {
    await Promise.all([postgres?.close(), providers.close()]);
  }
}
