import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Digest, digestJson, digestText } from '../core/digest.js';
import { invalidInput } from '../core/errors.js';
import { installedPackages } from '../core/installed-packages.js';

/** What formation is made of (FB-2): the digest is over files and packages. */
export interface Implementation {
  readonly format: 'formation-implementation@1';
  /** Digests of the line-feed-normalised sources, by path below `src/`, SQL included. */
  readonly files: { readonly [path: string]: Digest };
  /** Versions of the third-party packages in the closure and of what they depend on, by name. */
  readonly packages: { readonly [name: string]: readonly string[] };
  readonly digest: Digest;
}

/** The modules whose whole import closure is bound: the formation pipeline and the belief store. */
const ENTRIES = ['memory/formation/form-history.ts', 'memory/beliefs/postgres-belief-store.ts'] as const;

// Static imports and re-exports, bare imports, dynamic imports and `require`, types included: more rather than less is bound.
const IMPORTS =
  /(?:^|[\s;])(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]|\brequire\)?\(\s*['"]([^'"]+)['"]|createRequire\([^)]*\)\(\s*['"]([^'"]+)['"]/gm;

const ROOM = dirname(fileURLToPath(import.meta.url));
const BUILD_OR_SOURCE = dirname(ROOM);
const PROJECT = dirname(BUILD_OR_SOURCE);
/** Where the build writes it. */
export const IMPLEMENTATION_FILE = 'implementation.json';

let known: Digest | null = null;

/**
 * The implementation digest of this program. From source it is computed; from a build it is what the build wrote, checked against
 * the source where that lies beside it.
 *
 * @throws `STALE_BUILD` (exit 2) where the build is older than its source.
 */
export function implementationDigest(): Digest {
  known ??= BUILD_OR_SOURCE.endsWith(`${sep}src`) ? computeImplementation(PROJECT).digest : digestOfBuild();
  return known;
}

function digestOfBuild(): Digest {
  const built = JSON.parse(readFileSync(join(BUILD_OR_SOURCE, IMPLEMENTATION_FILE), 'utf8')) as Implementation;
  if (existsSync(join(PROJECT, 'src', ENTRIES[0])) && computeImplementation(PROJECT).digest !== built.digest) {
    throw invalidInput('STALE_BUILD', 'the build is older than its source: formation changed since', {
      remedy: 'npm run build',
    });
  }
  return built.digest;
}

/** Computes the implementation from `<project>/src` and the packages installed for it. */
export function computeImplementation(project: string): Implementation {
  const source = join(project, 'src');
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const waiting: string[] = ENTRIES.map((entry) => join(source, entry));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = relative(source, path).split(sep).join('/');
    if (files.has(name)) continue;
    const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
    files.set(name, text);
    for (const specifier of importsOf(text)) {
      if (specifier.startsWith('.')) waiting.push(resolve(dirname(path), specifier.replace(/\.js$/, '.ts')));
      else if (!specifier.startsWith('node:')) packages.add(packageName(specifier));
    }
    addSql(join(dirname(path), 'sql'), source, files);
  }
  const content = {
    format: 'formation-implementation@1' as const,
    files: Object.fromEntries([...files].sort(byKey).map(([name, text]) => [name, digestText(text)])),
    packages: installedPackages([...packages], project, 'formation'),
  };
  return { ...content, digest: digestJson(content) };
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORTS)].map((match) => match.slice(1).find((group) => group !== undefined) as string);
}

function addSql(folder: string, source: string, files: Map<string, string>): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.sql')) continue;
    const path = join(folder, name);
    files.set(relative(source, path).split(sep).join('/'), readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
  }
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
