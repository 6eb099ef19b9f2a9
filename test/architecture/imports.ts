import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SOURCE = resolve(dirname(fileURLToPath(import.meta.url)), '../../src');

/** A module and what it imports of the project, by path below `src/`. */
export interface Module {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const SPECIFIER = /(?:from\s+|import\s*\(\s*|import\s+)['"](\.[^'"]+)['"]/g;

/** Every module of `src/` but its tests. */
export function modules(): Module[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .sort()
    .map((name) => {
      const path = join(SOURCE, name);
      const text = readFileSync(path, 'utf8');
      const imports = [...text.matchAll(SPECIFIER)].map(([, specifier]) =>
        relative(SOURCE, sourceOf(resolve(dirname(path), specifier as string))),
      );
      return { name, text, imports };
    });
}

/** A module is imported by the name that it is built to. */
function sourceOf(built: string): string {
  const name = built.replace(/\.js$/, '');
  return existsSync(`${name}.tsx`) ? `${name}.tsx` : `${name}.ts`;
}

/** Everything that a module reaches by imports, itself included. */
export function closureOf(entry: string, all: ReadonlyMap<string, Module>): Set<string> {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(all.get(name)?.imports ?? []));
  }
  return seen;
}
