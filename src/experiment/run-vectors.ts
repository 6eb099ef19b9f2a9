import { type Digest, digestText } from '../core/digest.js';
import { internalFault } from '../core/errors.js';
import type { ItemVectors } from '../memory/memory.js';
import type { EmbeddingProvider } from '../provider/embedding.js';
import { addUsage, NO_USAGE, type Usage } from '../provider/usage.js';

/** As many as the local embedder has threads. */
const AHEAD_AT_ONCE = 2;

interface Known {
  readonly vector: Float32Array;
  /** Null where the provider gave none. */
  readonly usage: Usage | null;
}

/**
 * The vectors of one run: each text is embedded once, one text a call (RT-2), and handed to every arm that needs it, so that no arm
 * differs by another vector of the same text. Actual cost arises once; every arm is told what its texts would have cost alone.
 */
export class RunVectors {
  readonly #known = new Map<Digest, Promise<Known>>();

  constructor(private readonly provider: EmbeddingProvider) {}

  /**
   * Begins to embed what cells will ask for, few texts at a time, so that vectors come while the cells form and no question waits for
   * long. A head start alone: it changes no vector and no cost, and is left out where calls would be sent.
   */
  expect(texts: readonly string[], signal: AbortSignal): void {
    if (this.provider.tuple.endpoint !== 'in-process') return;
    const waiting = [...texts];
    const embedNext = async (): Promise<void> => {
      for (let text = waiting.shift(); text !== undefined && !signal.aborted; text = waiting.shift()) {
        // A failure is no cell's yet: the cell that asks for the text meets it.
        if ((await Promise.allSettled([this.vectorOf(text, signal)]))[0].status === 'rejected') return;
      }
    };
    for (let lane = 0; lane < AHEAD_AT_ONCE; lane += 1) embedNext();
  }

  /** The view of one cell, which counts what the cell needed. */
  forCell(): CellVectors {
    return new CellVectors(this);
  }

  vectorOf(text: string, signal: AbortSignal): Promise<Known> {
    const key = digestText(text);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const embedding = this.#embed(text, signal);
    this.#known.set(key, embedding);
    // A failure is not kept: another arm may ask again.
    embedding.catch(() => this.#known.delete(key));
    return embedding;
  }

  async #embed(text: string, signal: AbortSignal): Promise<Known> {
    const { vectors, usage } = await this.provider.embed([text], signal);
    const vector = vectors[0];
    if (vector === undefined) throw internalFault('VECTOR_MISSING', 'an embedding of one text gave no vector');
    return { vector, usage };
  }
}

/** Vectors for one cell. */
export class CellVectors implements ItemVectors {
  #usage: Usage | null = NO_USAGE;

  constructor(private readonly run: RunVectors) {}

  /** What the cell's texts take to embed; null where a part is unknown. */
  get usage(): Usage | null {
    return this.#usage;
  }

  async vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const known = await Promise.all(texts.map((text) => this.run.vectorOf(text, signal)));
    for (const { usage } of known) {
      this.#usage = this.#usage === null || usage === null ? null : addUsage(this.#usage, usage);
    }
    return known.map(({ vector }) => vector);
  }
}
