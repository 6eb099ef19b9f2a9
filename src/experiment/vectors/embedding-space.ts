import { type Digest, digestJson } from '../../core/digest.js';
import type { LoadedMatrix } from '../../matrix/matrix.js';
import type { EmbeddingTuple } from '../../provider/embedding.js';
import { localEmbeddingVersion } from '../../provider/local/embedding-version.js';
import type { PriceEntry } from '../../provider/prices.js';
import { embeddingTuple } from '../remote-adapters.js';

/** What makes two vectors comparable, and replayable (VB-1). */
export interface EmbeddingSpace {
  readonly embedding: EmbeddingTuple;
  /** Versions of an embedder inside the process; null where an endpoint embeds. */
  readonly implementation: string | null;
  readonly pricing: Digest;
}

/** The space of a matrix's vectors, known before any provider is built; null where nothing is prepared. */
export function embeddingSpace(loaded: LoadedMatrix): EmbeddingSpace | null {
  const embedding = embeddingTuple(loaded);
  if (embedding === null) return null;
  return {
    embedding,
    implementation: embedding.kind === 'local' ? localEmbeddingVersion() : null,
    pricing: digestJson(embeddingPrice(loaded.matrix)),
  };
}

/** The price of the embedding model; null where it has none, or there is no model. */
export function embeddingPrice(matrix: LoadedMatrix['matrix']): PriceEntry | null {
  const { query_preparation: preparation } = matrix;
  if (preparation === null || preparation === 'off') return null;
  return matrix.prices[preparation.embedding.model] ?? null;
}
