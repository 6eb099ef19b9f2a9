import type { PreparedRun } from '../prepare-run.js';
import { whollyWithheld } from '../vectors/preparation-context.js';
import { searchedUnits } from './plan-vectors.js';

/** Which fixtures are kept from the embedder whole (SQ-7). */
export function withheldFixtures({ loaded, fixtures }: PreparedRun): string[] {
  if (searchedUnits(loaded).length === 0) return [];
  return fixtures.flatMap(({ manifest }) => {
    const bar = whollyWithheld(loaded, manifest);
    return bar === null
      ? []
      : [`${manifest.id}: nothing is embedded (${bar.miss}: ${bar.why}); its vector arms fall back to bm25.`];
  });
}
