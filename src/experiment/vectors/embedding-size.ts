import { embeddingBatches } from '../../provider/embedding-batches.js';
import { EMBEDDINGS_BATCH } from '../../provider/openai/embeddings.js';

/** How much there is to embed: what a plan keeps of texts. */
export interface EmbeddingSize {
  readonly texts: number;
  /** UTF-8 bytes of each request's texts, as a remote provider takes them together. */
  readonly request_bytes: readonly number[];
}

/** The size of texts as they would be sent. */
export function embeddingSize(texts: readonly string[]): EmbeddingSize {
  return {
    texts: texts.length,
    request_bytes: embeddingBatches(texts, EMBEDDINGS_BATCH).map((batch) =>
      batch.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0),
    ),
  };
}
