import { ProviderFailure } from './completion.js';
import type { EmbeddingResult, EmbeddingTuple } from './embedding.js';

/** What is wrong with the vectors of an answer, in words; null where each text has one of the stated length, finite, and not zero (SQ-10). */
export function vectorsProblem(vectors: readonly Float32Array[], count: number, dimensions: number): string | null {
  if (vectors.length !== count) return `${vectors.length} vectors for ${count} texts`;
  for (const vector of vectors) {
    if (vector.length !== dimensions)
      return `a vector of ${vector.length} numbers, where \`dimensions\` says ${dimensions}`;
    if (!vector.every(Number.isFinite)) return 'a vector with a number out of range';
    // It has no direction: no cosine can be taken of it.
    if (vector.every((value) => value === 0)) return 'a vector of zeros';
  }
  return null;
}

/**
 * An answer whose vectors cannot be used fails: what it says of its usage is believed no more than they are.
 *
 * @throws {ProviderFailure} `malformed-response`, its billing unknown (SQ-10).
 */
export function assertSound({ vectors }: EmbeddingResult, count: number, { dimensions }: EmbeddingTuple): void {
  const problem = vectorsProblem(vectors, count, dimensions);
  if (problem !== null) throw new ProviderFailure('malformed-response', problem, { billing: 'unknown' });
}
