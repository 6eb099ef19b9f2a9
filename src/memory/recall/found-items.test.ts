import { expect, it } from 'vitest';
import type { RecalledItem } from '../memory.js';
import { mergeFound } from './found-items.js';

const item = (id: string, rank: number, text = id): RecalledItem => ({
  id,
  rank,
  score: null,
  sources: [id],
  text,
  at: '2024-01-01T09:00:00',
  who: 'Mia',
  unit: 'turns',
  position: 1,
});

it('RT-8 what several searches found stands once, where it was found first, ranked anew, and as it was found last', () => {
  const first = mergeFound([], [item('a', 1), item('b', 2)]);
  const found = mergeFound(first, [item('c', 1), item('b', 2, 'corrected'), item('d', 3)]);
  expect(found.map(({ id, rank, text }) => [id, rank, text])).toEqual([
    ['a', 1, 'a'],
    ['b', 2, 'corrected'],
    ['c', 3, 'c'],
    ['d', 4, 'd'],
  ]);
});
