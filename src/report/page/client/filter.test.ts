import { describe, expect, it } from 'vitest';
import { type Filters, NO_FILTERS } from '../questions/address.js';
import type { QuestionIndex } from '../questions/page-data.js';
import { armMark } from './arm-mark.js';
import { findQuestions, resultOf, rowsByQuestion } from './filter.js';

/** Three questions of two fixtures under two arms. */
const INDEX: QuestionIndex = {
  arms: [
    { name: 'bm25', reference: false },
    { name: 'none', reference: false },
  ],
  fixtures: ['a', 'b'],
  missing: [null, null],
  categories: ['temporal', 'multi-hop'],
  causes: ['not-retrieved', 'misread'],
  scorer: 'token-f1',
  right_from: 0.5,
  questions: {
    fixture: [0, 0, 1],
    id: ['a/q1', 'a/q2', 'b/q1'],
    category: [0, 1, 0],
    answerable: [1, 1, 0],
    in_sample: [0, 1, 0],
    text: ['When was the FAIR?', 'Who came?', null],
    expected: ['in May', 'Ilse', null],
    block: [0, 0, 1],
  },
  rows: {
    question: [0, 0, 1, 1, 2, 2],
    arm: [0, 1, 0, 1, 0, 1],
    replicate: [1, 1, 1, 1, 1, 1],
    state: [0, 1, 0, 2, 1, 3],
    cause: [-1, 0, 1, -1, -1, -1],
    score: [1, 0, 0.4, 0, 1, null],
    answer: ['In May', '', 'Marta', null, '', null],
  },
};
const BY = rowsByQuestion(INDEX);
const find = (filters: Partial<Filters>) => findQuestions(INDEX, BY, { ...NO_FILTERS, ...filters });

