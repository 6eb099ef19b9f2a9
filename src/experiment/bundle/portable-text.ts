import { basename, parse } from 'node:path';

/** Says texts without the paths of the machine that they were written on. */
export type PortableText = (text: string) => string;

/** Before a path there is no part of a URL, of another path, or of a word. */
const BEGINS = '(?<![\\w.:/~-])';
/** Nor does a folder's name go on behind a known one. */
const ENDS = '(?![\\w-]|\\.\\w)';
/** A file's address is its path. */
const FILE_URL = /\bfile:\/\/(?=\/)/g;
const ABSOLUTE = /(?<![\w.:/~-])\/(?:[^\s/'"`,;:()[\]{}]+\/)+[^\s/'"`,;:()[\]{}]*/g;

/**
 * Known folders become what stands for them, wherever they stand in a text; any other absolute path keeps its last part alone.
 *
 * @param known absolute folders, with what is said instead; a root stands for itself.
 */
export function portableText(known: readonly (readonly [path: string, name: string])[]): PortableText {
  const folders = known
    .filter(([path]) => path !== parse(path).root)
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))
    .map(([path, name]) => [new RegExp(`${BEGINS}${escaped(path)}${ENDS}`, 'g'), name] as const);
  return (text) => {
    let said = text.replace(FILE_URL, '');
    for (const [path, name] of folders) said = said.replace(path, () => name);
    return said.replace(ABSOLUTE, (path) => `…/${basename(path)}`);
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A value with every text of it said so. */
export function portableValue(value: unknown, say: PortableText): unknown {
  if (typeof value === 'string') return say(value);
  if (Array.isArray(value)) return value.map((one) => portableValue(one, say));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, portableValue(one, say)]));
}
