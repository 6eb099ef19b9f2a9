import { expect, it } from 'vitest';
import { embeddingBatches, ONE_TEXT } from './embedding-batches.js';

it('RT-2 texts go into batches in their order, within both bounds; a text above the bytes goes alone', () => {
  const texts = ['aa', 'bb', 'éé', 'c', 'd'.repeat(9), 'e'];
  expect(embeddingBatches(texts, { max_texts: 2, max_bytes: 5 })).toEqual([
    ['aa', 'bb'],
    ['éé', 'c'],
    ['d'.repeat(9)],
    ['e'],
  ]);
  expect(embeddingBatches(texts, ONE_TEXT)).toEqual(texts.map((text) => [text]));
  expect(embeddingBatches([], ONE_TEXT)).toEqual([]);
});
