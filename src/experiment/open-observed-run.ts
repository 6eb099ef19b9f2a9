import { InvalidInputErrors, invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { FixtureOutline } from '../fixture/fixture.js';
import { loadFixture } from '../fixture/load.js';
import { selectQuestions } from '../fixture/select-questions.js';
import { pathInMatrix } from '../matrix/load-matrix.js';
import type { LoadedMatrix } from '../matrix/matrix.js';
import type { ObservedCell, ObservedRun } from './observed-run.js';
import { recordedCells } from './reading/recorded-cells.js';
import { readRecordedMatrix } from './reading/recorded-matrix.js';
import { fixtureFacts } from './resuming/run-changes.js';
import { RunFolder } from './run-folder.js';
import { readManifest } from './run-manifest.js';
import { missScorer } from './summary/arm-misses.js';

/**
 * Opens a run folder, and the fixtures that its questions stand in: rows hold no question's text. Nothing is written, so a run that is under way
 * may be looked at.
 *
 * @throws exit 2: `RUN_MANIFEST_BROKEN`, `RUN_MATRIX_BROKEN`, `RUN_FIXTURE_CHANGED` where a question or history is no longer what was asked; every fault
 * of a fixture. Of `cells`: `RUN_ROWS_BROKEN`.
 */
export async function openObservedRun(path: string): Promise<ObservedRun> {
  const manifest = await readManifest(path);
  const loaded = await readRecordedMatrix(manifest, path);
  const folder = RunFolder.of(manifest.run, path, manifest.rows_folder);
  const outlines = await outlinesOf(loaded);
  const { load, analysis, scoring } = loaded.matrix;
  const selected = selectQuestions(outlines, load);
  const asked = (outline: FixtureOutline): readonly string[] => selected.get(outline.manifest.id) ?? [];
  const facts = outlines.map((one) => fixtureFacts(one, asked(one), load.repeats));
  const changed = manifest.fixtures.filter(
    ({ id, corpus, load: asked }) => !facts.some((one) => one.id === id && one.corpus === corpus && one.load === asked),
  );
  if (changed.length > 0) throw new InvalidInputErrors(changed.map(({ id }) => changedFixture(manifest.run, id)));
  return {
    run: manifest.run,
    started_at: manifest.started_at,
    miss_scorer: missScorer(analysis, scoring),
    fixtures: outlines.map((outline) => {
      const ids = new Set(asked(outline));
      const questions = outline.questions.filter(({ id }) => ids.has(id)).map((one) => [one.id, one] as const);
      const { id } = outline.manifest;
      return { id, corpus: outline.corpus, questions: new Map(questions), cells: () => cellsOf(folder, loaded, id) };
    }),
  };
}

async function outlinesOf(loaded: LoadedMatrix): Promise<FixtureOutline[]> {
  const outlines: FixtureOutline[] = [];
  for (const folder of loaded.matrix.fixtures) {
    const { history: _history, ...outline } = await loadFixture(pathInMatrix(loaded, folder));
    outlines.push(outline);
  }
  return outlines;
}

async function* cellsOf(folder: RunFolder, { matrix }: LoadedMatrix, fixture: string): AsyncGenerator<ObservedCell> {
  // Of a question that was skipped nothing was observed.
  for await (const { is_finished, rows } of recordedCells(folder, [fixture], matrix))
    yield { is_finished, rows: rows.filter(({ outcome }) => outcome.kind !== 'skipped') };
}

function changedFixture(run: string, fixture: string): RecallMatrixError {
  return invalidInput('RUN_FIXTURE_CHANGED', `the fixture ${fixture} is not what ${run} asked about`, {
    remedy: 'restore its history and its questions as they were then',
  });
}
