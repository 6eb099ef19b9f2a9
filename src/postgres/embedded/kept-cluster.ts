import { lstatSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.js';
import { PRIVATE_FILE_MODE, writeReplacing } from '../../core/durable-files.js';
import { databaseUnavailable } from '../../core/errors.js';
import { type LockHolder, lockForProcess, type ProcessLock } from '../../core/process-lock.js';
import { type Binaries, findBinaryPackage, prepareBinaries } from './binaries.js';
import { prepareCacheFolder } from './cache.js';
import { CLUSTER_VARIABLE, ensureData, prepareClusterFolder } from './cluster-folder.js';
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  shownIdentity,
  startFailure,
  superuserAt,
} from './embedded-server.js';
import { didNotStart } from './failure.js';
import { startGuard } from './guard.js';
import { type GuardUser, joinGuard } from './guard-user.js';
import { borrowedIdentity, type ServerIdentity } from './identity.js';
import {
  guardAddress,
  makeRunFolder,
  removeForeignLock,
  removeStaleRuns,
  runFolderBase,
  runningServer,
  signalServer,
} from './run-folder.js';
import { runInitdb } from './run-initdb.js';
import { serverCommand, socketLogin, untilReady } from './server-process.js';

const TURN_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 20;

/** Beside the cluster while a server runs on it: the run folder with its socket and its guard. */
const recordSchema = z.object({ format: z.literal('postgres-cluster@1'), folder: z.string(), host: z.string() });

/**
 * Joins the server of this user's kept cluster, or starts it (PG-5). It stops when the last process that uses it leaves or dies.
 *
 * @param clusters the folder of all kept clusters.
 * @throws kind `database` (exit 8) where the folder is refused, another machine uses the cluster, or its server does not start; the signal's
 * reason where it is aborted.
 */
export async function openKeptCluster(clusters: string, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { cacheFolder, clock, signal } = options;
  const started = clock.monotonicMs();
  const identity = borrowedIdentity();
  const found = findBinaryPackage();
  const folder = await prepareClusterFolder(clusters, found, identity);
  const cache = await prepareCacheFolder({ folder: cacheFolder, shared: identity !== null });
  const binaries = await prepareBinaries(found, cache);
  const place = { folder, found, binaries, cacheFolder: cache, identity };
  try {
    const use = (await joinRunning(folder)) ?? (await startInTurn(place, clock, signal));
    return {
      address: superuserAt(socketLogin(use.runFolder)),
      runsAs: shownIdentity(identity),
      cacheFolder: cache,
      clusterFolder: folder,
      startMs: clock.monotonicMs() - started,
      get ended() {
        return use.user.ended;
      },
      syncFiles: () => syncFiles(binaries, join(folder, 'data'), identity),
      stop: () => use.user.leave(),
    };
  } catch (error) {
    throw startFailure(error, signal);
  }
}

interface Use {
  readonly user: GuardUser;
  readonly runFolder: string;
}

/** Joins the server that the record names; null where none runs. */
async function joinRunning(folder: string): Promise<Use | null> {
  const record = await readRecord(folder);
  if (record === null || !isOurs(record.folder)) return null;
  const user = await joinGuard(guardAddress(record.folder));
  return user === null ? null : { user, runFolder: record.folder };
}

