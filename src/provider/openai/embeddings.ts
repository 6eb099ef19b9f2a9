import { canonicalJson } from '../../core/canonical-json.js';
import { digestBytes } from '../../core/digest.js';
import { internalFault } from '../../core/errors.js';
import type { PreparedCall } from '../completion.js';
import type { EmbeddingAdapter, EmbeddingResult, EmbeddingTuple } from '../embedding.js';
import type { BatchBounds } from '../embedding-batches.js';
import { HttpApi, type HttpApiOptions } from '../http/http-api.js';
import { readEmbeddings } from './embeddings-response.js';
import { postWithSdk } from './sdk-wire.js';

/** Which vectors are asked for. */
export interface EmbeddingsOptions extends HttpApiOptions {
  readonly model: string;
  /** The length of a vector; an answer with another is refused. */
  readonly dimensions: number;
  /** Whether it is sent: only models that can shorten their vectors take it. */
  readonly send_dimensions: boolean;
  /** The name of the variable that holds the key; never the key. */
  readonly credential_ref: string | null;
}

/**
 * How much goes into one request. The API takes 2,048 texts of 300,000 tokens together (https://platform.openai.com/docs/api-reference/embeddings/create);
 * other servers take less.
 */
export const EMBEDDINGS_BATCH: BatchBounds = { max_texts: 128, max_bytes: 262_144 };

/** An embedding adapter that shows its body and its bounds. */
export interface RemoteEmbeddingAdapter extends EmbeddingAdapter {
  readonly batch: BatchBounds;
  /** @throws internal faults `EMBEDDING_EMPTY_TEXT` and `EMBEDDING_BATCH_TOO_LARGE`. */
  prepare(texts: readonly string[]): PreparedCall<EmbeddingResult> & { readonly body: Uint8Array };
}

/**
 * OpenAI's Embeddings API, of any base URL (PR-1): several texts a call, as floats, in the order of the texts.
 *
 * @throws as `HttpApi` does.
 */
export function createEmbeddingsAdapter(options: EmbeddingsOptions): RemoteEmbeddingAdapter {
  const http = new HttpApi(options, postWithSdk);
  const { model, dimensions, send_dimensions, credential_ref } = options;
  const tuple: EmbeddingTuple = { kind: 'openai', endpoint: http.endpoint, model, dimensions };
  return {
    leaves_process: true,
    tuple,
    batch: EMBEDDINGS_BATCH,
    prepare: (texts) => {
      assertTexts(texts);
      const body = new TextEncoder().encode(
        canonicalJson({ model, input: [...texts], encoding_format: 'float', ...(send_dimensions && { dimensions }) }),
      );
      return {
        body,
        body_bytes: body.byteLength,
        body_digest: digestBytes(body),
        max_output_tokens: 0,
        send: (signal) =>
          http.post(
            '/embeddings',
            body,
            { model, credential_ref },
            (text, status, apiKey) => readEmbeddings({ count: texts.length, dimensions }, text, status, apiKey),
            signal,
          ),
      };
    },
  };
}

function assertTexts(texts: readonly string[]): void {
  if (texts.length === 0 || texts.includes(''))
    throw internalFault('EMBEDDING_EMPTY_TEXT', 'an embedding needs texts, none of them empty');
  if (texts.length > EMBEDDINGS_BATCH.max_texts)
    throw internalFault(
      'EMBEDDING_BATCH_TOO_LARGE',
      `${texts.length} texts in a request of at most ${EMBEDDINGS_BATCH.max_texts}`,
    );
}
