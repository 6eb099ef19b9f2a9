import type { Clock } from '../../core/clock.js';
import type { Digest } from '../../core/digest.js';
import type { LookupMiss } from './query-preparation.js';

/** The cache's bounds (SQ-5). */
export const VECTOR_CACHE_LIMITS = { vectors: 128, lifetime_ms: 300_000, remembered_misses: 1024 } as const;

interface Held {
  readonly vector: Float32Array;
  readonly expires_ms: number;
}

/** At most 128 vectors for five minutes each, the least recently used out first (SQ-5). It holds hashes and vectors, and no text. */
export class VectorCache {
  readonly #clock: Clock;
  /** From the least to the most recently used. */
  readonly #held = new Map<Digest, Held>();
  /** Why a key that was there once is there no more. Bounded likewise. */
  readonly #gone = new Map<Digest, LookupMiss>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The vector, which becomes the most recently used; its lifetime is not prolonged. */
  get(key: Digest): Float32Array | null {
    const held = this.#held.get(key);
    if (held === undefined) return null;
    this.#held.delete(key);
    if (this.#clock.monotonicMs() >= held.expires_ms) {
      this.#remember(key, 'expired');
      return null;
    }
    this.#held.set(key, held);
    return held.vector;
  }

  put(key: Digest, vector: Float32Array): void {
    this.#held.delete(key);
    this.#gone.delete(key);
    this.#held.set(key, {
      vector: Float32Array.from(vector),
      expires_ms: this.#clock.monotonicMs() + VECTOR_CACHE_LIMITS.lifetime_ms,
    });
    if (this.#held.size <= VECTOR_CACHE_LIMITS.vectors) return;
    const oldest = this.#held.keys().next().value as Digest;
    this.#held.delete(oldest);
    this.#remember(oldest, 'evicted');
  }

  /** Why there is no vector under this key, as far as that is remembered. */
  missOf(key: Digest): LookupMiss {
    return this.#gone.get(key) ?? 'unprepared';
  }

  /** Notes why a key has no vector. */
  noteMiss(key: Digest, miss: LookupMiss): void {
    this.#remember(key, miss);
  }

  /** Forgets everything (SQ-4). */
  clear(): void {
    this.#held.clear();
    this.#gone.clear();
  }

  get size(): number {
    return this.#held.size;
  }

  #remember(key: Digest, miss: LookupMiss): void {
    this.#gone.delete(key);
    this.#gone.set(key, miss);
    if (this.#gone.size > VECTOR_CACHE_LIMITS.remembered_misses) {
      this.#gone.delete(this.#gone.keys().next().value as Digest);
    }
  }
}
