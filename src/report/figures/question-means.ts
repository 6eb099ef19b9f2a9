import { meanOf } from '../statistics/statistics.js';

/** A mean with its denominators. */
export interface MeanFigure {
  /** Null without any question. */
  readonly mean: number | null;
  readonly questions: number;
  readonly rows: number;
}

/**
 * A mean over questions, each first averaged over each replicate's repeats and then over replicates, as run.json and pairs have it (FB-18,
 * RP-3). Only the open conversation's questions are held.
 */
export class QuestionMeans {
  /** By question: its scores, by replicate. */
  readonly #open = new Map<string, Map<number, number[]>>();
  #sum = 0;
  #questions = 0;
  #rows = 0;

  add({ question, replicate }: { readonly question: string; readonly replicate: number }, score: number): void {
    const own = this.#open.get(question) ?? new Map<number, number[]>();
    this.#open.set(question, own.set(replicate, [...(own.get(replicate) ?? []), score]));
  }

  /** Ends a conversation: another may have questions of the same ids. @returns each question's mean. */
  close(): number[] {
    const means = [...this.#open.values()].map((own) => meanOf([...own.values()].map(meanOf)));
    for (const own of this.#open.values()) for (const scores of own.values()) this.#rows += scores.length;
    this.#sum += means.reduce((total, mean) => total + mean, 0);
    this.#questions += means.length;
    this.#open.clear();
    return means;
  }

  /** Of the conversations that were closed. */
  get figure(): MeanFigure {
    return {
      mean: this.#questions === 0 ? null : this.#sum / this.#questions,
      questions: this.#questions,
      rows: this.#rows,
    };
  }
}
