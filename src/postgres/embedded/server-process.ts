import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import type { Binaries } from './binaries.js';
import { didNotStart } from './failure.js';
import type { Guard, ServerCommand } from './guard.js';
import type { ServerIdentity } from './identity.js';
import { childEnvironment } from './run-folder.js';

const START_LIMIT_MS = 60_000;
const POLL_MS = 10;
const PORT = 5432;

/** Where a local server listens, and how one logs in. */
export interface Login {
  /** The folder of its Unix socket; 127.0.0.1 on Windows. */
  readonly host: string;
  readonly port: number;
  /** Empty where the socket's folder keeps others out. */
  readonly password: string;
}

/** The socket in a run folder. */
export function socketLogin(runFolder: string): Login {
  return { host: join(runFolder, 's'), port: PORT, password: '' };
}

/** A Unix socket in the run folder; on Windows a free port of 127.0.0.1 and a new password. */
export async function chooseLogin(runFolder: string): Promise<Login> {
  if (process.platform !== 'win32') return socketLogin(runFolder);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return { host: '127.0.0.1', port, password: randomBytes(24).toString('base64url') };
}

/** Nothing survives the server, so nothing needs the disk. In a kept cluster the same stand in its own file, where they can be changed. */
export const UNSYNCED = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] as const;

/** What a server is started on. */
export interface ServerPlace {
  readonly binaries: Binaries;
  /** Its cluster. */
  readonly data: string;
  readonly log: string;
  readonly identity: ServerIdentity | null;
  readonly login: Login;
  /** Beside those of every local server. */
  readonly settings: readonly string[];
}

/** How the server of a place is run. */
export function serverCommand({ binaries, data, log, identity, login, settings }: ServerPlace): ServerCommand {
  const all = [...listening(login), ...COMMON, ...settings].flatMap((setting) => ['-c', setting]);
  return {
    file: binaries.postgres,
    args: ['-D', data, '-p', String(login.port), ...all],
    env: childEnvironment(),
    cwd: data,
    log,
    ...(identity === null ? {} : { uid: identity.uid, gid: identity.gid }),
  };
}

function listening({ host, password }: Login): string[] {
  if (password !== '') return [`listen_addresses=${host}`];
  return ['listen_addresses=', `unix_socket_directories=${host}`, 'unix_socket_permissions=0700'];
}

const COMMON: readonly string[] = [
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

/**
 * Waits until a server accepts connections.
 *
 * @throws `POSTGRES_DID_NOT_START` (exit 8) with its last words; the signal's reason.
 */
export async function untilReady(
  guard: Pick<Guard, 'ended'>,
  { data, log, login }: Pick<ServerPlace, 'data' | 'log' | 'login'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const deadline = clock.monotonicMs() + START_LIMIT_MS;
  while (!(await saysReady(data, login))) {
    signal.throwIfAborted();
    if (guard.ended !== null || clock.monotonicMs() > deadline) {
      const how = guard.ended ?? `not ready after ${START_LIMIT_MS / 1000} s`;
      throw didNotStart(`the local Postgres server did not start (${how})`, await readIfThere(log));
    }
    await clock.sleep(POLL_MS, signal);
  }
}

/** The server's own lock file: the fifth line is its socket's folder, the eighth its state. */
async function saysReady(data: string, { host, password }: Login): Promise<boolean> {
  const lines = (await readIfThere(join(data, 'postmaster.pid'))).split('\n');
  return lines[7]?.trim() === 'ready' && (password !== '' || lines[4]?.trim() === host);
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
