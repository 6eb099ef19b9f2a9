import { describe, expect, it } from 'vitest';
import { fuse, quantised } from './ranking.js';
import { VectorIndex } from './vector-index.js';

describe('RT-1 reciprocal rank fusion', () => {
  it('RT-1 gives the scores of a worked example with k = 60', () => {
    // 7: 1/61 + 1/62; 3: 1/62 + 1/63; 9: 1/61; 1: 1/63.
    expect(
      fuse(
        [
          [7, 3, 1],
          [9, 7, 3],
        ],
        10,
      ),
    ).toEqual([
      { position: 7, score: 0.032522 },
      { position: 3, score: 0.032002 },
      { position: 9, score: 0.016393 },
      { position: 1, score: 0.015873 },
    ]);
  });

  it('RT-2 R-46 equal sums stand in order of store position, and the limit cuts after that', () => {
    const tied = fuse([[5, 2], [2, 5], [8]], 2);
    expect(tied.map((scored) => scored.position)).toEqual([2, 5]);
    expect(fuse([[5], [4], [6]], 2).map((scored) => scored.position)).toEqual([4, 5]);
  });

  it('RT-2 scores are quantised to 1e-6, and zero has no sign', () => {
    expect(quantised(0.12345649)).toBe(0.123456);
    expect(quantised(0.1234566)).toBe(0.123457);
    expect(Object.is(quantised(-1e-9), 0)).toBe(true);
  });
});

describe('RT-2 exact vector search', () => {
  const index = new VectorIndex();
  index.put(1, 1, Float32Array.of(1, 0));
  index.put(2, 1, Float32Array.of(3, 4));
  index.put(3, 1, Float32Array.of(0, 2));
  index.put(4, 1, Float32Array.of(6, 8));
  index.put(5, 1, Float32Array.of(0, 0));

  it('RT-2 ranks by cosine, ties by store position, a zero vector at 0', () => {
    expect(index.nearest(Float32Array.of(2, 0), [5, 4, 3, 2, 1], 10)).toEqual([
      { position: 1, score: 1 },
      { position: 2, score: 0.6 },
      { position: 4, score: 0.6 },
      { position: 3, score: 0 },
      { position: 5, score: 0 },
    ]);
  });

  it('RT-3 scores only what it is allowed, up to the limit', () => {
    expect(index.nearest(Float32Array.of(2, 0), [2, 3, 4], 1)).toEqual([{ position: 2, score: 0.6 }]);
  });

  it('RT-2 refuses vectors of another length or without finite values', () => {
    const fault = (code: string) => expect.objectContaining({ kind: 'internal', code });
    expect(() => index.nearest(Float32Array.of(1, 2, 3), [1], 1)).toThrow(fault('VECTOR_DIMENSIONS_DIFFER'));
    expect(() => index.put(9, 1, Float32Array.of(Number.NaN, 1))).toThrow(fault('VECTOR_INVALID'));
    expect(() => index.nearest(Float32Array.of(1, 0), [77], 1)).toThrow(fault('VECTOR_MISSING'));
    expect(index.holds(1, 1)).toBe(true);
    expect(index.holds(1, 2)).toBe(false);
  });
});
