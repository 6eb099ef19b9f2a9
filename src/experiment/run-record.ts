import type { Digest } from '../core/digest.js';
import type { Fixture } from '../fixture/fixture.js';
import type { ResolvedMatrix } from '../matrix/matrix.js';
import type { BeliefState } from '../parity/parity.js';
import type { Observation } from './asking/observation.js';
import type { LessonBook, RunLessons, RunResult } from './experiment.js';
import type { RunManifest } from './run-manifest.js';

export { countedScore, isOwnFailure } from './asking/row-score.js';
export { isHalfScored } from './half-scored.js';
export type { RunManifest } from './run-manifest.js';
export { scoredBy } from './scored-by.js';
export { recordedSample } from './summary/recorded-sample.js';

/** A finished or stopped run's folder, as comparisons, reports, rescoring and bundles read it. Reading writes nothing and sends nothing. */
export interface RunRecord {
  readonly run: string;
  /** The folder, absolute. */
  readonly path: string;
  /** What the rows rest on. */
  readonly manifest: RunManifest;
  /** What `run --json` printed when the run ended. */
  readonly result: RunResult;
  /** The matrix of the last session, from the folder itself. */
  readonly matrix: ResolvedMatrix;
  /** Finalised rows, one cell after another in the order of fixtures, replicates and arms; none is kept in memory. */
  cells(): AsyncGenerator<RecordedCell>;
  /** An exact request of `requests/`; null where the folder does not hold it. */
  request(digest: Digest): Promise<RecordedRequest | null>;
  /** What the arm's rows were read from; null where nothing was formed. */
  state(cell: CellId): Promise<BeliefState | null>;
  /** A judge's verdicts on an exact request, by repeat (OB-7); none where the folder does not hold them. */
  verdicts(judge: string, request: Digest): Promise<readonly RecordedVerdict[]>;
  /** The lessons that the run was begun with (LE-6); null where it had none, or the folder does not hold them. */
  lessons(book: Pick<LessonBook, 'restore'>): Promise<RunLessons | null>;
  /** The fixture as it is on the disk now; or why it cannot be shown: not there, or no longer what was asked. */
  fixture(id: string): Promise<Fixture | FixtureMissing>;
}

/** One arm over one fixture's bank. */
export interface CellId {
  readonly arm: string;
  readonly fixture: string;
  /** From 1. */
  readonly replicate: number;
}

export interface RecordedCell extends CellId {
  /** False where the cell was never finalised: then it has no rows here. */
  readonly is_finished: boolean;
  /** In load order. */
  readonly rows: readonly Observation[];
}

/** What was sent, or would have been: the parts of a completion request. */
export interface RecordedRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** What a judge said of an answer, once. */
export interface RecordedVerdict {
  /** From 1. */
  readonly repeat: number;
  readonly correct: boolean;
  /** The judge's words: a model's text. */
  readonly reason: string;
}

export interface FixtureMissing {
  readonly missing: string;
}
