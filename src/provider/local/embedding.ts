import { canonicalJson } from '../../core/canonical-json.js';
import { digestBytes } from '../../core/digest.js';
import { internalFault, invalidInput } from '../../core/errors.js';
import type { PreparedCall } from '../completion.js';
import type { EmbeddingAdapter, EmbeddingResult, EmbeddingTuple } from '../embedding.js';
import { countTokens } from '../tokenizer.js';
import { NO_USAGE } from '../usage.js';
import { EmbeddingPool } from './embedding-pool.js';

/** The local embedding model: Universal Sentence Encoder Lite. */
export const LOCAL_EMBEDDING_MODEL = 'use-lite-512';

/** The space that its vectors live in. */
export const LOCAL_EMBEDDING_TUPLE: EmbeddingTuple = {
  kind: 'local',
  endpoint: 'in-process',
  model: LOCAL_EMBEDDING_MODEL,
  dimensions: 512,
};

/** The encoder is made for sentences, and its time grows with the square of a text: it reads this many characters, and no more. */
export const EMBEDDED_CHARACTERS = 2000;

// One for the process: the model is loaded once, whoever asks.
let shared: EmbeddingPool | null = null;

/**
 * Sentence vectors from a package, offline and deterministic (PR-1, RT-2): one text a call inside, each text's vector the same in any
 * batch, thread or process. It embeds what it parses from the body's bytes, and nothing else reaches it.
 *
 * `prepare` throws `EMBEDDING_EMPTY_TEXT` (internal) for no texts or an empty one.
 *
 * @throws kind `invalid-input`, `MODEL_UNKNOWN`, for another model than `use-lite-512`.
 */
export function createLocalEmbeddingAdapter(
  model: string = LOCAL_EMBEDDING_MODEL,
  pool?: EmbeddingPool,
): EmbeddingAdapter {
  if (model !== LOCAL_EMBEDDING_MODEL) {
    throw invalidInput('MODEL_UNKNOWN', `the local kind has no embedding model ${model}`, {
      remedy: `use ${LOCAL_EMBEDDING_MODEL}`,
    });
  }
  return {
    leaves_process: false,
    tuple: LOCAL_EMBEDDING_TUPLE,
    prepare: (texts) => prepare(texts, () => pool ?? sharedPool()),
  };
}

function sharedPool(): EmbeddingPool {
  shared ??= new EmbeddingPool();
  return shared;
}

function prepare(texts: readonly string[], pool: () => EmbeddingPool): PreparedCall<EmbeddingResult> {
  if (texts.length === 0 || texts.includes('')) {
    throw internalFault('EMBEDDING_EMPTY_TEXT', 'an embedding needs texts, none of them empty');
  }
  const body = Buffer.from(canonicalJson({ input: texts, model: LOCAL_EMBEDDING_MODEL }));
  return {
    body_bytes: body.byteLength,
    body_digest: digestBytes(body),
    max_output_tokens: 0,
    send: (signal) => embedBody(body, pool(), signal),
  };
}

async function embedBody(body: Uint8Array, pool: EmbeddingPool, signal: AbortSignal): Promise<EmbeddingResult> {
  signal.throwIfAborted();
  const { input } = JSON.parse(new TextDecoder().decode(body)) as { input: string[] };
  const vectors = await Promise.all(input.map((text) => pool.embed(firstCharacters(text), signal)));
  const tokens = input.reduce((sum, text) => sum + countTokens(text), 0);
  return { vectors, reported_model: LOCAL_EMBEDDING_MODEL, usage: { ...NO_USAGE, input_uncached: tokens } };
}

function firstCharacters(text: string): string {
  return text.length <= EMBEDDED_CHARACTERS ? text : [...text].slice(0, EMBEDDED_CHARACTERS).join('');
}
