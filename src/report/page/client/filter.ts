import { meanOf } from '../../statistics/mean.js';
import type { Filters } from '../questions/address.js';
import { type QuestionIndex, ROW_STATES, type RowState } from '../questions/page-data.js';

/** What an answer is by the scorer that says so. */
export const RESULTS = ['right', 'wrong', 'unscored'] as const;
export type RowResult = (typeof RESULTS)[number];

/** Whether a lesson was learnt from a question, by what the index says of it. */
export const SAMPLES = ['out', 'in'] as const;

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

/** Of one answer. A failure has none, although it counts as 0. */
export function resultOf(index: QuestionIndex, row: number): RowResult {
  return stateOf(index, row) === 'failed' ? 'unscored' : resultBy(index, index.rows.score[row] ?? null);
}

function resultBy({ right_from }: QuestionIndex, score: number | null): RowResult {
  if (score === null) return 'unscored';
  return score < right_from ? 'wrong' : 'right';
}

/** Of an arm's answers to one question by their mean, which a difference of arms takes too: own failures are 0, lost answers in no mean (OB-4). */
function armResult(index: QuestionIndex, rows: readonly number[], arm: number): RowResult {
  return resultBy(index, meanScore(index, rows, arm));
}

/** Of those of an arm's answers that count, over each bank's repeats and then over banks (RP-3); of all arms alike where it is null. Null: none counts. */
export function meanScore({ rows: by }: QuestionIndex, rows: readonly number[], arm: number | null): number | null {
  const arms = new Map<number, Map<number, number[]>>();
  for (const row of rows) {
    const [own, replicate, score] = [by.arm[row] as number, by.replicate[row] as number, by.score[row] ?? null];
    if (score === null || (arm !== null && own !== arm)) continue;
    const replicates = arms.get(own) ?? new Map<number, number[]>();
    arms.set(own, replicates.set(replicate, [...(replicates.get(replicate) ?? []), score]));
  }
  if (arms.size === 0) return null;
  return meanOf([...arms.values()].map((replicates) => meanOf([...replicates.values()].map(meanOf))));
}

export function stateOf({ rows }: QuestionIndex, row: number): RowState {
  return ROW_STATES[rows.state[row] as number] as RowState;
}

/**
 * The questions of which some answer is what the filters choose. Arm, result, outcome and cause are of one answer: all must hold of the same one; a
 * text is found in the question, its id, what was expected, or such an answer. Of whom a question is right and wrong under, all answers count.
 */
export function findQuestions(index: QuestionIndex, by: readonly (readonly number[])[], filters: Filters): Found {
  const { questions, rows } = index;
  const arms = index.arms.map(({ name }) => name);
  const arm = place(arms, filters.arm);
  const [right, wrong] = [place(arms, filters.right), place(arms, filters.wrong)];
  const fixture = place(index.fixtures, filters.fixture);
  const category = place(index.categories, filters.category);
  const cause = place(index.causes, filters.cause);
  const state = place(ROW_STATES, filters.state);
  const sample = place(SAMPLES, filters.sample);
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
    if (sample !== null && questions.in_sample?.[question] !== sample) continue;
    const own = by[question] ?? [];
    if (right !== null && armResult(index, own, right) !== 'right') continue;
    if (wrong !== null && armResult(index, own, wrong) !== 'wrong') continue;
    const asked =
      text === '' || [questions.text, questions.id, questions.expected].some((column) => holds(column[question]));
    const matching = own.filter((row) => chosen(row) && (asked || holds(rows.answer[row])));
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
  const sortedBy = place(
    index.arms.map(({ name }) => name),
    arm,
  );
  // Without a score it is neither good nor bad, and comes last.
  const mean = (question: number): number => meanScore(index, by[question] ?? [], sortedBy) ?? Number.POSITIVE_INFINITY;
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
