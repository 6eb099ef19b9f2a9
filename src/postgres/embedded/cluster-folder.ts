import { chmod, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { digestJson, shortDigest } from '../../core/digest.js';
import { databaseUnavailable } from '../../core/errors.js';
import type { Binaries, BinaryPackage } from './binaries.js';
import type { ServerIdentity } from './identity.js';
import { INITDB_FLAGS, makeData } from './initial-data.js';
import { anybodyCanEnter, preparePrivateFolder } from './private-folder.js';
import { ownFolder } from './run-folder.js';
import { UNSYNCED } from './server-process.js';

/** Names the folder of kept clusters; `none` gives each run a server of its own. */
export const CLUSTER_VARIABLE = 'RECALL_MATRIX_CLUSTER_FOLDER';
const NONE = 'none';
const MAKING = 'making-';

/** Where this user's clusters are kept; null where none is to be kept (the variable says so, or there are no Unix sockets). */
export function clustersFolder(isRoot: boolean): string | null {
  const { [CLUSTER_VARIABLE]: chosen, XDG_STATE_HOME: state } = process.env;
  if (process.platform === 'win32' || chosen === NONE) return null;
  if (chosen !== undefined && chosen !== '') return chosen;
  if (isRoot) return '/var/lib/recall-matrix';
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'recall-matrix');
  return join(state?.startsWith('/') ? state : join(homedir(), '.local', 'state'), 'recall-matrix');
}

/**
 * Finds or makes the private folder of one package version's cluster (PG-5): another version does not touch it.
 *
 * @throws `POSTGRES_CLUSTER_REFUSED` (exit 8) where it cannot be written, or is not safe from other users.
 */
export async function prepareClusterFolder(
  clusters: string,
  found: BinaryPackage,
  identity: ServerIdentity | null,
): Promise<string> {
  // Root's server runs as another user, who must pass through; what lies below is closed to all but that user.
  const mode = identity === null ? 0o700 : 0o711;
  const folder = join(clusters, `postgres-${found.id}-${shortDigest(digestJson(INITDB_FLAGS), 8)}`);
  for (const path of [clusters, folder]) {
    const objection = await preparePrivateFolder(path, mode);
    if (objection !== null) throw refused(objection);
  }
  if (identity !== null && !(await anybodyCanEnter(folder)))
    throw refused(`${folder} cannot be entered by ${identity.shown}`);
  // As the system names a server's working folder, by which a former server is known.
  return realpath(folder);
}

function refused(why: string): Error {
  return databaseUnavailable('POSTGRES_CLUSTER_REFUSED', why, {
    remedy: `remove or mend the folder, or name another one with ${CLUSTER_VARIABLE}`,
  });
}

/** Makes the cluster where it is missing: aside, and renamed when it is whole. The caller is alone here. */
export async function ensureData(options: {
  readonly folder: string;
  readonly found: BinaryPackage;
  readonly binaries: Binaries;
  readonly cacheFolder: string;
  readonly identity: ServerIdentity | null;
}): Promise<string> {
  const { folder, identity } = options;
  const data = join(folder, 'data');
  for (const name of await readdir(folder)) {
    if (name.startsWith(MAKING)) await rm(join(folder, name), { recursive: true, force: true });
  }
  if (await isThere(data)) return data;
  const aside = await mkdtemp(join(folder, MAKING));
  if (identity !== null) await chmod(aside, 0o711);
  await makeData({ ...options, folder: aside, password: null });
  const settings = join(aside, 'data', 'postgresql.conf');
  // Scratch needs no disk; a cluster whose control database holds a ledger changes this by ALTER SYSTEM.
  await writeFile(settings, `\n${UNSYNCED.join('\n')}\n`, { flag: 'a' });
  await ownFolder(settings, identity);
  await rename(join(aside, 'data'), data);
  await rm(aside, { recursive: true, force: true });
  return data;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
