import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { RESUME_MAY_CHANGE } from '../../src/experiment/resuming/resume-differences.js';
import { allFiles } from './cli-priced.js';

/** The files of a run folder as two runs of one matrix must have them: what may differ is taken out, and nothing else (CHECKS 10). */
export async function comparableFiles(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const files: Record<string, unknown> = {};
  for (const path of (await allFiles(folder)).sort()) {
    const name = relative(folder, path);
    if ((RESUME_MAY_CHANGE.left as readonly string[]).includes(name)) continue;
    const text = await readFile(path, 'utf8');
    if (name === 'ledger.jsonl') files[name] = 'differs line by line';
    else if (name === 'run.json') files[name] = without(JSON.parse(text), RESUME_MAY_CHANGE.manifest);
    else if (name.endsWith('.observations.jsonl')) {
      const rows = text.split('\n').filter((line) => line !== '');
      files[name] = rows.map((row) => without(JSON.parse(row), RESUME_MAY_CHANGE.observation));
    } else files[name] = text;
  }
  return files;
}

function without(value: Record<string, unknown>, paths: readonly string[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    const [place, field] = path.split(/(?:\[\])?\./) as [string, string?];
    if (field === undefined) delete copy[place];
    else for (const entry of [copy[place] ?? []].flat() as Record<string, unknown>[]) delete entry[field];
  }
  return copy;
}
