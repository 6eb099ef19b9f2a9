import { readFile } from 'node:fs/promises';
import { dirname, parse, relative, resolve, sep } from 'node:path';
import { type Digest, digestJson, digestText } from '../core/digest.js';
import { invalidInput, messageOf } from '../core/errors.js';
import { regularFile } from '../core/text-file.js';

/** Static imports and re-exports, bare imports, and dynamic imports of a text that is written out. */
const IMPORTS =
  /(?:^|[\s;])(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm;

const MOST_FILES = 256;
const MOST_BYTES = 4_194_304;

/**
 * The digest that stands for a module: over its file and every file that it reaches by relative imports, line feeds normalised, by path from
 * the module's folder. Packages that it imports, files that it reads, and imports of a computed path are not seen (docs/modules.md).
 *
 * @param file absolute.
 * @param within absolute: nothing outside this folder is read, and what is imported from there is in no digest. A stranger's module names what it likes.
 * @throws kind `invalid-input`: `MODULE_UNREADABLE`, `MODULE_TOO_LARGE`.
 */
export async function moduleDigest(file: string, within = parse(file).root): Promise<Digest> {
  const named = [...(await textsOf(file, within))].map(([path, text]): [string, Digest] => [
    relative(dirname(file), path).split(sep).join('/'),
    digestText(text),
  ]);
  return digestJson(Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The files that a module's digest is over, absolute, the module's own first. @throws what `moduleDigest` throws. */
export async function moduleFiles(file: string, within = parse(file).root): Promise<string[]> {
  return [...(await textsOf(file, within)).keys()];
}

async function textsOf(file: string, within: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const isWithin = (path: string): boolean => !relative(within, path).split(sep).includes('..');
  const waiting = [file];
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const found = await sizeOf(path, path === file);
    if (found === null) continue;
    bytes += found;
    if (texts.size >= MOST_FILES || bytes > MOST_BYTES) throw tooLarge(file);
    const text = await textOf(path);
    texts.set(path, text);
    for (const specifier of importsOf(text))
      if (specifier.startsWith('.')) waiting.push(...[resolve(dirname(path), specifier)].filter(isWithin));
  }
  return texts;
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORTS)].flatMap(([, written, dynamic]) => written ?? dynamic ?? []);
}

/** A text that looks like an import and names no file is none, or fails when the module is loaded. */
async function sizeOf(path: string, isModule: boolean): Promise<number | null> {
  try {
    return (await regularFile(path)).size;
  } catch (error) {
    if (isModule) throw unreadable(path, error);
    return null;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Error {
  return invalidInput('MODULE_UNREADABLE', `cannot read the module ${path}: ${messageOf(error)}`, {
    remedy: 'name an ES module, .mjs, by its path from the matrix file',
  });
}

function tooLarge(file: string): Error {
  return invalidInput(
    'MODULE_TOO_LARGE',
    `the module ${file} imports more than ${MOST_FILES} files, or ${MOST_BYTES} bytes`,
    { remedy: 'import less by relative paths, or make a package of it' },
  );
}
