import type { Filters } from '../questions/address.js';
import { type QuestionIndex, ROW_STATES, type RowState } from '../questions/page-data.js';

/** What an answer is by the scorer that says so. */
export const RESULTS = ['right', 'wrong', 'unscored'] as const;
export type RowResult = (typeof RESULTS)[number];

/** Questions that were found, by their places, and how many of their answers match. */
export interface Found {
  readonly questions: readonly number[];
  readonly answers: number;
}

/** The rows of every question, in the index's order: by arm, replicate and repeat. */
export function rowsByQuestion({ questions, rows }: QuestionIndex): readonly (readonly number[])[] {
  const by: number[][] = questions.id.map(() => []);
  for (const [row, question] of rows.question.entries()) by[question]?.push(row);
  return by;
}

export function resultOf({ rows, right_from }: QuestionIndex, row: number): RowResult {
  const score = rows.score[row] ?? null;
  if (score === null) return 'unscored';
  return score < right_from ? 'wrong' : 'right';
}

export function stateOf({ rows }: QuestionIndex, row: number): RowState {
  return ROW_STATES[rows.state[row] as number] as RowState;
}

/**
 * The questions of which some answer is what the filters choose. Arm, result, outcome and cause are of one answer: all must hold of the same one; a
 * text is found in the question, its id, what was expected, or such an answer.
 */
export function findQuestions(index: QuestionIndex, by: readonly (readonly number[])[], filters: Filters): Found {
  const { questions, rows } = index;
  const arm = place(
    index.arms.map(({ name }) => name),
    filters.arm,
  );
  const fixture = place(index.fixtures, filters.fixture);
  const category = place(index.categories, filters.category);
  const cause = place(index.causes, filters.cause);
  const state = place(ROW_STATES, filters.state);
  const text = filters.text.trim().toLowerCase();
  const holds = (value: string | null | undefined): boolean => value?.toLowerCase().includes(text) === true;
  const chosen = (row: number): boolean =>
    (arm === null || rows.arm[row] === arm) &&
    (state === null || rows.state[row] === state) &&
    (cause === null || rows.cause[row] === cause) &&
    (filters.result === '' || resultOf(index, row) === filters.result);
  const found: number[] = [];
  let answers = 0;
  for (const question of by.keys()) {
    if (fixture !== null && questions.fixture[question] !== fixture) continue;
    if (category !== null && questions.category[question] !== category) continue;
    const asked =
      text === '' || [questions.text, questions.id, questions.expected].some((column) => holds(column[question]));
    const matching = (by[question] ?? []).filter((row) => chosen(row) && (asked || holds(rows.answer[row])));
    if (matching.length === 0) continue;
    found.push(question);
    answers += matching.length;
  }
  return { questions: sorted(index, by, found, filters), answers };
}

/** In load order, or the worst first; between equals load order holds. */
function sorted(
  index: QuestionIndex,
  by: readonly (readonly number[])[],
  found: number[],
  { sort, arm }: Filters,
): readonly number[] {
  if (sort !== 'worst') return found;
  const mean = (question: number): number => {
    const scores = (by[question] ?? [])
      .filter((row) => arm === '' || index.arms[index.rows.arm[row] as number]?.name === arm)
      .flatMap((row) => index.rows.score[row] ?? []);
    // Without a score it is neither good nor bad, and comes last.
    return scores.length === 0 ? Number.POSITIVE_INFINITY : scores.reduce((sum, one) => sum + one, 0) / scores.length;
  };
  const means = new Map(found.map((question) => [question, mean(question)]));
  return [...found].sort((a, b) => {
    const [one, other] = [means.get(a) as number, means.get(b) as number];
    return one === other ? a - b : one - other;
  });
}

/** Null where everything is chosen; a word that is not there chooses nothing. */
function place(words: readonly string[], word: string): number | null {
  return word === '' ? null : words.indexOf(word);
}
