import type { Observation } from '../../experiment/experiment.js';
import { countedScore } from '../../experiment/run-record.js';
import { declines } from '../../scoring/abstaining.js';
import { type MeanFigure, QuestionMeans } from './question-means.js';

/** Answering what can be answered, and declining what cannot, apart (OB-6). Counts are of answered rows. */
export interface AbstentionFigures {
  readonly answerable: {
    readonly rows: number;
    /** False abstentions. */
    readonly abstained: number;
    /** Over answerable questions alone, by the scorer that looks at answers. */
    readonly score: MeanFigure;
  };
  readonly unanswerable: {
    readonly rows: number;
    /** Right abstentions: the reader abstained, or declined in words. */
    readonly declined: number;
    readonly abstained: number;
  };
}

/** Counts them. */
export class AbstentionCounts {
  readonly #score = new QuestionMeans();
  readonly #answerable = { rows: 0, abstained: 0 };
  readonly #unanswerable = { rows: 0, declined: 0, abstained: 0 };

  /** @param scorer what looks at answers. */
  constructor(private readonly scorer: string) {}

  add(row: Observation): void {
    const score = countedScore(row, this.scorer);
    if (row.answerable && score !== null) this.#score.add(row, score);
    if (row.outcome.kind !== 'answered') return;
    if (row.answerable) {
      this.#answerable.rows += 1;
      this.#answerable.abstained += Number(row.abstained);
    } else {
      this.#unanswerable.rows += 1;
      this.#unanswerable.declined += Number(isDeclined(row));
      this.#unanswerable.abstained += Number(row.abstained);
    }
  }

  close(): void {
    this.#score.close();
  }

  get figures(): AbstentionFigures {
    return {
      answerable: { ...this.#answerable, score: this.#score.figure },
      unanswerable: { ...this.#unanswerable },
    };
  }
}

/** By the rule of the scorers: LoCoMo's phrases decline too. */
function isDeclined({ question, category, answerable, answer, abstained }: Observation): boolean {
  const label = { question_id: question, category, answerable, expected: [], evidence: [] };
  return declines({ label, answer: answer ?? '', abstained: abstained === true, ranked_sources: null });
}
