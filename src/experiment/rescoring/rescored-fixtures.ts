import { InvalidInputErrors, invalidInput } from '../../core/errors.js';
import type { Fixture, FixtureOutline } from '../../fixture/fixture.js';
import { loadFixture } from '../../fixture/load.js';
import { fixtureFolder } from '../../matrix/fixture-folder.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { ChangedLabels } from '../changed-labels.js';
import { changedFixture, fixtureFacts, refuseChangedFixtures } from '../resuming/run-changes.js';
import type { RunManifest } from '../run-manifest.js';

type FixtureFacts = RunManifest['fixtures'][number];

/** A fixture whose answers are scored again. */
export interface RescoredFixture {
  readonly outline: FixtureOutline;
  /** The questions that were asked, in their order. */
  readonly ids: readonly string[];
  /** With the labels' digest as it is now. */
  readonly facts: FixtureFacts;
  /** Those of the rows that counted before. */
  readonly labelsBefore: FixtureFacts['labels'];
}

/** Fixtures whose labels are others than those of the rows that counted before. */
export function changesOf(fixtures: readonly RescoredFixture[]): ChangedLabels[] {
  return fixtures.flatMap(({ facts: { id, labels }, labelsBefore }) =>
    labels === labelsBefore ? [] : [{ fixture: id, before: labelsBefore, after: labels }],
  );
}

/** Loads a run's fixture from where its matrix has it. */
export function loadFixtureOf(loaded: LoadedMatrix, { id }: Pick<FixtureFacts, 'id'>): Promise<Fixture> {
  const folder = fixtureFolder(loaded.matrix, id);
  if (folder === undefined) throw changedFixture(id, 'is in no folder of the matrix');
  return loadFixture(pathInMatrix(loaded, folder));
}

/**
 * Finds a run's fixtures to be what its answers are about. Their labels alone may have been corrected, where the user says so (FX-1).
 *
 * @param asked question ids of each fixture's rows: a sample is never drawn again, for what it is drawn by may have been corrected.
 * @throws exit 2: every fault of a fixture, `RUN_FIXTURE_CHANGED`, `RUN_LABELS_CHANGED`.
 */
export async function rescoredFixtures(
  manifest: RunManifest,
  loaded: LoadedMatrix,
  asked: ReadonlyMap<string, readonly string[]>,
  mayHaveOtherLabels: boolean,
): Promise<RescoredFixture[]> {
  const fixtures: RescoredFixture[] = [];
  for (const before of manifest.fixtures) {
    const { history: _history, ...outline } = await loadFixtureOf(loaded, before);
    const ids = asked.get(before.id) ?? [];
    if (!ids.every((id) => outline.labels.has(id))) throw changedFixture(before.id, 'has fewer questions (load)');
    const now = ids.length === 0 ? before : fixtureFacts(outline, ids, loaded.matrix.load.repeats);
    refuseChangedFixtures([before], [{ ...now, labels: before.labels }]);
    fixtures.push({ outline, ids, facts: now, labelsBefore: before.labels });
  }
  const changed = changesOf(fixtures);
  if (changed.length > 0 && !mayHaveOtherLabels)
    throw new InvalidInputErrors(changed.map(({ fixture }) => labelsChanged(manifest.run, fixture)));
  return fixtures;
}

function labelsChanged(run: string, fixture: string): InvalidInputErrors['errors'][number] {
  return invalidInput(
    'RUN_LABELS_CHANGED',
    `the fixture ${fixture} has other expected answers, evidence or categories than ${run} was scored by`,
    { remedy: 'restore them, or score by the corrected ones: --labels-changed' },
  );
}
