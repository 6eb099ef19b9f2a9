import type { Clock } from '../core/clock.js';
import { kindOf, messageOf } from '../core/errors.js';
import type { ProcessLock } from '../core/process-lock.js';
import { type Environment, environmentOf } from '../matrix/environment.js';
import type { MatrixOverrides } from '../matrix/load-matrix.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import { openPostgres } from '../postgres/open.js';
import type { PostgresServer } from '../postgres/postgres.js';
import { DatabaseTally } from './database-tally.js';
import type { Progress } from './experiment.js';
import { assertRecordable } from './formation/assert-recordable.js';
import { ledgerHomeOf, ledgerUrl, openRunLedger } from './ledger-home.js';
import { openOwnerLedger } from './owner-ledger/open-owner-ledger.js';
import { enterLeftOpen, pairLedgers } from './owner-ledger/pair-ledgers.js';
import { assertAdmissible } from './owner-ledger/plan-ceilings.js';
import { embeds, type PreparedRun, senders } from './prepare-run.js';
import { Providers } from './providers.js';
import { RunFolder } from './run-folder.js';
import type { LessonBook, RunLessons } from './run-lessons.js';
import { lockRun } from './run-lock.js';
import type { Session } from './session.js';
import type { SessionPlace } from './session-place.js';
import { UserParts } from './user-parts/user-parts.js';
import { NO_OTHER_PROCESS, postgresTurns, TURN_WAIT_MS } from './vectors/query-groups/process-turns.js';
import { SessionQueries } from './vectors/query-groups/session-queries.js';

/** What every verb with a session is told on its command line. */
export interface SessionOptions {
  /** Where run folders are written; null leaves it to the matrix, and then to `defaultOut`. */
  readonly out: string | null;
  readonly defaultOut: string;
  readonly overrides: MatrixOverrides;
  /** An existing server's URL; null starts one. */
  readonly databaseUrl: string | null;
  /** How long another process's recording is waited for (FB-13). */
  readonly recorder_wait_ms: number;
  /** Where lessons are had from, should an arm inject any (LE-6). */
  readonly lessons: LessonBook;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Hears of the run folder as soon as there is one: what goes wrong from then on can be continued there. */
  readonly onFolder: (path: string) => void;
}

/** What `run` and `record` are told on their command lines. */
export interface RunOptions extends SessionOptions {
  /** Absolute. */
  readonly matrixPath: string;
}

/**
 * Opens what sound input needs, in the order in which a refusal costs least: variables, the server, a run folder, the ledger. Closes all
 * of it when the work ends, however it ends.
 *
 * @param use whether questions are read, with which lessons, where the session writes, and whether it may send: where not, no key is read.
 */
export async function withSession<T>(
  options: SessionOptions,
  prepared: PreparedRun,
  use: {
    readonly reads: boolean;
    readonly place: SessionPlace;
    readonly sends?: false;
    readonly lessons?: RunLessons | null;
  },
  work: (session: Session, folder: RunFolder) => Promise<T>,
): Promise<T> {
  const { clock, signal, progress, recorder_wait_ms } = options;
  const { loaded, implementation } = prepared;
  const environment = await environmentOf(loaded.path, options.environment);
  await assertRecordable(prepared);
  if (use.sends !== false) assertAdmissible(prepared);
  const providers = Providers.create(
    loaded,
    use.sends === false ? [] : senders(prepared, use.reads),
    environment,
    clock,
  );
  const home = await ledgerHomeOf(use.place, loaded);
  // Refused before a server starts, where the variable is missing.
  ledgerUrl(home, environment);
  const userParts = await UserParts.open(loaded, clock);
  let postgres: PostgresServer | null = null;
  let lock: ProcessLock | null = null;
  try {
    const opening = openPostgres({ databaseUrl: options.databaseUrl, clock, signal });
    // What is heavy loads while the server starts.
    const willEmbed = embeds(prepared, use.reads);
    if (use.reads || willEmbed) providers.warmUp({ embeds: willEmbed });
    postgres = await opening;
    const databases = new DatabaseTally(postgres, clock);
    for (const text of postgres.notes) progress({ kind: 'note', text });
    const { place } = use;
    const note = (text: string): void => progress({ kind: 'note', text });
    const owners = await openOwnerLedger({ prepared, use, postgres, clock, note });
    const folder = place.kind === 'new' ? await newFolder(options, loaded, place.prefix) : place.folder;
    if (place.kind === 'new') lock = await lockRun(folder.path, clock);
    const mine = { run: folder.id, prepared, clock };
    if (owners !== null && place.kind === 'continued') await enterLeftOpen(owners, place.uncertain, mine);
    const runLedger = await openRunLedger({ home, place, folder, loaded, environment, postgres, clock, note });
    const ledger = pairLedgers(runLedger, owners, mine);
    options.onFolder(folder.path);
    try {
      return await work(
        {
          loaded,
          clock,
          signal,
          ledger,
          ledger_home: home,
          postgres: databases.server,
          providers,
          userParts,
          implementation,
          lessons: use.lessons ?? null,
          queries: new SessionQueries(
            () => note(WAITING_FOR_TURN),
            owners === null ? NO_OTHER_PROCESS : postgresTurns(await databases.server.openControlRuntime()),
          ),
          progress,
          recorder_wait_ms,
        },
        folder,
      );
    } finally {
      if (databases.told !== null) progress({ kind: 'note', text: databases.told });
      await ledger.close();
    }
  } finally {
    await Promise.all([closeServer(postgres, progress), providers.close(), userParts.close(), lock?.release()]);
  }
}

const WAITING_FOR_TURN = `another process prepares questions of the same owner: each group waits for its turn, ${TURN_WAIT_MS / 1000} s at most`;

/** A server that is gone cannot be tidied: what the work made of that stands, and what is left there is named (RS-3). */
async function closeServer(postgres: PostgresServer | null, progress: Progress): Promise<void> {
  try {
    await postgres?.close();
  } catch (error) {
    if (kindOf(error) !== 'database') throw error;
    progress({ kind: 'note', text: `scratch databases of this session were left behind: ${messageOf(error)}` });
  }
}

function newFolder(options: SessionOptions, loaded: LoadedMatrix, prefix: string): Promise<RunFolder> {
  const out = options.out ?? loaded.output_folder ?? options.defaultOut;
  return RunFolder.create(out, `${prefix}${loaded.matrix.name}`, loaded.digest, options.clock);
}