async function readRecord(folder: string): Promise<z.output<typeof recordSchema> | null> {
  const path = recordPath(folder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const record = recordSchema.safeParse(jsonOrNull(text));
  // A file that a crash left half written names nobody; the start that follows writes it anew.
  if (!record.success) return null;
  if (record.data.host === hostname()) return record.data;
  throw databaseUnavailable('POSTGRES_CLUSTER_ELSEWHERE', `${folder} is in use on the machine ${record.data.host}`, {
    remedy: `if no recall-matrix runs there, remove ${path}; or name a folder of this machine with ${CLUSTER_VARIABLE}`,
  });
}

function recordPath(folder: string): string {
  return join(folder, 'server.json');
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isOurs(runFolder: string): boolean {
  try {
    const info = lstatSync(runFolder);
    return info.isDirectory() && info.uid === (process.getuid?.() ?? info.uid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly found: ReturnType<typeof findBinaryPackage>;
  readonly binaries: Binaries;
  readonly cacheFolder: string;
  readonly identity: ServerIdentity | null;
}

/** Of several that find no server, one starts it; the others join. */
async function startInTurn(place: Place, clock: Clock, signal: AbortSignal): Promise<Use> {
  const lock = await awaitTurn(place.folder, clock, signal);
  try {
    return (await joinRunning(place.folder)) ?? (await start(place, clock, signal));
  } finally {
    await lock.release();
  }
}

async function awaitTurn(folder: string, clock: Clock, signal: AbortSignal): Promise<ProcessLock> {
  const path = join(folder, 'starting.lock');
  const deadline = clock.monotonicMs() + TURN_LIMIT_MS;
  for (;;) {
    let holder: LockHolder | null = null;
    try {
      return await lockForProcess(path, clock.now(), {
        inUse: (found) => {
          holder = found;
          return busy(path, found);
        },
        broken: () => busy(path, null),
      });
    } catch (error) {
      if (holder === null || (holder as LockHolder).host !== hostname() || clock.monotonicMs() > deadline) throw error;
    }
    await clock.sleep(POLL_MS, signal);
  }
}

function busy(path: string, holder: LockHolder | null): Error {
  const who = holder === null ? 'names no process' : `is held by process ${holder.pid} on ${holder.host}`;
  return databaseUnavailable('POSTGRES_CLUSTER_BUSY', `${path} ${who}`, {
    remedy: `if no recall-matrix starts there, remove ${path}`,
  });
}

/** Starts the server and is its first user. The caller holds the lock of starts. */
async function start(place: Place, clock: Clock, signal: AbortSignal): Promise<Use> {
  const { folder, identity } = place;
  const base = await runFolderBase(identity);
  await removeStaleRuns(base);
  await endFormerServer(join(folder, 'data'), clock, signal);
  const data = await ensureData(place);
  const runFolder = await makeRunFolder(base, identity);
  const guard = startGuard(runFolder, recordPath(folder));
  try {
    const log = join(folder, 'server.log');
    await writeFile(log, '', { mode: PRIVATE_FILE_MODE });
    const login = socketLogin(runFolder);
    const server = { binaries: place.binaries, data, log, identity, login };
    guard.start(serverCommand({ ...server, settings: [] }));
    await untilReady(guard, server, clock, signal);
    const user = await joinGuard(guardAddress(runFolder));
    if (user === null) throw didNotStart('the guard of the local Postgres server does not answer', guard.ended ?? '');
    const record = { format: 'postgres-cluster@1', folder: runFolder, host: hostname() };
    await writeReplacing(recordPath(folder), `${JSON.stringify(record)}\n`);
    guard.handOver();
    return { user, runFolder };
  } catch (error) {
    await guard.stop();
    await rm(runFolder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/**
 * Sees to it that no server runs on the cluster: one that is stopping is waited for, one whose guard was killed is ended, and a lock file
 * whose process is none of them goes: its number may be somebody else's by now.
 */
async function endFormerServer(data: string, clock: Clock, signal: AbortSignal): Promise<void> {
  const deadline = clock.monotonicMs() + STOP_LIMIT_MS;
  for (let isSignalled = false; ; ) {
    const pid = await runningServer(data);
    if (pid === null) break;
    if (!isSignalled && !(await isStopping(data))) {
      signalServer(pid);
      isSignalled = true;
    }
    if (clock.monotonicMs() > deadline)
      throw didNotStart(`a former server (process ${pid}) does not end`, 'it still works on the cluster');
    await clock.sleep(POLL_MS, signal);
  }
  await removeForeignLock(data);
}

async function isStopping(data: string): Promise<boolean> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n')[7]?.trim() === 'stopping';
}

function syncFiles(binaries: Binaries, data: string, identity: ServerIdentity | null): Promise<void> {
  const failed = 'the cluster could not be synced';
  const says = { notRun: failed, failed: () => failed };
  return runInitdb(binaries, ['--sync-only', '-D', data], data, identity, says);
}
