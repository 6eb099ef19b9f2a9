import { invalidInput } from '../../core/errors.js';
import type { ArmResult } from '../../experiment/experiment.js';
import type { RunRecord } from '../../experiment/run-record.js';
import type { ArmSettings } from '../../matrix/matrix.js';

/** One arm of a run: one side of what is compared. */
export interface ArmOfRun {
  readonly record: RunRecord;
  readonly settings: ArmSettings;
  readonly result: ArmResult;
}

/**
 * Finds an arm of a run.
 *
 * @throws `COMPARE_UNKNOWN_ARM` (exit 2).
 */
export function armOfRun(record: RunRecord, name: string): ArmOfRun {
  const settings = record.matrix.arms.find((arm) => arm.name === name);
  const result = record.result.arms.find(({ arm }) => arm === name);
  if (settings !== undefined && result !== undefined) return { record, settings, result };
  throw invalidInput('COMPARE_UNKNOWN_ARM', `${record.run} has no arm ${name}`, {
    remedy: `name one of its arms: ${record.matrix.arms.map((arm) => arm.name).join(', ')}`,
  });
}

/** Whether an arm is compared without being asked for: references are never ranked (RT-2), and a twin is its own arm a second time (RP-8). */
export function isComparedByDefault({ reference, aa_of }: ArmSettings): boolean {
  return !reference && aa_of === undefined;
}