describe('RP-5 filters of the questions', () => {
  it('RP-5 without any, every question and answer is found, in load order', () => {
    expect(find({})).toEqual({ questions: [0, 1, 2], answers: 6 });
  });

  it.each<[Partial<Filters>, number[], number]>([
    [{ arm: 'none' }, [0, 1, 2], 3],
    [{ fixture: 'b' }, [2], 2],
    [{ category: 'temporal' }, [0, 2], 4],
    [{ result: 'right' }, [0, 2], 2],
    [{ result: 'wrong' }, [0, 1], 2],
    [{ result: 'unscored' }, [1, 2], 2],
    [{ state: 'abstained' }, [0, 2], 2],
    [{ state: 'failed' }, [1], 1],
    [{ state: 'lost' }, [2], 1],
    [{ cause: 'misread' }, [1], 1],
    [{ text: ' fair ' }, [0], 2],
    [{ text: 'ILSE' }, [1], 2],
    [{ text: 'b/q1' }, [2], 2],
    [{ text: 'nowhere' }, [], 0],
    [{ sample: 'in' }, [1], 2],
    [{ sample: 'out' }, [0, 2], 4],
    [{ right: 'bm25', wrong: 'none' }, [0], 2],
    [{ right: 'none', wrong: 'bm25' }, [], 0],
    [{ wrong: 'none' }, [0, 1], 4],
    [{ wrong: 'bm25', right: 'nobody' }, [], 0],
    [{ right: 'bm25', arm: 'none', state: 'abstained' }, [0], 1],
    [{ arm: 'an arm that is not there' }, [], 0],
  ])('RP-5 %j', (filters, questions, answers) => {
    expect(find(filters)).toEqual({ questions, answers });
  });

  it('RP-5 what is said of an answer holds of the same one', () => {
    // bm25 was right, none was wrong: no one answer of the first question is both.
    expect(find({ arm: 'bm25', result: 'wrong' }).questions).toEqual([1]);
    expect(find({ arm: 'bm25', cause: 'not-retrieved' })).toEqual({ questions: [], answers: 0 });
  });

  it('RP-5 a text in an answer is found in the answers that the filters choose', () => {
    expect(find({ text: 'marta' })).toEqual({ questions: [1], answers: 1 });
    expect(find({ text: 'marta', arm: 'none' }).questions).toEqual([]);
  });

  it('RP-5 worst first, load order between equals, what has no score last', () => {
    expect(find({ sort: 'worst' }).questions).toEqual([1, 0, 2]);
    expect(find({ sort: 'worst', arm: 'bm25' }).questions).toEqual([1, 0, 2]);
    expect(find({ sort: 'worst', arm: 'none' }).questions).toEqual([0, 1, 2]);
  });

  it('LE-6 in a run without lessons no question is in-sample, nor out of one', () => {
    const without = { ...INDEX, questions: { ...INDEX.questions, in_sample: null } };
    expect(findQuestions(without, BY, { ...NO_FILTERS, sample: 'out' }).questions).toEqual([]);
  });

  it('RP-5 OB-4 of several answers of an arm their mean is right or wrong, own failures as 0, lost ones in none', () => {
    const rows = {
      question: [0, 0, 0, 0, 1, 1, 2, 2],
      arm: [0, 0, 0, 1, 0, 0, 0, 0],
      replicate: [1, 1, 1, 1, 1, 1, 1, 1],
      state: [0, 0, 3, 0, 0, 2, 0, 0],
      cause: [-1, -1, -1, -1, -1, -1, -1, -1],
      score: [1, 0.2, null, 0, 0.8, 0, 0.4, 0.6],
      answer: ['', '', null, '', '', null, '', ''],
    };
    const index = { ...INDEX, rows };
    const under = (filters: Partial<Filters>) =>
      findQuestions(index, rowsByQuestion(index), { ...NO_FILTERS, ...filters }).questions;
    expect(under({ right: 'bm25' })).toEqual([0, 2]);
    expect(under({ wrong: 'bm25' })).toEqual([1]);
    expect(under({ right: 'bm25', wrong: 'none' })).toEqual([0]);
    const mark = (question: number) =>
      armMark(
        index,
        (rowsByQuestion(index)[question] ?? []).filter((row) => rows.arm[row] === 0),
      );
    expect([0, 1, 2].map(mark)).toEqual([
      { kind: 'mixed', shape: '1/3', score: 0.6 },
      { kind: 'mixed', shape: '1/2', score: 0.4 },
      { kind: 'mixed', shape: '1/2', score: 0.5 },
    ]);
  });

  it('RP-3 FB-18 a bank that lost an answer weighs as much as another', () => {
    const rows = {
      question: [0, 0, 0, 0],
      arm: [0, 0, 0, 0],
      replicate: [1, 1, 2, 2],
      state: [0, 0, 0, 3],
      cause: [-1, -1, -1, -1],
      score: [0, 0, 1, null],
      answer: ['', '', '', null],
    };
    const index = { ...INDEX, rows };
    expect(armMark(index, [0, 1, 2, 3])).toEqual({ kind: 'mixed', shape: '1/4', score: 0.5 });
    expect(findQuestions(index, rowsByQuestion(index), { ...NO_FILTERS, right: 'bm25' }).questions).toEqual([0]);
  });

  it('RP-5 answers that are alike have one mark, and none that is right is no mix', () => {
    const mark = (state: number[], score: (number | null)[]) => {
      const rows = { ...INDEX.rows, state, score };
      const { shape, kind } = armMark({ ...INDEX, rows }, [...state.keys()]);
      return `${shape} ${kind}`;
    };
    expect(mark([0, 1], [1, 0.5])).toBe('✓ right');
    expect(mark([0, 0], [0, 0.49])).toBe('✗ wrong');
    expect(mark([2, 2], [0, 0])).toBe('! wrong');
    expect(mark([3, 3], [null, null])).toBe('? none');
    expect(mark([0, 2, 3], [0, 0, null])).toBe('0/3 wrong');
    expect(mark([0, 3], [1, null])).toBe('1/2 mixed');
  });

  it('OB-6 a score on the bound is no miss', () => {
    const rows = { ...INDEX.rows, state: [0, 0, 3], score: [0.5, 0.49, null] };
    expect([0, 1, 2].map((row) => resultOf({ ...INDEX, rows }, row))).toEqual(['right', 'wrong', 'unscored']);
  });
});
