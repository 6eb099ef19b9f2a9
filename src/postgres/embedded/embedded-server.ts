import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import { messageOf, RecallMatrixError } from '../../core/errors.js';
import { type Binaries, findBinaryPackage, prepareBinaries } from './binaries.js';
import { prepareCacheFolder } from './cache.js';
import { didNotStart } from './failure.js';
import { type Guard, startGuard } from './guard.js';
import { borrowedIdentity, type ServerIdentity } from './identity.js';
import { makeData, SUPERUSER } from './initial-data.js';
import { childEnvironment, makeRunFolder, removeStaleRuns, runFolderBase, stopAbandonedServer } from './run-folder.js';

const START_LIMIT_MS = 60_000;
const POLL_MS = 10;
const PORT = 5432;

/** A server that this process started and alone uses. */
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
  /** From the first look at the disk to readiness, in milliseconds. */
  readonly startMs: number;
  /** What ended it, where it is no longer running. */
  readonly ended: string | null;
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
  const guard = startGuard(folder);
  const stop = async (): Promise<void> => {
    await guard.stop();
    // Only where the guard itself was killed is anything left to do.
    await stopAbandonedServer(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const login = await chooseLogin(folder);
    const binaries = await prepareBinaries(found, cache);
    await makeData({ found, binaries, cacheFolder: cache, folder, identity, password: login.password || null });
    signal.throwIfAborted();
    runServer(guard, binaries, folder, identity, login);
    await untilReady(guard, folder, clock, signal);
    return {
      address: { ...login, user: SUPERUSER, database: 'postgres' },
      runsAs: identity?.shown ?? `user ${process.getuid?.() ?? 'of this process'}`,
      cacheFolder: cache,
      startMs: clock.monotonicMs() - started,
      get ended() {
        return guard.ended;
      },
      stop,
    };
  } catch (error) {
    await stop();
    if (error instanceof RecallMatrixError || signal.aborted) throw error;
    throw didNotStart('the local Postgres server could not be prepared', messageOf(error), error);
  }
}

interface Login {
  readonly host: string;
  readonly port: number;
  /** Empty where the socket's folder keeps others out. */
  readonly password: string;
}

async function chooseLogin(folder: string): Promise<Login> {
  if (process.platform !== 'win32') return { host: join(folder, 's'), port: PORT, password: '' };
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return { host: '127.0.0.1', port, password: randomBytes(24).toString('base64url') };
}

function runServer(
  guard: Guard,
  binaries: Binaries,
  folder: string,
  identity: ServerIdentity | null,
  login: Login,
): void {
  const data = join(folder, 'data');
  guard.start({
    file: binaries.postgres,
    args: ['-D', data, '-p', String(login.port), ...settings(login).flatMap((setting) => ['-c', setting])],
    env: childEnvironment(),
    cwd: data,
    log: join(folder, 'server.log'),
    ...(identity === null ? {} : { uid: identity.uid, gid: identity.gid }),
  });
}

function settings({ host, password }: Login): string[] {
  const listening =
    password === ''
      ? ['listen_addresses=', `unix_socket_directories=${host}`, 'unix_socket_permissions=0700']
      : [`listen_addresses=${host}`];
  return [
    ...listening,
    // Scratch: nothing in it outlives the run, so nothing needs the disk.
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    'shared_buffers=128MB',
    'max_connections=200',
    // No need of /dev/shm, which containers keep small; no workers beside the sessions.
    'dynamic_shared_memory_type=mmap',
    'io_method=sync',
    'max_logical_replication_workers=0',
    'max_parallel_workers=0',
    // A plan that changes when a background worker happens to finish is a run that cannot be repeated.
    'autovacuum=off',
    'timezone=UTC',
    'log_timezone=UTC',
    // What the server says of itself, never a statement: statements hold histories.
    'log_min_messages=log',
    'log_min_error_statement=panic',
  ];
}

async function untilReady(guard: Guard, folder: string, clock: Clock, signal: AbortSignal): Promise<void> {
  const deadline = clock.monotonicMs() + START_LIMIT_MS;
  while (!(await saysReady(folder))) {
    signal.throwIfAborted();
    if (guard.ended !== null || clock.monotonicMs() > deadline) {
      const how = guard.ended ?? `not ready after ${START_LIMIT_MS / 1000} s`;
      throw didNotStart(`the local Postgres server did not start (${how})`, await readLog(folder));
    }
    await clock.sleep(POLL_MS, signal);
  }
}

/** The eighth line of the server's own lock file tells its state. */
async function saysReady(folder: string): Promise<boolean> {
  const text = await readIfThere(join(folder, 'data', 'postmaster.pid'));
  return text.split('\n')[7]?.trim() === 'ready';
}

function readLog(folder: string): Promise<string> {
  return readIfThere(join(folder, 'server.log'));
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
