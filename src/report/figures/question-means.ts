/** A mean with its denominators. */
export interface MeanFigure {
  /** Null without any question. */
  readonly mean: number | null;
  readonly questions: number;
  readonly rows: number;
}

/**
 * A mean over questions, each first averaged over its repeats and replicates, as run.json has it (FB-18). Only the open conversation's
 * questions are held.
 */
export class QuestionMeans {
  readonly #open = new Map<string, { sum: number; rows: number }>();
  #sum = 0;
  #questions = 0;
  #rows = 0;

  add(question: string, score: number): void {
    const found = this.#open.get(question);
    if (found === undefined) this.#open.set(question, { sum: score, rows: 1 });
    else {
      found.sum += score;
      found.rows += 1;
    }
  }

  /** Ends a conversation: another may have questions of the same ids. @returns each question's mean. */
  close(): number[] {
    const means = [...this.#open.values()].map(({ sum, rows }) => sum / rows);
    for (const { rows } of this.#open.values()) this.#rows += rows;
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
