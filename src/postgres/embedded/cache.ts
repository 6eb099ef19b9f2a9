import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUnavailable } from '../../core/errors.js';
import { isRunning } from '../../core/process-mark.js';
import { listNames } from './copy-tree.js';
import { anybodyCanEnter, objectionTo, preparePrivateFolder } from './private-folder.js';

const MANIFEST = 'manifest.json';
const ASIDE = '.making-';

/** Where what is prepared once is kept for later invocations. */
export interface CachePlace {
  /** The user's choice; null looks for a usable place. */
  readonly folder: string | null;
  /** True where the server runs as somebody else, who must be able to read it. */
  readonly shared: boolean;
}

/**
 * Finds or makes the cache folder. Without a choice: the system's place for caches (root) or the user's, else a temporary folder.
 *
 * @throws `POSTGRES_CACHE_REFUSED` (exit 8) where no place is both writable and safe from other users.
 */
export async function prepareCacheFolder({ folder, shared }: CachePlace): Promise<string> {
  const objections: string[] = [];
  for (const path of folder === null ? usualPlaces(shared) : [folder]) {
    const objection = await preparePrivateFolder(path, shared ? 0o755 : 0o700);
    if (objection !== null) objections.push(objection);
    else if (shared && !(await anybodyCanEnter(path))) {
      objections.push(`${path} cannot be entered by the unprivileged user that runs the server`);
    } else return path;
  }
  throw databaseUnavailable(
    'POSTGRES_CACHE_REFUSED',
    `no folder for the local Postgres server's files: ${objections.join('; ')}`,
    { remedy: 'remove or mend the folder, or use a server of your own with --database-url (Postgres 15 to 18)' },
  );
}

function usualPlaces(shared: boolean): string[] {
  const uid = process.getuid?.() ?? 'user';
  const temporary = [...new Set([tmpdir(), '/var/tmp', '/tmp'])]
    .filter((place) => process.platform !== 'win32' || place === tmpdir())
    .map((place) => join(place, `recall-matrix-cache-${uid}`));
  return [shared ? '/var/cache/recall-matrix' : join(userCaches(), 'recall-matrix'), ...temporary];
}

function userCaches(): string {
  const { XDG_CACHE_HOME: chosen, LOCALAPPDATA: local } = process.env;
  if (process.platform === 'win32' && local) return local;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return chosen?.startsWith('/') ? chosen : join(homedir(), '.cache');
}

/**
 * Gives a whole entry of the cache: the one that is there, if no file has been cleaned away, else a new one. It is made aside and
 * renamed into place, so that nobody sees half of it, and of two makers the first wins.
 *
 * @param make fills an empty folder.
 * @throws `POSTGRES_CACHE_REFUSED` where the entry is not our own.
 */
export async function cacheEntry(
  cacheFolder: string,
  name: string,
  mode: number,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const path = join(cacheFolder, name);
  if (await isWhole(path)) return path;
  await removeAbandoned(cacheFolder);
  const aside = join(cacheFolder, `${ASIDE}${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(aside, { mode });
  try {
    await make(aside);
    await writeFile(join(aside, MANIFEST), JSON.stringify(listNames(aside)));
    await chmod(aside, mode);
    await moveIntoPlace(aside, path);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return path;
}

async function moveIntoPlace(aside: string, path: string): Promise<void> {
  for (;;) {
    try {
      await rename(aside, path);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error;
      // Somebody was faster, or a damaged entry is in the way.
      if (await isWhole(path)) return;
      const away = `${aside}-damaged`;
      await rename(path, away);
      await rm(away, { recursive: true, force: true });
    }
  }
}

async function isWhole(path: string): Promise<boolean> {
  try {
    const objection = await objectionTo(path);
    if (objection !== null) {
      throw databaseUnavailable(
        'POSTGRES_CACHE_REFUSED',
        `the local Postgres server's files are refused: ${objection}`,
        {
          remedy: 'remove it, or use a server of your own with --database-url (Postgres 15 to 18)',
        },
      );
    }
    const manifest = await readFile(join(path, MANIFEST), 'utf8');
    const found = listNames(path).filter((file) => file !== MANIFEST);
    return JSON.stringify(found) === manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function removeAbandoned(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const pid = new RegExp(`^\\${ASIDE}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(cacheFolder, name);
    const { uid } = await lstat(path);
    if (uid === (process.getuid?.() ?? uid)) await rm(path, { recursive: true, force: true });
  }
}
