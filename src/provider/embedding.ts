import type { PreparedCall, ResolvedModel } from './completion.js';
import type { Usage } from './usage.js';

/** The tuple that says which space a vector lives in (VB-1). */
export interface EmbeddingTuple {
  readonly kind: ResolvedModel['kind'];
  readonly endpoint: string;
  readonly model: string;
  readonly dimensions: number;
}

/** Vectors of one request, in the order of its texts. */
export interface EmbeddingResult {
  readonly vectors: readonly Float32Array[];
  readonly reported_model: string | null;
  /** Null where unknown. */
  readonly usage: Usage | null;
}

/** Something that embeds; metered where it is live. */
export interface EmbeddingProvider {
  readonly tuple: EmbeddingTuple;
  /**
   * @param texts at least one, none empty.
   * @throws {ProviderFailure} or a budget refusal.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingResult>;
}

/** One kind of embedding provider. It prepares; it never sends by itself. */
export interface EmbeddingAdapter {
  readonly leaves_process: boolean;
  readonly tuple: EmbeddingTuple;
  prepare(texts: readonly string[]): PreparedCall<EmbeddingResult>;
}
