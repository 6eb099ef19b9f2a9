import type { Observation } from '../asking/observation.js';
import type { RescoredScorer } from '../rescore-document.js';

/** Counts what scoring again changed, scorer by scorer. */
export class ScoreChanges {
  #rows = 0;
  readonly #byScorer: ReadonlyMap<string, { rows: number; changed: number }>;

  /** @param before the scorers that the run had. */
  constructor(
    private readonly before: readonly string[],
    scoring: readonly string[],
  ) {
    this.#byScorer = new Map(scoring.map((scorer) => [scorer, { rows: 0, changed: 0 }]));
  }

  get rows(): number {
    return this.#rows;
  }

  add(earlier: Observation, now: Observation): void {
    this.#rows += 1;
    for (const [scorer, counts] of this.#byScorer) {
      const score = now.scores[scorer] ?? null;
      if (score !== null) counts.rows += 1;
      if (score !== (earlier.scores[scorer] ?? null)) counts.changed += 1;
    }
  }

  get scorers(): RescoredScorer[] {
    return [...this.#byScorer].map(([scorer, counts]) => ({
      scorer,
      is_new: !this.before.includes(scorer),
      ...counts,
    }));
  }
}
