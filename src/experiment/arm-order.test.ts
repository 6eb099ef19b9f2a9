import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { taskOrder } from './arm-order.js';

const load = Array.from({ length: 24 }, (_, index) => ({ question: `q${index + 1}`, repeat: 1 }));
const arms = ['none', 'bm25', 'semantic', 'hybrid'];

it('MX-9 questions go in load order, and each meets every arm once before the next question', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seed, fixture) => {
      const order = taskOrder(seed, fixture, load, arms);
      for (const [position, { question }] of load.entries()) {
        const asked = order.slice(position * arms.length, (position + 1) * arms.length);
        expect(asked.map((task) => task.arm).sort()).toEqual([...arms].sort());
        expect(asked.every((task) => task.question === question && task.position === position)).toBe(true);
      }
      expect(order).toHaveLength(load.length * arms.length);
    }),
    { seed: 20260103, numRuns: 25 },
  );
});

it('MX-9 the order of arms is of its own for each question, of the seed and of the fixture, and nothing else', () => {
  const armsOf = (seed: string, fixture: string): string[] =>
    taskOrder(seed, fixture, load, arms).map(({ arm }) => arm);
  expect(armsOf('a', 'harbour')).toEqual(armsOf('a', 'harbour'));
  expect(armsOf('b', 'harbour')).not.toEqual(armsOf('a', 'harbour'));
  expect(armsOf('a', 'allotment')).not.toEqual(armsOf('a', 'harbour'));
  const firsts = new Set(load.map((_, position) => armsOf('a', 'harbour')[position * arms.length]));
  expect(firsts).toEqual(new Set(arms));
});

it('MX-9 repeats are tasks of their own', () => {
  const order = taskOrder(
    'a',
    'f',
    [1, 2].map((repeat) => ({ question: 'q1', repeat })),
    ['bm25'],
  );
  expect(order.map(({ position, repeat }) => [position, repeat])).toEqual([
    [0, 1],
    [1, 2],
  ]);
});
