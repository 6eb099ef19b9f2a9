import { canonicalJson, type JsonValue } from '../../core/canonical-json.js';
import type { ArmSettings } from '../../matrix/matrix.js';
import { countedScore } from '../asking/row-score.js';
import type { InSample } from './in-sample.js';
import type { LessonPairs, PairCounts } from './lessons-result.js';
import type { SummaryRow } from './summary-row.js';

/**
 * What lessons did, row by row (LE-6): each row of an arm with a lesson in its context, beside the row of the same question, repeat and replicate
 * of its twin, the first arm that is the same but for its name and lessons. Counts, and no inference.
 *
 * @param scorer by which a row is better or worse. A row that is in no mean (OB-4) is in no pair.
 */
export function lessonPairs(
  arms: readonly ArmSettings[],
  rowsOf: (arm: string) => readonly SummaryRow[],
  sample: Pick<InSample, 'has'>,
  scorer: string,
): LessonPairs[] {
  return arms.flatMap((arm) => {
    if (arm.context === undefined) return [];
    const twin = arms.find((other) => other.context === undefined && butForLessons(other) === butForLessons(arm));
    if (twin === undefined) return [];
    const untaught = new Map(rowsOf(twin.name).map((row) => [placeOf(row), countedScore(row, scorer)]));
    const differences = rowsOf(arm.name).flatMap((row) => {
      const [taught, plain] = [countedScore(row, scorer), untaught.get(placeOf(row)) ?? null];
      if (row.lessons.length === 0 || taught === null || plain === null) return [];
      return [{ isInSample: sample.has(row), difference: taught - plain }];
    });
    const counted = (isIn: boolean): PairCounts =>
      countsOf(differences.filter(({ isInSample }) => isInSample === isIn).map(({ difference }) => difference));
    return [{ arm: arm.name, twin: twin.name, scorer, in_sample: counted(true), out_of_sample: counted(false) }];
  });
}

function butForLessons({ name: _name, context: _context, ...rest }: ArmSettings): string {
  return canonicalJson(rest as unknown as JsonValue);
}

function placeOf({ fixture, question, repeat, replicate }: SummaryRow): string {
  return JSON.stringify([fixture, question, repeat, replicate]);
}

function countsOf(differences: readonly number[]): PairCounts {
  const better = differences.filter((difference) => difference > 0).length;
  const worse = differences.filter((difference) => difference < 0).length;
  return { n: differences.length, better, worse, equal: differences.length - better - worse };
}
