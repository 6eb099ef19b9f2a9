import type { EmbeddingProvider } from './embedding.js';

/** How much one request may hold. */
export interface BatchBounds {
  readonly max_texts: number;
  /** UTF-8 bytes of the texts together; one text alone may have more. */
  readonly max_bytes: number;
}

/** One text a call, as the local embedder takes them (RT-2). */
export const ONE_TEXT: BatchBounds = { max_texts: 1, max_bytes: Number.MAX_SAFE_INTEGER };

/** An embedding provider that says how many texts it takes at once. */
export interface BatchedEmbeddingProvider extends EmbeddingProvider {
  readonly batch: BatchBounds;
}

/** Splits texts, in their order, into batches within the bounds: as full as they can be, filled from the front. */
export function embeddingBatches(texts: readonly string[], { max_texts, max_bytes }: BatchBounds): string[][] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const own = Buffer.byteLength(text);
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= max_texts || bytes + own > max_bytes) {
      batches.push([text]);
      bytes = own;
    } else {
      batch.push(text);
      bytes += own;
    }
  }
  return batches;
}
