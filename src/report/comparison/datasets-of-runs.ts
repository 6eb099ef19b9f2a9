import type { RunRecord } from '../../experiment/run-record.js';
import { DATASET_NOT_STATED } from '../figures/run-figures.js';

/** The dataset of each fixture, in the order of head's fixtures. What head says of a fixture holds for both. */
export function datasetsOf(base: RunRecord, head: RunRecord): ReadonlyMap<string, string> {
  return new Map(
    head.manifest.fixtures.map(({ id, dataset }) => {
      const before = base.manifest.fixtures.find((one) => one.id === id)?.dataset ?? null;
      return [id, dataset ?? before ?? DATASET_NOT_STATED];
    }),
  );
}
