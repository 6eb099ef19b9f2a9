import type { CivilTime } from '../../core/civil-time.js';
import type { Question } from '../../fixture/question.js';
import type { RecallUnit } from '../memory.js';

/** What is ranked: everything that may be recalled for the question, as data, in order of time, then of store position. */
export interface RankingRequest {
  readonly question: Question;
  readonly unit: RecallUnit;
  /** The most items that may be returned. */
  readonly limit: number;
  readonly items: readonly {
    readonly id: string;
    readonly text: string;
    readonly at: CivilTime;
    /** A turn's speaker, a belief's subjects joined. */
    readonly who: string;
    /** The ids of the turns that it rests on. */
    readonly sources: readonly string[];
  }[];
}

/** One item of a ranking. */
export interface RankedId {
  readonly id: string;
  /** Higher is better. Null for all or for none: without scores the order is the ranking. */
  readonly score: number | null;
}

/** Something outside the runtime that ranks: a user's own module, or another system's list (RT-6, RT-7). It sees no label and no database. */
export interface Ranker {
  /** As errors name it, e.g. `the module ./recent.mjs`. */
  readonly name: string;
  rank(request: RankingRequest, signal: AbortSignal): Promise<readonly RankedId[]>;
}
