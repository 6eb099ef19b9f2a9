import { resolve } from 'node:path';
import { invalidInput } from '../../core/errors.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import { resumeCommand } from '../resuming/resume-command.js';
import { RunFolder } from '../run-folder.js';
import { type RunManifest, readManifest } from '../run-manifest.js';
import type { RunRecord } from '../run-record.js';
import { recordedCells } from './recorded-cells.js';
import { recordedFixture } from './recorded-fixture.js';
import { recordedLessons } from './recorded-lessons.js';
import { readRecordedMatrix } from './recorded-matrix.js';
import { recordedRequest } from './recorded-request.js';
import { recordedResult } from './recorded-result.js';
import { StateReader } from './recorded-state.js';
import { VerdictReader } from './recorded-verdicts.js';

/**
 * Opens the folder of a run that has ended, complete or not.
 *
 * @throws exit 2: `RUN_MANIFEST_BROKEN`, `RUN_MATRIX_BROKEN`, `RUN_NOT_FINISHED`. Of `cells`: `RUN_ROWS_BROKEN`; of `request`:
 * `RUN_REQUEST_BROKEN`; of `state`: `RUN_STATE_BROKEN`; of `verdicts`: `RUN_JUDGEMENTS_BROKEN`; of `lessons`: `RUN_LESSONS_BROKEN`.
 */
export async function openRunRecord(path: string): Promise<RunRecord> {
  const folder = resolve(path);
  const manifest = await readManifest(folder);
  if (manifest.status === 'running')
    throw invalidInput('RUN_NOT_FINISHED', `${manifest.run} has no result: it is under way, or was killed`, {
      remedy: `wait for it to end; where its process is gone, continue it: ${resumeCommand(folder)}`,
    });
  return runRecord(folder, manifest, await readRecordedMatrix(manifest, folder));
}

/**
 * The record of a run that has ended, from what was read of it already.
 *
 * @param folder absolute.
 * @throws `RUN_MANIFEST_BROKEN` (exit 2); of its functions, as of `openRunRecord`.
 */
export function runRecord(folder: string, manifest: RunManifest, loaded: LoadedMatrix): RunRecord {
  const result = recordedResult(manifest, folder);
  const files = RunFolder.of(manifest.run, folder, manifest.rows_folder);
  const states = new StateReader(files, result);
  const verdicts = new VerdictReader(files.judgementsPath);
  const ids = manifest.fixtures.map(({ id }) => id);
  return {
    run: manifest.run,
    path: folder,
    manifest,
    result,
    matrix: loaded.matrix,
    cells: () => recordedCells(files, ids, loaded.matrix),
    request: (digest) => recordedRequest(files, digest),
    state: (cell) => states.read(cell),
    verdicts: (judge, request) => verdicts.read(judge, request),
    lessons: (book) => recordedLessons(folder, manifest, book),
    fixture: (id) => recordedFixture(files, manifest, loaded, id),
  };
}
