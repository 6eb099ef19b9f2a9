import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnGroups, MOST_COLUMNS } from './column-groups.js';

it('RP-5 a wide table is divided into parts that fit a page: every column once, in order, in parts of nearly one size', () => {
  expect(columnGroups(0)).toEqual([[]]);
  expect(columnGroups(MOST_COLUMNS)).toHaveLength(1);
  expect(columnGroups(MOST_COLUMNS + 1).map((group) => group.length)).toEqual([5, 4]);
  fc.assert(
    fc.property(fc.nat(200), (columns) => {
      const groups = columnGroups(columns);
      const sizes = groups.map((group) => group.length);
      expect(groups.flat()).toEqual(Array.from({ length: columns }, (_, place) => place));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_COLUMNS);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});
