import pLimit from 'p-limit';
import type { VectorBank } from '../../bank/vector-bank.js';
import { counted } from '../../core/counted.js';
import { type Digest, digestText } from '../../core/digest.js';
import { bankRefused, internalFault } from '../../core/errors.js';
import type { ItemVectors } from '../../memory/memory.js';
import type { EmbeddingResult } from '../../provider/embedding.js';
import { type BatchedEmbeddingProvider, embeddingBatches } from '../../provider/embedding-batches.js';
import { addUsage, NO_USAGE, type Usage } from '../../provider/usage.js';

/** As many as the local embedder has threads. */
const REQUESTS_AT_ONCE = 2;

/** Vectors with what they take to embed; null where a part is unknown. */
interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly usage: Usage | null;
}

/** Where the item vectors of one fixture and unit come from. */
export interface ItemSource {
  /** Null where they are embedded for this run alone. */
  readonly bank: VectorBank | null;
  vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

/** One request's texts, by their digests, and what came of it. */
interface Batch {
  readonly keys: readonly Digest[];
  readonly embedding: Promise<EmbeddingResult>;
}

/**
 * Embeds each text once, in batches as the provider takes them (RT-2: the local one takes one text a call), and hands it to every arm of a
 * fixture that needs it, so that no arm differs by another vector of the same text. Actual cost arises once.
 */
export class LiveItems implements ItemSource {
  readonly bank = null;
  readonly #known = new Map<Digest, Batch>();
  readonly #reported = new Set<string>();
  readonly #limit = pLimit(REQUESTS_AT_ONCE);

  constructor(private readonly provider: BatchedEmbeddingProvider) {}

  /** Names that the provider reported, in the order of their first use. */
  get reportedModels(): readonly string[] {
    return [...this.#reported];
  }

  /** @param onEmbedded told of each request that came back, with the number of its texts. */
  async vectorsOf(
    texts: readonly string[],
    signal: AbortSignal,
    onEmbedded?: (count: number) => void,
  ): Promise<Embedded> {
    const wanted = new Map(texts.map((text) => [digestText(text), text]));
    this.#begin(
      [...wanted].flatMap(([key, text]) => (this.#known.has(key) ? [] : [text])),
      signal,
      onEmbedded,
    );
    const batches = new Set([...wanted.keys()].map((key) => this.#known.get(key) as Batch));
    // All are waited for, also where one fails, so that nothing goes on behind the caller's back.
    await Promise.allSettled([...batches].map(({ embedding }) => embedding));
    const vectors = new Map<Digest, Float32Array>();
    let usage: Usage | null = NO_USAGE;
    for (const { keys, embedding } of batches) {
      const result = await embedding;
      for (const [place, key] of keys.entries()) vectors.set(key, result.vectors[place] as Float32Array);
      // What a part of a request took is not known.
      usage = addKnown(usage, keys.every((key) => wanted.has(key)) ? result.usage : null);
    }
    return { vectors: texts.map((text) => vectors.get(digestText(text)) as Float32Array), usage };
  }

  #begin(texts: readonly string[], signal: AbortSignal, onEmbedded?: (count: number) => void): void {
    let failure: { readonly error: unknown } | null = null;
    for (const batch of embeddingBatches(texts, this.provider.batch)) {
      const embedding = this.#limit(async () => {
        // What waits behind a failure is not sent any more.
        if (failure !== null) throw failure.error;
        try {
          const result = await this.#embed(batch, signal);
          onEmbedded?.(batch.length);
          return result;
        } catch (error) {
          failure ??= { error };
          throw error;
        }
      });
      const keys = batch.map(digestText);
      for (const key of keys) this.#known.set(key, { keys, embedding });
      // A failure is not kept: another arm may ask again.
      embedding.catch(() => {
        for (const key of keys) this.#known.delete(key);
      });
    }
  }

  async #embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingResult> {
    const result = await this.provider.embed(texts, signal);
    if (result.vectors.length !== texts.length) {
      const found = `${counted(result.vectors.length, 'vector')} of ${counted(texts.length, 'text')}`;
      throw internalFault('VECTOR_MISSING', `an embedding gave ${found}`);
    }
    if (result.reported_model !== null) this.#reported.add(result.reported_model);
    return result;
  }
}

/** Vectors of a bank alone (VB-1): nothing is embedded, and a text that is not in it is refused. */
export class BankItems implements ItemSource {
  constructor(readonly bank: VectorBank) {}

  async vectorsOf(texts: readonly string[]): Promise<Embedded> {
    const { header, items } = this.bank;
    const vectors = texts.map((text) => {
      const vector = items.get(digestText(text));
      if (vector !== undefined) return vector;
      throw bankRefused('VECTOR_BANK_MISS', `vector bank ${header.digest} has no vector of ${digestText(text)}`, {
        remedy:
          'the store holds a text that the bank was not recorded from: move the vector bank away and record it anew',
        details: { vector_bank: header.digest, text: digestText(text) },
      });
    });
    return { vectors, usage: header.usage };
  }
}

/** Vectors for one cell, which tells what the cell needed. */
export class CellVectors implements ItemVectors {
  #live: Usage | null = NO_USAGE;
  #bank: VectorBank | null = null;

  constructor(private readonly source: Promise<ItemSource>) {
    // It may fail while the cell is still being formed: the failure is met where the vectors are asked for, and is none before.
    source.catch(() => {});
  }

  /** What the cell's texts take to embed: of a bank, all of it, however often the cell asks; null where a part is unknown. */
  get usage(): Usage | null {
    return this.#bank === null ? this.#live : this.#bank.header.usage;
  }

  /** The digest of the bank that the vectors come from (OB-1); null where they are embedded for this run alone. */
  async bank(): Promise<Digest | null> {
    return (await this.source).bank?.header.digest ?? null;
  }

  async vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const source = await this.source;
    const { vectors, usage } = await source.vectorsOf(texts, signal);
    this.#bank = source.bank;
    this.#live = addKnown(this.#live, usage);
    return vectors;
  }
}

function addKnown(sum: Usage | null, usage: Usage | null): Usage | null {
  return sum === null || usage === null ? null : addUsage(sum, usage);
}
