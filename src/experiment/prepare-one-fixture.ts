import type { FixtureOutline } from '../fixture/fixture.js';

import { selectQuestions } from '../fixture/select-questions.js';
import { loadMatrix, type MatrixOverrides, pathInMatrix } from '../matrix/load-matrix.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import { type ExaminedFixture, examineFixture } from './examined-fixture.js';
import { KNOWN_PARTS } from './prepare-run.js';

/** A matrix with one of its fixtures. */
export interface OneFixture {
  readonly loaded: LoadedMatrix;
  readonly fixture: ExaminedFixture;
  /** Ids of the questions that the load selects of it, in the order asked. */
  readonly selected: readonly string[];
}

/**
 * Loads a matrix with one of its fixtures alone: the others need not be there (FB-9, RP-1), and what the load says of them is passed over.
 * A sample is drawn over all of them, so it is passed over too: every question that the load admits is selected.
 *
 * @param matrixPath absolute.
 * @throws {InvalidInputErrors} every fault of the matrix, or of the fixture.
 */
export async function prepareOneFixture(
  matrixPath: string,
  overrides: MatrixOverrides,
  id: string,
): Promise<OneFixture> {
  const loaded = await loadMatrix(matrixPath, KNOWN_PARTS, { ...overrides, onlyFixture: id });
  const fixture = await examineFixture(pathInMatrix(loaded, loaded.matrix.fixtures[0] as string));
  return { loaded, fixture, selected: selectedOf(fixture, loaded.matrix.load) };
}

function selectedOf(fixture: FixtureOutline, load: LoadedMatrix['matrix']['load']): readonly string[] {
  const { questions, categories } = load;
  const known = new Set([...fixture.labels.values()].map(({ category }) => category));
  const own = {
    questions: questions === 'all' ? questions : questions.filter((id) => fixture.labels.has(id)),
    categories: categories === null ? null : categories.filter((category) => known.has(category)),
    sample: null,
  };
  const isNothing = own.questions.length === 0 || own.categories?.length === 0;
  return isNothing ? [] : (selectQuestions([fixture], own).get(fixture.manifest.id) ?? []);
}
