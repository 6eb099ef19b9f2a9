import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestJson, shortDigest } from '../../core/digest.js';
import type { Binaries, BinaryPackage } from './binaries.js';
import { cacheEntry } from './cache.js';
import { copyTree } from './copy-tree.js';
import type { ServerIdentity } from './identity.js';
import { ownFolder } from './run-folder.js';
import { runInitdb } from './run-initdb.js';

/** The bootstrap superuser of every local server. */
export const SUPERUSER = 'postgres';

// Encoding and collation are given, never inherited: with LANG empty initdb would choose SQL_ASCII (PG-1).
export const INITDB_FLAGS = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale=C',
  '--text-search-config=english',
  '--no-sync',
  '--no-instructions',
  '--wal-segsize=1',
];

/**
 * Fills `<folder>/data` with a new cluster. initdb takes 0.4 to 0.8 s, a copy of what it once made 0.1 s: so it runs once for a version
 * and its result is kept in the cache.
 *
 * @param password only where there are no Unix sockets: the cluster asks for it and is made anew each time.
 */
export async function makeData(options: {
  readonly found: BinaryPackage;
  readonly binaries: Binaries;
  readonly cacheFolder: string;
  readonly folder: string;
  readonly identity: ServerIdentity | null;
  readonly password: string | null;
}): Promise<void> {
  const { found, binaries, cacheFolder, folder, identity, password } = options;
  if (password !== null) {
    await initialise(binaries, folder, identity, password);
    return;
  }
  const name = `postgres-${found.id}-data-${shortDigest(digestJson(INITDB_FLAGS))}`;
  const kept = await cacheEntry(cacheFolder, name, 0o700, async (aside) => {
    const work = await mkdtemp(join(folder, 'initdb-'));
    try {
      await ownFolder(work, identity);
      await initialise(binaries, work, identity, null);
      copyTree(join(work, 'data'), join(aside, 'data'), { owner: null, folderMode: 0o700 });
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
  copyTree(join(kept, 'data'), join(folder, 'data'), { owner: identity, folderMode: 0o700 });
}

async function initialise(
  binaries: Binaries,
  folder: string,
  identity: ServerIdentity | null,
  password: string | null,
): Promise<void> {
  const authentication = ['--auth=trust'];
  if (password !== null) {
    const file = join(folder, 'password');
    await writeFile(file, password, { mode: 0o600 });
    authentication.splice(0, 1, '--auth=scram-sha-256', `--pwfile=${file}`);
  }
  const args = ['-D', join(folder, 'data'), ...INITDB_FLAGS, ...authentication];
  await runInitdb(binaries, args, folder, identity, {
    notRun: 'initdb could not be run',
    failed: (end) => `initdb failed (${end})`,
  });
}
