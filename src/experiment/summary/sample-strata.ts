import type { FixtureOutline } from '../../fixture/fixture.js';
import { selectQuestions } from '../../fixture/select-questions.js';
import type { LoadSettings } from '../../matrix/matrix.js';
import type { PlannedSample } from '../documents.js';

/**
 * What a load draws of each stratum (MX-9), in the order in which the strata are first met.
 *
 * @param selected what was drawn, by fixture.
 * @returns null where nothing is drawn.
 */
export function sampleStrata(
  fixtures: readonly FixtureOutline[],
  load: LoadSettings,
  selected: ReadonlyMap<string, readonly string[]>,
): PlannedSample | null {
  if (load.sample === null) return null;
  const all = selectQuestions(fixtures, { ...load, sample: null });
  const strata = fixtures.flatMap(({ manifest: { id: fixture }, labels }) => {
    const count = (ids: readonly string[] = []): ReadonlyMap<string, number> => countBy(ids, labels);
    const drawn = count(selected.get(fixture));
    return [...count(all.get(fixture))].map(([category, of]) => ({
      fixture,
      category,
      drawn: drawn.get(category) ?? 0,
      of,
    }));
  });
  return { ...load.sample, of: strata.reduce((sum, stratum) => sum + stratum.of, 0), strata };
}

function countBy(ids: readonly string[], labels: FixtureOutline['labels']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const category = labels.get(id)?.category ?? '';
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return counts;
}
