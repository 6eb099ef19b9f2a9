import { expect, it } from 'vitest';
import type { ArmSettings } from '../../matrix/matrix.js';
import { lessonPairs } from './lesson-pairs.js';
import type { SummaryRow } from './summary-row.js';

const arm = (name: string, changes: object = {}): ArmSettings =>
  ({ name, reference: false, retrieval: { strategy: 'bm25', limit: 10 }, ...changes }) as unknown as ArmSettings;
const INJECT = { context: { lessons: 'inject', lesson_tokens: 200 } };
const row = (question: string, score: number | null, lessons = 1, repeat = 1): SummaryRow =>
  ({
    fixture: 'mill',
    question,
    repeat,
    replicate: 1,
    lessons: { length: lessons },
    applicable: ['token-f1'],
    scores: { 'token-f1': score },
    outcome: { kind: score === null ? 'skipped' : 'answered', cause: null },
  }) as unknown as SummaryRow;
const sample = { has: ({ question }: Pick<SummaryRow, 'question'>) => question === 'q1' };
const none = { n: 0, better: 0, worse: 0, equal: 0 };

it('LE-6 rows with a lesson are paired with those of the arm that is the same but for lessons, in-sample questions apart', () => {
  const rows = new Map([
    ['plain', [row('q1', 0, 0), row('q1', 0.5, 0, 2), row('q2', 1, 0), row('q3', 0.5, 0), row('q4', 0, 0)]],
    ['taught', [row('q1', 1), row('q1', 0.5, 1, 2), row('q2', 0.25), row('q3', 0.5), row('q4', 1, 0)]],
  ]);
  const pairs = lessonPairs([arm('plain'), arm('taught', INJECT)], (name) => rows.get(name) ?? [], sample, 'token-f1');
  expect(pairs).toEqual([
    {
      arm: 'taught',
      twin: 'plain',
      scorer: 'token-f1',
      in_sample: { n: 2, better: 1, worse: 0, equal: 1 },
      // The last question had no lesson in its context: its difference is none of theirs.
      out_of_sample: { n: 2, better: 0, worse: 1, equal: 1 },
    },
  ]);
});

it('LE-6 a row that either arm lacks, or that has no score, is no pair; an arm without a twin has none', () => {
  const rows = new Map([
    ['plain', [row('q1', null, 0), row('q2', 1, 0)]],
    ['taught', [row('q1', 1), row('q2', null), row('q3', 1)]],
  ]);
  const of = (...arms: ArmSettings[]) => lessonPairs(arms, (name) => rows.get(name) ?? [], sample, 'token-f1');
  expect(of(arm('plain'), arm('taught', INJECT))).toMatchObject([{ in_sample: none, out_of_sample: none }]);
  const other = { retrieval: { strategy: 'bm25', limit: 20 } };
  expect(of(arm('plain', other), arm('taught', INJECT))).toEqual([]);
  expect(of(arm('taught', INJECT), arm('more', { context: { lessons: 'inject', lesson_tokens: 400 } }))).toEqual([]);
});
