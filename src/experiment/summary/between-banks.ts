import { countedScore, grouped, meanOf } from '../asking/row-score.js';
import type { SummaryRow } from './summary-row.js';

/** How much of an arm's score is of the bank that happened to be recorded (FB-18). Variances are in squared units of the score. */
export interface BetweenBanks {
  readonly scorer: string;
  readonly replicates: number;
  /** Questions that have a score under every replicate: the others are left out. */
  readonly questions: number;
  /** The mean over those questions, a replicate each; null where there are none. */
  readonly means: readonly (number | null)[];
  /** Null, as the next three, where no fixture has two such questions. */
  readonly between_mean_square: number | null;
  /** Of a question under one bank, once the question and the bank are taken out: their interaction, and the reader's noise. */
  readonly residual_mean_square: number | null;
  /** The unbiased estimate of the variance between banks; below 0 where the banks differ by less than the residual alone would make them. */
  readonly estimate: number | null;
  /** The same, and never below 0. */
  readonly component: number | null;
}

/**
 * The variance component between the banks of one identity, by analysis of variance. Every question of a fixture is asked under every of its
 * banks, so banks are crossed with questions, and what questions differ by is taken out: within each fixture, with Q questions, R banks and
 * y the score of a question under a bank (repeats averaged),
 *
 *     SSB = Q · Σ_r (ȳ.r − ȳ..)²                      R − 1 degrees of freedom
 *     SSE = Σ_q Σ_r (y_qr − ȳ_q. − ȳ.r + ȳ..)²        (Q − 1)(R − 1)
 *
 * Both are summed over fixtures; MSB = ΣSSB / Σ(R − 1), MSE = ΣSSE / Σ(Q − 1)(R − 1), and since E(MSB) = σ²_E + Q̄ σ²_B with Q̄ the mean of Q, the
 * estimate is (MSB − MSE) / Q̄. (Searle, Casella and McCulloch, Variance Components, 1992, ch. 4: the two-way crossed classification without
 * interaction, all effects random; in Brennan, Generalizability Theory, 2001, the p × i design.)
 *
 * @param replicates of the matrix.
 * @returns null for one replicate: then every score is given that bank.
 */
export function betweenBanks(rows: readonly SummaryRow[], scorer: string, replicates: number): BetweenBanks | null {
  if (replicates < 2) return null;
  const tables = fixtureTables(rows, scorer, replicates);
  const all = tables.flat();
  const means = Array.from({ length: replicates }, (_, bank) => meanOf(all.map((scores) => scores[bank] as number)));
  const squares = tables.map(sumsOfSquares);
  const freedom = squares.reduce((sum, { residual_freedom }) => sum + residual_freedom, 0);
  const shared = { scorer, replicates, questions: all.length, means };
  if (freedom === 0)
    return { ...shared, between_mean_square: null, residual_mean_square: null, estimate: null, component: null };
  const between = total(squares.map((one) => one.between)) / (tables.length * (replicates - 1));
  const residual = total(squares.map((one) => one.residual)) / freedom;
  const estimate = (between - residual) / (all.length / tables.length);
  return {
    ...shared,
    between_mean_square: between,
    residual_mean_square: residual,
    estimate,
    component: Math.max(0, estimate),
  };
}

/** Of each fixture, its questions that every replicate has a score of: a line a question, a number a replicate. */
function fixtureTables(rows: readonly SummaryRow[], scorer: string, replicates: number): number[][][] {
  return grouped(rows, ({ fixture }) => fixture)
    .map((own) =>
      grouped(own, ({ question }) => question).flatMap((asked) => {
        const scores = Array.from({ length: replicates }, (_, index) =>
          meanOf(asked.flatMap((row) => (row.replicate === index + 1 ? (countedScore(row, scorer) ?? []) : []))),
        );
        return scores.every((score) => score !== null) ? [scores] : [];
      }),
    )
    .filter((table) => table.length > 0);
}

function sumsOfSquares(table: readonly (readonly number[])[]): {
  readonly between: number;
  readonly residual: number;
  readonly residual_freedom: number;
} {
  const replicates = (table[0] as readonly number[]).length;
  const ofQuestions = table.map((scores) => meanOf(scores) as number);
  const ofBanks = Array.from({ length: replicates }, (_, bank) =>
    meanOf(table.map((scores) => scores[bank] as number)),
  );
  const whole = meanOf(ofQuestions) as number;
  const square = (number: number): number => number * number;
  return {
    between: table.length * total(ofBanks.map((mean) => square((mean as number) - whole))),
    residual: total(
      table.flatMap((scores, question) =>
        scores.map((score, bank) =>
          square(score - (ofQuestions[question] as number) - (ofBanks[bank] as number) + whole),
        ),
      ),
    ),
    residual_freedom: (table.length - 1) * (replicates - 1),
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
