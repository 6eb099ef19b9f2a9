import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { access, chmod, chown, constants, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.js';
import { didNotStart } from './failure.js';
import type { ServerIdentity } from './identity.js';
import { anybodyCanEnter } from './private-folder.js';

/** Every run folder's name begins so. */
export const RUN_FOLDER_PREFIX = 'recall-matrix-pg-';
/** Written by the guard once it listens; a folder without it is not ours to remove. */
export const MARKER = 'recall-matrix.run.json';
/** Within the server's socket folder, at the port that every local server uses. */
const LONGEST_SOCKET = `/${RUN_FOLDER_PREFIX}XXXXXX/s/.s.PGSQL.5432.lock`;
// sun_path holds 108 bytes on Linux and 104 on macOS, with the final NUL.
const SOCKET_PATH_BYTES = 103;

/** The environment of a server program: nothing of ours, so that neither locale nor time zone nor PG* variables reach it. */
export function childEnvironment(): Record<string, string> {
  const { SystemRoot: root, TEMP: temp } = process.env;
  return {
    TZ: 'UTC',
    ...(process.platform === 'win32' && root !== undefined ? { SystemRoot: root } : {}),
    ...(process.platform === 'win32' && temp !== undefined ? { TEMP: temp } : {}),
  };
}

/** Hands a folder to the server's user, where that is somebody else. */
export async function ownFolder(path: string, identity: ServerIdentity | null): Promise<void> {
  if (identity !== null) await chown(path, identity.uid, identity.gid);
}

/** Where run folders lie: short enough for a socket, writable, and open to the server's user. */
export async function runFolderBase(identity: ServerIdentity | null): Promise<string> {
  const refused: string[] = [];
  for (const place of process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp', '/var/tmp']) {
    const objection = await objectionToBase(place, identity);
    if (objection === null) return realpath(place);
    refused.push(`${place} ${objection}`);
  }
  throw didNotStart('no temporary folder can hold a Postgres server', refused.join('; '));
}

async function objectionToBase(place: string, identity: ServerIdentity | null): Promise<string | null> {
  try {
    const real = await realpath(place);
    if (process.platform !== 'win32') {
      if (Buffer.byteLength(real + LONGEST_SOCKET) > SOCKET_PATH_BYTES) return 'is too long for a Unix socket';
      // The path stands in a server setting that has quoting rules of its own.
      if (!/^[\w./+-]+$/.test(real)) return 'has unusual characters';
    }
    await access(real, constants.W_OK | constants.X_OK);
    return identity === null || (await anybodyCanEnter(real)) ? null : `cannot be entered by ${identity.shown}`;
  } catch (error) {
    return `cannot be used (${messageOf(error)})`;
  }
}

/** Makes the private folder of one server: ourselves and the server's user can enter, nobody else. */
export async function makeRunFolder(base: string, identity: ServerIdentity | null): Promise<string> {
  const folder = await mkdtemp(join(base, RUN_FOLDER_PREFIX));
  // Root's server runs as another user, who must pass through; data and socket are closed to all but that user.
  if (identity !== null) await chmod(folder, 0o711);
  const sockets = join(folder, 's');
  await mkdir(sockets, { mode: 0o700 });
  await ownFolder(sockets, identity);
  return folder;
}

/** Where a run's guard listens for as long as it lives. */
export function guardAddress(folder: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replace(/[^\w-]/g, '_')}` : join(folder, 'alive');
}

/**
 * Removes what killed runs left: folders of ours with the marker whose guard no longer answers. A server that outlived its guard is stopped.
 */
export async function removeStaleRuns(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = join(base, name);
    if (name.startsWith(RUN_FOLDER_PREFIX) && isMarkedOurs(folder) && !(await answers(guardAddress(folder)))) {
      await stopAbandonedServer(join(folder, 'data'));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

function isMarkedOurs(folder: string): boolean {
  try {
    const info = lstatSync(folder);
    const uid = process.getuid?.() ?? info.uid;
    const marker = lstatSync(join(folder, MARKER));
    return info.isDirectory() && info.uid === uid && marker.isFile() && marker.uid === uid;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // No marker, or not ours to look into, or gone since it was listed.
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return false;
    throw error;
  }
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Kills the server of a cluster whose guard is gone, where it can be proved to be that: its working folder is the cluster's. */
export async function stopAbandonedServer(data: string): Promise<void> {
  const pid = await runningServer(data);
  if (pid !== null) signalServer(pid);
}

/** The process that serves a cluster: the one that its lock file names, if it is a Postgres that works there. */
export async function runningServer(data: string): Promise<number | null> {
  const named = await namedProcess(data);
  return named?.isServer === true ? named.pid : null;
}

/**
 * Removes a cluster's lock file whose process is alive and provably no server of it: the number is somebody else's by now, and Postgres
 * would refuse to start. One whose process is dead Postgres replaces by itself.
 */
export async function removeForeignLock(data: string): Promise<void> {
  if ((await namedProcess(data))?.isServer === false) await rm(join(data, 'postmaster.pid'), { force: true });
}

/** The process of a cluster's lock file; null where there is none, or nothing can be known of it. */
async function namedProcess(data: string): Promise<{ readonly pid: number; readonly isServer: boolean } | null> {
  try {
    const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    if (!Number.isSafeInteger(pid) || pid <= 1) return null;
    const isServer =
      readlinkSync(`/proc/${pid}/cwd`) === data && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
    return { pid, isServer };
  } catch (error) {
    // No server, or no /proc: Postgres stops by itself within a minute of losing its data folder.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ESRCH' && code !== 'EACCES' && code !== 'ENOTDIR') throw error;
    return null;
  }
}

/** Ends a server at once: the next start recovers what was committed. */
export function signalServer(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
