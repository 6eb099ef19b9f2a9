import type { ProblemResult, RunResult } from './experiment.js';

/** What `rescore --json` prints (RP-6, docs/formats/run.md). */
export interface RescoreResult {
  readonly format: 'rescore-result@1';
  readonly run: string;
  readonly path: string;
  /** The folder below it that holds the rows that count from now on. Those before stay where they were. */
  readonly rows_folder: string;
  /** How many rows were scored. */
  readonly rows: number;
  /** In the order of the matrix. */
  readonly scorers: readonly RescoredScorer[];
  /** Fixtures whose expected answers, evidence or categories are others than before. */
  readonly labels_changed: readonly string[];
  /** Verdicts that judges were asked for now; what was known was not asked again. */
  readonly verdicts_asked: number;
  /** The command that asks for verdicts that are missing; or that resumes the run; null where nothing is. */
  readonly resume: string | null;
  /** As `run --json` would print it now. */
  readonly result: RunResult;
  readonly problems: readonly ProblemResult[];
}

/** What became of one scorer's scores. */
export interface RescoredScorer {
  readonly scorer: string;
  /** Whether the rows had no score of it before. */
  readonly is_new: boolean;
  /** Rows with a score now. */
  readonly rows: number;
  /** Rows whose score is another than before; all that have one, of a new scorer. */
  readonly changed: number;
}
