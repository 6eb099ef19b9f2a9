import { join, relative, sep } from 'node:path';
import { bankPath, statePath } from '../../../bank/bank-names.js';
import { vectorBankPath } from '../../../bank/vector-bank-names.js';
import { RecallMatrixError } from '../../../core/errors.js';
import { FIXTURE_FILES } from '../../../fixture/fixture-files.js';
import { replicatesOf } from '../../../matrix/replicates.js';
import { moduleFiles } from '../../../module/module-files.js';
import { expectationPath } from '../../reproducing/expectation.js';
import { rescoredRows, timesRescored } from '../../rescored-rows.js';
import { LESSONS_FILE, RunFolder } from '../../run-folder.js';
import { RUN_FOLDER, RUN_RESULT } from '../bundle-format.js';
import { runPart } from '../run-parts.js';
import { usedBanks, usedVectorBanks } from '../used-banks.js';
import { namedParts } from '../workspace.js';
import type { CheckedBundle } from './checked-bundle.js';

/** So many are named. */
const MOST_NAMED = 5;

/** What the run names, and no check reads. */
const UNREAD: readonly (readonly [RegExp, string])[] = [
  [/^run\/state\/.*\.formation\.json$/, 'what each arm took to form its beliefs live'],
  [/^run\/vectors\//, 'vectors of questions that no bank holds'],
];

/** Files that nothing in the run names: they are as they were sealed, and that is all that is known of them. */
export async function checkUnnamedFiles(bundle: CheckedBundle): Promise<void> {
  for (const [files, what] of UNREAD)
    if (bundle.manifest.files.some(({ path }) => files.test(path)))
      bundle.findings.skipped(what, 'by the digests of their files alone');
  const named = new Set([...runFiles(bundle), ...(await workspaceFiles(bundle))]);
  const left = bundle.manifest.files.map(({ path }) => path).filter((path) => !named.has(path) && !isRequest(path));
  if (left.length === 0) return;
  const shown = left.slice(0, MOST_NAMED).join(', ');
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  bundle.findings.skipped(
    `files that the run does not name: ${shown}${more}`,
    'whatever they say, no check looked at it',
  );
}

/** A request is named by its own digest. */
function isRequest(path: string): boolean {
  return path.startsWith(`${RUN_FOLDER}/`) && runPart(path.slice(RUN_FOLDER.length + 1)) === 'request';
}

function* runFiles({ record, paths }: CheckedBundle): Generator<string> {
  const { manifest, matrix } = record;
  yield* [RUN_RESULT, paths.ledgerPath];
  if (Object.keys(matrix.judges).length > 0) yield paths.judgementsPath;
  if (manifest.lesson_projection !== null) yield `${RUN_FOLDER}/${LESSONS_FILE}`;
  yield* manifest.matrices.map(({ file }) => `${RUN_FOLDER}/${file}`);
  const last = timesRescored(manifest.rows_folder);
  const places = [null, ...Array.from({ length: last }, (_, index) => rescoredRows(index + 1))];
  for (const rows of places) {
    const folder = RunFolder.of(record.run, RUN_FOLDER, rows);
    for (const { id: fixture } of manifest.fixtures) {
      yield* [folder.queryVectorsPath(fixture), folder.queryMissesPath(fixture)];
      for (const replicate of replicatesOf(matrix)) {
        const block = { fixture, replicate };
        yield folder.statePath(block, null);
        for (const { name: arm } of matrix.arms)
          yield* [
            folder.rowsPath(arm, block),
            folder.observationsPath(arm, block),
            folder.statePath(block, arm),
            folder.statePath(block, `${arm}.formation`),
          ];
      }
    }
  }
}

async function workspaceFiles({ folder, manifest, record, workspace }: CheckedBundle): Promise<string[]> {
  const { matrix } = record;
  const banks = matrix.formation === null ? null : workspace.place(matrix.formation.formation_bank_directory);
  const vectors = workspace.place(matrix.vector_banks.directory);
  const files = [
    manifest.matrix_file,
    ...usedBanks(record).flatMap(({ fixture, digest }) => {
      if (banks === null) return [];
      const path = bankPath(banks, fixture, digest);
      return [path, statePath(path), expectationPath(path)];
    }),
    ...usedVectorBanks(record).map(({ fixture, unit, digest }) =>
      vectors === null ? null : vectorBankPath(vectors, fixture, unit, digest),
    ),
  ];
  for (const part of namedParts(matrix)) {
    const path = workspace.place(part.path);
    if (path === null) continue;
    files.push(path);
    if (part.kind === 'fixture') files.push(...Object.values(FIXTURE_FILES).map((name) => `${path}/${name}`));
    if (part.kind === 'module') files.push(...(await imported(folder, path)));
  }
  return files.filter((file) => file !== null);
}

async function imported(folder: string, path: string): Promise<string[]> {
  try {
    const files = await moduleFiles(join(folder, ...path.split('/')), folder);
    return files.map((file) => relative(folder, file).split(sep).join('/'));
  } catch (error) {
    if (error instanceof RecallMatrixError) return [];
    throw error;
  }
}
