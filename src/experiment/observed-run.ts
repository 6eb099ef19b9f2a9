import type { Digest } from '../core/digest.js';
import type { Question } from '../fixture/question.js';
import type { Observation } from './asking/observation.js';

/** What a run observed, for whoever learns from it. It holds no label but what rows hold. */
export interface ObservedRun {
  readonly run: string;
  /** When its first session began: an ISO instant, the same after every resumption and extension. */
  readonly started_at: string;
  /** The score by which an answer is wrong; null where no scorer of the run looks at answers. */
  readonly miss_scorer: string | null;
  readonly fixtures: readonly ObservedFixture[];
}

/** One fixture of a run. */
export interface ObservedFixture {
  readonly id: string;
  readonly corpus: Digest;
  /** By id: those that were asked. */
  readonly questions: ReadonlyMap<string, Question>;
  /** Its cells, one after another in the order of replicates and arms; none is kept. */
  cells(): AsyncGenerator<ObservedCell>;
}

/** One arm's rows over one block. */
export interface ObservedCell {
  /** In the order of the load; of an unfinished cell none: their scores and misses are not told yet. */
  readonly rows: readonly Observation[];
  readonly is_finished: boolean;
}
