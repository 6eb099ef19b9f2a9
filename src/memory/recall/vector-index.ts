import { internalFault } from '../../core/errors.js';
import type { Scored } from './ranking.js';
import { quantised } from './ranking.js';

interface Entry {
  readonly version: number;
  readonly vector: Float32Array;
  readonly norm: number;
}

/** Vectors in process, by store position. It ranks only positions that the database has just allowed. */
export class VectorIndex {
  readonly #entries = new Map<number, Entry>();

  /** Whether the vector of this version of an item is held. */
  holds(position: number, version: number): boolean {
    return this.#entries.get(position)?.version === version;
  }

  /** @throws internal fault `VECTOR_INVALID` for a vector with a value that is no finite number. */
  put(position: number, version: number, vector: Float32Array): void {
    this.#entries.set(position, { version, vector, norm: checkedNorm(vector) });
  }

  /**
   * Exact cosine over the allowed positions, best first: quantised to 1e-6, ties by store position (RT-2). Sums run in the order of
   * the dimensions in double precision, so that they have the same bits on every machine. A zero vector scores 0.
   */
  nearest(query: Float32Array, allowed: readonly number[], limit: number): Scored[] {
    const norm = checkedNorm(query);
    const scored = allowed.map((position) => {
      const entry = this.#entries.get(position);
      if (entry === undefined) throw internalFault('VECTOR_MISSING', `no vector for the item at position ${position}`);
      return { position, score: quantised(cosine(query, norm, entry)) };
    });
    return scored.sort((a, b) => b.score - a.score || a.position - b.position).slice(0, limit);
  }
}

function cosine(query: Float32Array, norm: number, entry: Entry): number {
  const { vector } = entry;
  if (vector.length !== query.length) {
    throw internalFault(
      'VECTOR_DIMENSIONS_DIFFER',
      `a query of ${query.length} dimensions, an item of ${vector.length}`,
    );
  }
  if (norm === 0 || entry.norm === 0) return 0;
  let dot = 0;
  for (let index = 0; index < vector.length; index += 1) dot += (vector[index] as number) * (query[index] as number);
  return dot / (norm * entry.norm);
}

function checkedNorm(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!Number.isFinite(sum)) throw internalFault('VECTOR_INVALID', 'a vector holds a value that is no finite number');
  return Math.sqrt(sum);
}
