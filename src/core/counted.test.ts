import { expect, it } from 'vitest';
import { counted } from './counted.js';

it.each([
  [0, ['fixture'], '0 fixtures'],
  [1, ['fixture'], '1 fixture'],
  [2, ['fixture'], '2 fixtures'],
  [1, ['batch', 'batches'], '1 batch'],
  [2, ['batch', 'batches'], '2 batches'],
] as const)('CL-1 %i of %j is %j', (count, [noun, plural], shown) => {
  expect(counted(count, noun, plural)).toBe(shown);
});
