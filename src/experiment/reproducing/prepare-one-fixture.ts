import { InvalidInputErrors, invalidInput } from '../../core/errors.js';
import type { FixtureOutline } from '../../fixture/fixture.js';
import { selectQuestions } from '../../fixture/select-questions.js';
import { fixtureFolder } from '../../matrix/fixture-folder.js';
import { loadMatrix, type MatrixOverrides, pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { type ExaminedFixture, examineFixture } from '../examined-fixture.js';
import { KNOWN_PARTS } from '../prepare-run.js';

/** A matrix with one of its fixtures. */
export interface OneFixture {
  /** Its fixtures are those that are there. */
  readonly loaded: LoadedMatrix;
  /** As the matrix names it. */
  readonly folder: string;
  readonly fixture: ExaminedFixture;
  /** Ids of the questions that the load selects of it, in the order asked. */
  readonly selected: readonly string[];
}

/** Loads a matrix whose fixtures need not all be there (FB-9, RP-1). @throws {InvalidInputErrors} every fault of the matrix. */
export function loadMatrixAsFound(matrixPath: string, overrides: MatrixOverrides): Promise<LoadedMatrix> {
  return loadMatrix(matrixPath, KNOWN_PARTS, { ...overrides, fixturesAsFound: true });
}

/**
 * Loads one fixture of a matrix. What the load says of the others is passed over.
 *
 * @throws {InvalidInputErrors} `FIXTURE_MISSING` where it is not there, or every fault of it.
 */
export async function prepareOneFixture(loaded: LoadedMatrix, id: string): Promise<OneFixture> {
  const folder = fixtureFolder(loaded.matrix, id);
  if (folder === undefined) {
    throw new InvalidInputErrors([
      invalidInput('FIXTURE_MISSING', `the fixture ${id} is not among those that the matrix names and that are there`, {
        remedy: 'name its folder with --fixtures',
        location: loaded.locate(['fixtures']),
      }),
    ]);
  }
  const fixture = await examineFixture(pathInMatrix(loaded, folder));
  return { loaded, folder, fixture, selected: selectedOf(fixture, loaded.matrix.load) };
}

function selectedOf(
  fixture: FixtureOutline,
  { questions, categories }: LoadedMatrix['matrix']['load'],
): readonly string[] {
  const known = new Set([...fixture.labels.values()].map(({ category }) => category));
  const own = {
    questions: questions === 'all' ? questions : questions.filter((id) => fixture.labels.has(id)),
    categories: categories === null ? null : categories.filter((category) => known.has(category)),
    // A draw over all fixtures cannot be made again of one.
    sample: null,
  };
  const isNothing = own.questions.length === 0 || own.categories?.length === 0;
  return isNothing ? [] : (selectQuestions([fixture], own).get(fixture.manifest.id) ?? []);
}
