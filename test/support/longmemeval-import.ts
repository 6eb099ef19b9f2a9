import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInputErrors, RecallMatrixError } from '../../src/core/errors.js';
import { importLongMemEval, type LongMemEvalImport } from '../../src/fixture/importers/longmemeval.js';
import type { LongMemEvalSummary } from '../../src/fixture/importers/longmemeval-summary.js';
import { longMemEvalItems, type MadeUpItem } from './longmemeval-sample.js';

/** Imports items, or a text in their place, into `<root>/out`. */
export async function runLongMemEval(
  root: string,
  items: unknown,
  rest: Partial<LongMemEvalImport> = {},
): Promise<LongMemEvalSummary> {
  const inputPath = join(root, 'in.json');
  await writeFile(inputPath, typeof items === 'string' ? items : JSON.stringify(items));
  return importLongMemEval({
    inputPath,
    outFolder: join(root, 'out'),
    signal: new AbortController().signal,
    ...rest,
  });
}

/** The faults of an import that must be refused, as `CODE: message`. */
export async function longMemEvalFaults(
  root: string,
  items: unknown,
  rest: Partial<LongMemEvalImport> = {},
): Promise<string[]> {
  try {
    await runLongMemEval(root, items, rest);
  } catch (error) {
    if (error instanceof InvalidInputErrors) return error.errors.map(({ code, message }) => `${code}: ${message}`);
    if (error instanceof RecallMatrixError) return [`${error.code}: ${error.message}`];
    throw error;
  }
  throw new Error('it was imported');
}

/** Two plain items of three sessions, the first one bent. */
export function bentItems(bend: (item: MadeUpItem) => void): MadeUpItem[] {
  const items = [...longMemEvalItems({ questions: 2, sessions: 3, turns: 4 })];
  bend(items[0] as MadeUpItem);
  return items;
}

/** The lines of a file below `<root>/out`. */
export async function longMemEvalLines(root: string, ...path: string[]): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(root, 'out', ...path), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
