import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import { messageOf, RecallMatrixError } from '../../core/errors.js';
import { findBinaryPackage, prepareBinaries } from './binaries.js';
import { prepareCacheFolder } from './cache.js';
import { didNotStart } from './failure.js';
import { startGuard } from './guard.js';
import { borrowedIdentity, type ServerIdentity } from './identity.js';
import { makeData, SUPERUSER } from './initial-data.js';
import { makeRunFolder, removeStaleRuns, runFolderBase, stopAbandonedServer } from './run-folder.js';
import { chooseLogin, type Login, serverCommand, UNSYNCED, untilReady } from './server-process.js';

/** A server that this process started, or found running and shares. */
export interface EmbeddedServer {
  /** How to log in as its superuser. */
  readonly address: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly database: string;
  };
  /** Who runs it, for people. */
  readonly runsAs: string;
  readonly cacheFolder: string;
  /** The user's kept cluster, which outlasts the run (PG-5); null for a server that goes with it. */
  readonly clusterFolder: string | null;
  /** From the first look at the disk to readiness, in milliseconds. */
  readonly startMs: number;
  /** What ended it, where it is no longer running. */
  readonly ended: string | null;
  /** Forces to the disk what was written while nothing was synced; for a kept cluster that begins to sync. */
  syncFiles(): Promise<void>;
  /** Stops it, where nobody else uses it. */
  stop(): Promise<void>;
}

/** What starting needs. */
export interface EmbeddedOptions {
  /** Where copies of the programs are kept; null for the usual place. */
  readonly cacheFolder: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Starts a Postgres server of this invocation's own (PG-1), in a private temporary folder that goes when the server stops or this process
 * dies. It listens on a Unix socket in that folder; on Windows on 127.0.0.1 with a password.
 *
 * @throws kind `database` (exit 8) with the server's last words; the signal's reason where it is aborted.
 */
export async function startEmbedded({ cacheFolder, clock, signal }: EmbeddedOptions): Promise<EmbeddedServer> {
  const started = clock.monotonicMs();
  const identity = borrowedIdentity();
  const found = findBinaryPackage();
  const base = await runFolderBase(identity);
  await removeStaleRuns(base);
  const cache = await prepareCacheFolder({ folder: cacheFolder, shared: identity !== null });
  const folder = await makeRunFolder(base, identity);
  const guard = startGuard(folder, null);
  const stop = async (): Promise<void> => {
    await guard.stop();
    // Only where the guard itself was killed is anything left to do.
    await stopAbandonedServer(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const login = await chooseLogin(folder);
    const binaries = await prepareBinaries(found, cache);
    await makeData({ found, binaries, cacheFolder: cache, folder, identity, password: login.password || null });
    signal.throwIfAborted();
    const place = { binaries, data: join(folder, 'data'), log: join(folder, 'server.log'), identity, login };
    guard.start(serverCommand({ ...place, settings: UNSYNCED }));
    await untilReady(guard, place, clock, signal);
    return {
      address: superuserAt(login),
      runsAs: shownIdentity(identity),
      cacheFolder: cache,
      clusterFolder: null,
      startMs: clock.monotonicMs() - started,
      get ended() {
        return guard.ended;
      },
      syncFiles: async () => {},
      stop,
    };
  } catch (error) {
    await stop();
    throw startFailure(error, signal);
  }
}

/** The address of a local server's superuser. */
export function superuserAt(login: Login): EmbeddedServer['address'] {
  return { ...login, user: SUPERUSER, database: 'postgres' };
}

/** Who runs a local server, for people. */
export function shownIdentity(identity: ServerIdentity | null): string {
  return identity?.shown ?? `user ${process.getuid?.() ?? 'of this process'}`;
}

/** What a failed start throws: a coded error, or the signal's reason. */
export function startFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RecallMatrixError || signal.aborted) return error;
  return didNotStart('the local Postgres server could not be prepared', messageOf(error), error);
}
