import { differingPaths } from '../../core/differing-paths.js';
import type { Digest } from '../../core/digest.js';
import { bankRefused, invalidInput } from '../../core/errors.js';
import type { ArmSettings, ResolvedMatrix } from '../../matrix/matrix.js';
import { readerFactors, retrievalFactors } from '../arm-factors.js';
import { keptLessons } from '../bind-lessons.js';
import { blockTitle } from '../block-id.js';
import { findRun } from '../find-run.js';
import { readRecordedMatrix } from '../reading/recorded-matrix.js';
import type { ReproducedSource } from '../reproduction-document.js';
import { readCommittedRows } from '../resuming/committed-rows.js';
import { RunFolder } from '../run-folder.js';
import type { LessonBook, RunLessons } from '../run-lessons.js';
import { readManifest } from '../run-manifest.js';
import type { PastQueries } from '../vectors/past-queries.js';
import { type ExpectedArm, expectationPath, pastRowsOf, readExpectation } from './expectation.js';
import { type PastRow, pastRowOf } from './reproduction.js';

/** What an arm did once over a bank and fixture. */
export interface PastArm {
  readonly source: ReproducedSource;
  readonly rows: readonly PastRow[];
  /** The digest of the load that it was asked; null where nothing is known. */
  readonly load: Digest | null;
  readonly server: string | null;
  /** What its run kept of its questions (VB-3, SQ-1); null where there is no run. */
  readonly queries: PastQueries | null;
  /** The lessons that its run kept; null where it had none, or there is no run. */
  readonly lessons: RunLessons | null;
  /** Whether a reader's answers are there, by a reader of the same model, prompt and parameters. */
  readonly hasAnswers: boolean;
  /** What is not there to be compared, and why. */
  readonly not_compared: readonly string[];
}

/** What is reproduced. */
export interface WantedArm {
  readonly bank: { readonly path: string; readonly digest: Digest; readonly replicate: number };
  readonly fixture: string;
  readonly arm: ArmSettings;
  readonly matrix: ResolvedMatrix;
}

/**
 * An arm's past in a run.
 *
 * @param out where run folders lie.
 * @throws exit 2: `RUN_NOT_FOUND`, `RUN_MANIFEST_BROKEN`, `RUN_ROWS_BROKEN`, `REPRODUCE_NO_ROWS`, `REPRODUCE_OTHER_ARM` (naming what differs), `RUN_LESSONS_CHANGED`;
 * exit 5: `REPRODUCE_OTHER_BANK`.
 */
export async function pastArmOfRun(out: string, run: string, wanted: WantedArm, book: LessonBook): Promise<PastArm> {
  const path = await findRun(out, run, 'run@1');
  const manifest = await readManifest(path);
  const { matrix: past } = await readRecordedMatrix(manifest, path);
  const arm = past.arms.find(({ name }) => name === wanted.arm.name);
  if (arm === undefined) throw noRows(path, wanted, `it has the arms ${past.arms.map(({ name }) => name).join(', ')}`);
  const differs = differingPaths(retrievalFactors(past, arm), retrievalFactors(wanted.matrix, wanted.arm));
  if (differs.length > 0) {
    throw invalidInput(
      'REPRODUCE_OTHER_ARM',
      `the arm ${arm.name} of ${path} is another than the matrix's; it differs in ${differs.join(', ')}`,
      { remedy: "name the run's own matrix, or another arm", details: { differs: differs.join(', ') } },
    );
  }
  const block = { fixture: wanted.fixture, replicate: wanted.bank.replicate };
  const folder = RunFolder.of(manifest.run, path, manifest.rows_folder);
  const committed = await readCommittedRows(folder, arm.name, block);
  const rows = [...committed.rows.values()].sort((a, b) => a.position - b.position);
  const [first] = rows;
  if (first === undefined) throw noRows(path, wanted, `it has no row of ${blockTitle(block)}`);
  if (first.bank !== wanted.bank.digest) {
    throw bankRefused('REPRODUCE_OTHER_BANK', `${path} formed ${wanted.fixture} from ${first.bank ?? 'no bank'}`, {
      remedy: 'name the bank that the run used, or a run that used this one',
      details: { bank: first.bank },
    });
  }
  const otherReader = differingPaths(readerFactors(past), readerFactors(wanted.matrix));
  return {
    source: { kind: 'run', run: manifest.run, path },
    rows: rows.map(pastRowOf),
    load: first.load as Digest,
    server: manifest.postgres.version,
    queries: { vectors: folder.queryVectorsPath(wanted.fixture), misses: folder.queryMissesPath(wanted.fixture) },
    lessons: await keptLessons(path, manifest, book),
    hasAnswers: otherReader.length === 0,
    not_compared:
      otherReader.length === 0 ? [] : [`answers: the run's reader is another; it differs in ${otherReader.join(', ')}`],
  };
}

/** An arm's past as the file beside the bank gives it; where that says nothing of this arm, a past of which nothing can be compared. */
export async function pastArmOfBank({ bank, arm, matrix }: WantedArm): Promise<PastArm> {
  const path = expectationPath(bank.path);
  const expectation = await readExpectation(bank.path, bank.digest);
  if (expectation === null) return nothing(`retrieval, context and answers: no run is given, and there is no ${path}`);
  const expected = expectation.arms.find((one) => one.arm === arm.name);
  if (expected === undefined) return nothing(`retrieval, context and answers: ${path} has no arm ${arm.name}`);
  const differs = differingPaths(expected.factors as never, retrievalFactors(matrix, arm));
  if (differs.length > 0)
    return nothing(`retrieval, context and answers: ${path} is of an arm that differs in ${differs.join(', ')}`);
  return {
    source: { kind: 'expected', path },
    rows: pastRowsOf(expected as ExpectedArm),
    load: expected.load,
    server: expectation.server,
    queries: null,
    lessons: null,
    hasAnswers: false,
    not_compared: ['answers: no run is given to compare them with'],
  };
}

function nothing(why: string): PastArm {
  return {
    source: { kind: 'nothing' },
    rows: [],
    load: null,
    server: null,
    queries: null,
    lessons: null,
    hasAnswers: false,
    not_compared: [why],
  };
}

function noRows(path: string, { arm }: WantedArm, why: string): Error {
  return invalidInput('REPRODUCE_NO_ROWS', `${path} holds no row of the arm ${arm.name}: ${why}`, {
    remedy: 'name an arm and a run that have rows',
  });
}
