import type { PendingVectors } from '../../bank/pending-vectors.js';
import { type BatchBounds, type BatchedEmbeddingProvider, embeddingBatches } from '../../provider/embedding-batches.js';
import { EMBEDDINGS_BATCH } from '../../provider/openai/embeddings.js';
import { LiveItems } from './item-vectors.js';

/** How much is embedded between two moves of the cursor: one request of a remote provider; of the local one, as many texts one by one. */
export const INDEX_BATCH: BatchBounds = EMBEDDINGS_BATCH;

/** The job that embeds the items of a vector bank. */
export interface IndexJob {
  readonly provider: BatchedEmbeddingProvider;
  /** All of the bank's texts, each once. */
  readonly texts: readonly string[];
  readonly pending: PendingVectors;
  readonly signal: AbortSignal;
  /** Told of each request that came back, with the number of its texts. */
  readonly onEmbedded: (count: number) => void;
}

/**
 * Embeds the texts from the cursor on, one batch at a time (SQ-9). The vectors of a batch are durable before the cursor moves and the next one
 * is sent: whatever stops the job (a budget, the user, a crash), what was paid is kept, but for the batch under way, which is asked for again.
 *
 * @throws what the provider throws.
 */
export async function runIndexJob({ provider, texts, pending, signal, onEmbedded }: IndexJob): Promise<void> {
  for (const batch of embeddingBatches(texts.slice(pending.cursor), INDEX_BATCH)) {
    const live = new LiveItems(provider);
    const { vectors, usage } = await live.vectorsOf(batch, signal, onEmbedded);
    await pending.keepBatch({ vectors, usage, reported_models: live.reportedModels });
  }
}
