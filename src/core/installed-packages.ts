import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { internalFault } from './errors.js';

/**
 * Versions of installed packages and of what they depend on, by name and in the order of names. What an optional dependency brings is not
 * among them: it differs from machine to machine.
 *
 * @param from the folder from which they are looked up, as Node does.
 * @param what who needs them, for the error.
 * @throws `PACKAGE_NOT_INSTALLED` where one of `names` is not there; a dependency of a dependency may be absent.
 */
export function installedPackages(
  names: readonly string[],
  from: string,
  what: string,
): { readonly [name: string]: readonly string[] } {
  const found = new Map<string, Set<string>>();
  for (const name of names) {
    if (findPackage(name, from) === null)
      throw internalFault('PACKAGE_NOT_INSTALLED', `${name} is imported by ${what} and not installed`, {
        remedy: 'npm ci',
      });
    add(name, from, found);
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, versions]) => [name, [...versions].sort()]));
}

/** What a package's manifest says of it. */
export function readPackage(folder: string): { version: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function add(name: string, from: string, found: Map<string, Set<string>>): void {
  const folder = findPackage(name, from);
  if (folder === null) return;
  const { version, dependencies } = readPackage(folder);
  const versions = found.get(name) ?? new Set<string>();
  if (versions.has(version)) return;
  found.set(name, versions.add(version));
  for (const dependency of Object.keys(dependencies ?? {})) add(dependency, folder, found);
}

/** Walks up through the `node_modules` folders, as Node does. */
function findPackage(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}
