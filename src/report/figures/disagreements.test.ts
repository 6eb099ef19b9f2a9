import { expect, it } from 'vitest';
import { disagreements } from './disagreements.js';

const scores = (conversation: string, question: string, ...own: (number | null)[]) =>
  own.map((score, repeat) => ({ conversation, question, replicate: 1, repeat: repeat + 1, score, is_failure: false }));

it('RP-5 OB-4 counts the questions that one arm is right about and the other wrong, by the mean of its answers, lost ones left out', () => {
  const head = [
    ...scores('c1', 'q1', 1, 0, null),
    ...scores('c1', 'q2', 0.4),
    ...scores('c1', 'q3', null),
    ...scores('c2', 'q1', 0, 0.9),
  ];
  const base = [
    ...scores('c1', 'q1', 0),
    ...scores('c1', 'q2', 0.5),
    ...scores('c1', 'q3', 0),
    ...scores('c2', 'q1', 1),
    ...scores('c2', 'q9', 1),
  ];
  expect(disagreements(head, base, 0.5)).toEqual({ head: 1, base: 2 });
  expect(disagreements(base, head, 0.5)).toEqual({ head: 2, base: 1 });
});

it('RP-3 FB-18 a replicate that lost a repeat weighs as much as another', () => {
  const head = [...scores('c1', 'q1', 0, 0), ...scores('c1', 'q1', 1, null).map((one) => ({ ...one, replicate: 2 }))];
  expect(disagreements(head, scores('c1', 'q1', 0), 0.5)).toEqual({ head: 1, base: 0 });
});
