import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInputErrors, RecallMatrixError } from '../../src/core/errors.js';
import type { ImportSummary } from '../../src/fixture/importers/import-summary.js';
import { importLocomo, type LocomoImport } from '../../src/fixture/importers/locomo.js';
import { type MadeUpSample, madeUpLocomo } from './locomo-sample.js';

/** Imports samples, or a text in their place, into `<root>/out`. */
export async function runImport(
  root: string,
  samples: unknown,
  rest: Partial<LocomoImport> = {},
): Promise<ImportSummary> {
  const inputPath = join(root, 'in.json');
  await writeFile(inputPath, typeof samples === 'string' ? samples : JSON.stringify(samples));
  return importLocomo({ inputPath, outFolder: join(root, 'out'), observations: false, ...rest });
}

/** The faults of an import that must be refused, as `CODE: message`. */
export async function importFaults(
  root: string,
  samples: unknown,
  rest: Partial<LocomoImport> = {},
): Promise<string[]> {
  try {
    await runImport(root, samples, rest);
  } catch (error) {
    if (error instanceof InvalidInputErrors) return error.errors.map(({ code, message }) => `${code}: ${message}`);
    if (error instanceof RecallMatrixError) return [`${error.code}: ${error.message}`];
    throw error;
  }
  throw new Error('it was imported');
}

/** The lines of a written file. */
export async function importedLines(root: string, fixture: string, file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(root, 'out', fixture, file), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The made-up samples, the first one bent. */
export function bent(bend: (sample: MadeUpSample) => void): MadeUpSample[] {
  const samples = madeUpLocomo();
  bend(samples[0] as MadeUpSample);
  return samples;
}
