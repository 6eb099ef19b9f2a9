import type { QuestionIndex } from '../questions/page-data.js';
import { meanScore, resultOf, stateOf } from './filter.js';

/** How an arm's answers to one question stand in the list: a mark that needs no colour. */
export interface ArmMark {
  readonly kind: 'right' | 'wrong' | 'mixed' | 'none';
  /** `2/3`: so many of its answers are right, where they are not all alike. */
  readonly shape: string;
  /** The mean of those that count; null where none does. */
  readonly score: number | null;
}

const SHAPES = { right: '✓', wrong: '✗', failed: '!', unscored: '?' } as const;

/** @param rows an arm's answers to one question: one, or one a repeat and replicate. */
export function armMark(index: QuestionIndex, rows: readonly number[]): ArmMark {
  const results = rows.map((row) => (stateOf(index, row) === 'failed' ? 'failed' : resultOf(index, row)));
  const score = meanScore(index, rows, null);
  const [first = 'unscored'] = results;
  if (results.some((one) => one !== first)) {
    const right = results.filter((one) => one === 'right').length;
    return { kind: right === 0 ? 'wrong' : 'mixed', shape: `${right}/${results.length}`, score };
  }
  const kind = first === 'right' ? 'right' : first === 'unscored' ? 'none' : 'wrong';
  return { kind, shape: SHAPES[first], score };
}
