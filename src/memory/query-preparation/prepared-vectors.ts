import { interrupted, kindOf, RecallMatrixError } from '../../core/errors.js';
import { ProviderFailure } from '../../provider/completion.js';
import type { EmbeddingProvider, EmbeddingTuple } from '../../provider/embedding.js';
import { vectorsProblem } from '../../provider/sound-vectors.js';
import { AdmissionRefused } from './admission-refused.js';
import type { PreparationWatch } from './preparation-watch.js';
import type { LookupMiss, UnpreparedReason } from './query-preparation.js';

/** What one request gave: a vector a text, or one miss for all of them, with why where it is `unprepared`. */
export type PreparedVectors =
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  | {
      readonly kind: 'missed';
      readonly miss: LookupMiss;
      readonly reason: UnpreparedReason | null;
      readonly error: unknown;
    };

/**
 * Asks for the vectors of a group's texts once, under its watch (SQ-8): the request is told of its deadline and of a context that changed,
 * and of no user's stop, which lets it finish (CL-3). An answer that comes when the watch is over is none.
 *
 * @param stop of the user: a failure after it is no miss.
 * @throws kind `interrupted` for such a failure; what the provider throws, unless it is its own failure (kind `provider`), a refusal of the owner's ledger, or the watch's doing.
 */
export async function prepareVectors(
  embedder: EmbeddingProvider,
  texts: readonly string[],
  watch: PreparationWatch,
  stop: AbortSignal,
): Promise<PreparedVectors> {
  try {
    const result = await watch.waitFor(embedder.embed(texts, watch.signal));
    const ended = watch.look();
    if (result === null || ended !== null) return unprepared(ended ?? 'deadline', null);
    return { kind: 'vectors', vectors: checkedVectors(result.vectors, texts.length, embedder.tuple) };
  } catch (error) {
    if (error instanceof AdmissionRefused)
      return { kind: 'missed', miss: `refused:${error.ceiling}`, reason: null, error };
    const kind = kindOf(error);
    const ended = watch.look();
    if (ended !== null && (kind === 'provider' || kind === 'interrupted')) return unprepared(ended, error);
    if (kind !== 'provider') throw error;
    // Whether it failed or was called off: nobody asks on, and a later session tries it (CL-3).
    if (stop.aborted) throw interrupted('the run was interrupted while a query was prepared');
    return unprepared(reasonOf(error), error);
  }
}

/** @throws kind `provider`, `EMBEDDING_MALFORMED`, where a vector is missing, of another length, not finite or zero. */
export function checkedVectors(
  vectors: readonly Float32Array[],
  count: number,
  { dimensions, model }: EmbeddingTuple,
): readonly Float32Array[] {
  const problem = vectorsProblem(vectors, count, dimensions);
  if (problem === null) return vectors;
  throw new RecallMatrixError({
    kind: 'provider',
    code: 'EMBEDDING_MALFORMED',
    message: `expected ${count} vectors of ${dimensions} dimensions from ${model}, finite and not zero; found ${problem}`,
    remedy: 'check that the provider serves this model, with this many dimensions',
  });
}

function unprepared(reason: UnpreparedReason, error: unknown): PreparedVectors {
  return { kind: 'missed', miss: 'unprepared', reason, error };
}

function reasonOf(error: unknown): UnpreparedReason {
  if (!(error instanceof ProviderFailure)) return 'malformed';
  if (error.reason === 'malformed-response' || error.reason === 'empty-response') return 'malformed';
  // Nobody but the lease of its reservation ends a request that its watch lets go on.
  return error.reason === 'cancelled' ? 'lease-lost' : 'provider-failure';
}
