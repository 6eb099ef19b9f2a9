import type { Digest } from '../../core/digest.js';

/** The lessons that a run's arms could inject. */
export interface LessonsResult {
  /** Digest of the projection, which the run folder keeps. */
  readonly projection: Digest;
  readonly lessons: number;
  /** Those that came in by an import: nobody knows what questions they were learnt from. */
  readonly of_unknown_origin: number;
  /** Nobody has measured how often the thresholds that verify a lesson are right. */
  readonly calibrated: false;
  /** The questions that lessons were learnt from, of fixtures that have some. */
  readonly in_sample: readonly { readonly fixture: string; readonly questions: readonly string[] }[];
  /** Of each arm that injects and has a twin, in the matrix's order. */
  readonly pairs: readonly LessonPairs[];
}

/** Rows with a lesson in their context, beside those of the arm that is the same but for lessons (LE-6). */
export interface LessonPairs {
  readonly arm: string;
  readonly twin: string;
  /** The primary score. */
  readonly scorer: string;
  readonly in_sample: PairCounts;
  readonly out_of_sample: PairCounts;
}

/** How many rows scored better or worse with a lesson than without, of `n` pairs. */
export interface PairCounts {
  readonly n: number;
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
}
