import { RecallMatrixError } from '../../core/errors.js';
import type { Fixture } from '../../fixture/fixture.js';
import { loadFixture } from '../../fixture/load.js';
import { fixtureFolder } from '../../matrix/fixture-folder.js';
import { pathInMatrix } from '../../matrix/load-matrix.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { fixtureFacts } from '../resuming/run-changes.js';
import type { RunFolder } from '../run-folder.js';
import type { RunManifest } from '../run-manifest.js';
import type { FixtureMissing } from '../run-record.js';
import { recordedCells } from './recorded-cells.js';

/** A fixture of a run as it is on the disk now; or why it cannot be shown beside the run's rows. */
export async function recordedFixture(
  files: RunFolder,
  manifest: RunManifest,
  loaded: LoadedMatrix,
  id: string,
): Promise<Fixture | FixtureMissing> {
  const facts = manifest.fixtures.find((one) => one.id === id);
  const folder = fixtureFolder(loaded.matrix, id);
  if (facts === undefined || folder === undefined) return { missing: `${manifest.run} has no fixture ${id}` };
  const path = pathInMatrix(loaded, folder);
  let fixture: Fixture;
  try {
    fixture = await loadFixture(path);
  } catch (error) {
    if (error instanceof RecallMatrixError) return { missing: `${path} cannot be read: ${error.message}` };
    throw error;
  }
  if (fixture.corpus !== facts.corpus) return { missing: `${path} has another history than the run was made with` };
  const changed = await changedQuestions(files, loaded, fixture, facts);
  return changed === null ? fixture : { missing: `${path} has ${changed} than the run was made with` };
}

/** The questions that were asked are those of the rows, in load order: a load of several fixtures, or a sample, is drawn from all of them at once. */
async function changedQuestions(
  folder: RunFolder,
  { matrix }: LoadedMatrix,
  fixture: Fixture,
  facts: RunManifest['fixtures'][number],
): Promise<string | null> {
  for await (const { is_finished, rows } of recordedCells(folder, [facts.id], matrix)) {
    if (!is_finished) continue;
    const ids = [...new Set(rows.map(({ question }) => question))];
    if (!ids.every((id) => fixture.labels.has(id))) return 'fewer questions';
    const now = fixtureFacts(fixture, ids, matrix.load.repeats);
    if (now.load !== facts.load) return 'other questions, or other times of them,';
    return now.labels === facts.labels ? null : 'other expected answers or evidence';
  }
  return null;
}
