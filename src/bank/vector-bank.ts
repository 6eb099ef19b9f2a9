import type { Digest } from '../core/digest.js';
import type { RecallUnit } from '../memory/memory.js';
import type { EmbeddingTuple } from '../provider/embedding.js';
import type { Usage } from '../provider/usage.js';

/** The most bytes of a vector bank's file (VB-2). */
export const VECTOR_BANK_LIMIT_BYTES = 268_435_456;

/** What a vector bank binds (VB-1). Two matrices share one only where every part is equal. */
export interface VectorBankIdentity {
  readonly unit: RecallUnit;
  /** Of the belief state whose beliefs, or of the corpus whose turns, were embedded. */
  readonly source: Digest;
  readonly embedding: EmbeddingTuple;
  /** The versions of an embedder inside the process, since another version gives other vectors; null where an endpoint embeds. */
  readonly implementation: string | null;
  /** Of the model's price. */
  readonly pricing: Digest;
  /** Over the digests of the texts, in order. */
  readonly texts: Digest;
}

/** A question's pinned vector is found by the text that was embedded; what it took is told beside it (VB-3). */
export interface PinnedQueryHeader {
  /** Digest of the canonical text (SQ-7). */
  readonly text: Digest;
  /** Null where the provider gave none. */
  readonly usage: Usage | null;
}

/** A vector bank's first line: its exact canonical JSON and a line feed. Values follow, of `items`, then of `queries`. */
export interface VectorBankHeader {
  readonly format: 'vector-bank@1';
  readonly identity: VectorBankIdentity;
  /** Digests of the texts, each once, in store order. */
  readonly items: readonly Digest[];
  /** Of all items; null where the provider gave none for one of them. */
  readonly usage: Usage | null;
  readonly reported_models: readonly string[];
  readonly queries: readonly PinnedQueryHeader[];
  /** Over the bytes of the values. */
  readonly values: Digest;
  /** Over everything else in the header, and so over the whole file. */
  readonly digest: Digest;
}

/** A question's vector as it was prepared once. */
export interface PinnedQuery {
  readonly vector: Float32Array;
  readonly usage: Usage | null;
}

/** A vector bank with its values. */
export interface VectorBank {
  readonly header: VectorBankHeader;
  /** By the digest of the text. */
  readonly items: ReadonlyMap<Digest, Float32Array>;
  readonly queries: ReadonlyMap<Digest, PinnedQuery>;
}

/** A vector bank in a folder; its values are read when they are needed. */
export interface VectorBankFile {
  readonly path: string;
  readonly bytes: number;
  readonly header: VectorBankHeader;
}

/** A recording of vectors: of what, and where its bank is to lie. */
export interface VectorRecording {
  readonly folder: string;
  readonly fixture: string;
  readonly identity: VectorBankIdentity;
}

/** What a folder holds for an identity. `nearest` are banks of the same fixture and unit, with the identity fields that differ. */
export interface VectorBankLookup {
  readonly found: VectorBankFile | null;
  readonly nearest: readonly { readonly file: VectorBankFile; readonly differs: readonly string[] }[];
}
