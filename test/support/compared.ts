import { seededRandom } from '../../src/core/random.js';
import { openRunRecord } from '../../src/experiment/reading/open-run-record.js';
import { compareArms, compareRuns } from '../../src/report/comparison/compare.js';
import type { CompareOptions } from '../../src/report/comparison/compare-options.js';
import type { Comparison, ContrastResult } from '../../src/report/comparison/comparison.js';
import { type AskedRow, type RecordedRunDescription, writeRecordedRun } from './recorded-run.js';

/** Compares the arms of a run that is written for it. */
export async function comparedArms(
  description: RecordedRunDescription,
  asked: Partial<CompareOptions> = {},
): Promise<Comparison> {
  return compareArms(await openRunRecord(await writeRecordedRun(description)), asked);
}

/** Compares two such runs, `run-1` and `run-2`. */
export async function comparedRuns(
  base: RecordedRunDescription,
  head: RecordedRunDescription,
  asked: Partial<CompareOptions> = {},
): Promise<Comparison> {
  const before = await openRunRecord(await writeRecordedRun(base));
  return compareRuns(before, await openRunRecord(await writeRecordedRun({ name: 'run-2', ...head })), asked);
}

/** The contrasts of a comparison of one dataset. */
export function contrastsOf({ datasets }: Comparison): readonly ContrastResult[] {
  if (datasets.length !== 1) throw new Error(`${datasets.length} datasets`);
  return datasets[0]?.contrasts ?? [];
}

/** Its first contrast. */
export function firstContrast(comparison: Comparison): ContrastResult {
  const [first] = contrastsOf(comparison);
  if (first === undefined) throw new Error('no contrast');
  return first;
}

/** Conversations of one dataset. */
export function conversations(count: number, questions = 6, dataset = 'made-up') {
  return Array.from({ length: count }, (_, index) => ({ id: `${dataset}-${index + 1}`, dataset, questions }));
}

/** Noise of a question, uniform from -0.2 to 0.2: another for each `turn`, the same for ever. */
export function noiseOf({ conversation, index }: { conversation: number; index: number }, turn = 0): number {
  return seededRandom(`noise ${conversation} ${index} ${turn}`).integer(-200, 200) / 1000;
}

/** A plan for `ResolvedMatrix.analysis`. */
export function planOf(contrasts: readonly (readonly [string, string])[], primary = 'token-f1') {
  return { analysis: { primary, contrasts, alpha: 0.05, power: 0.8, margin: 0.02 } };
}

/** A score in which `semantic` is better by 0.1, `hybrid` by nothing: each with noise of its own. */
export function planted(asked: AskedRow): number {
  const turn = { bm25: 0, semantic: 1, hybrid: 2 }[asked.arm] ?? 3;
  return 0.5 + noiseOf(asked, turn) / 4 + (asked.arm === 'semantic' ? 0.1 : 0);
}

/** A run that is scored so. */
export const PLANTED = { fixtures: conversations(8), arms: ['bm25', 'semantic', 'hybrid'], row: planted };

/** That both of its differences from `bm25` were planned. */
export const BOTH = planOf([
  ['semantic', 'bm25'],
  ['hybrid', 'bm25'],
]);
