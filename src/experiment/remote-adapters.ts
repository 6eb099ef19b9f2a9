import { internalFault } from '../core/errors.js';
import type { EmbeddingChoice, LoadedMatrix, ProviderEntry, RemoteProviderEntry } from '../matrix/matrix.js';
import { isRemote } from '../matrix/matrix.js';
import { messagesApi } from '../provider/anthropic/messages.js';
import type { EmbeddingTuple } from '../provider/embedding.js';
import type { HttpApiOptions } from '../provider/http/http-api.js';
import { type CompletionApi, HttpCompletionAdapter } from '../provider/http/http-completions.js';
import { LOCAL_EMBEDDING_TUPLE } from '../provider/local/embedding.js';
import { chatCompletionsApi } from '../provider/openai/chat-completions.js';
import { createEmbeddingsAdapter, type RemoteEmbeddingAdapter } from '../provider/openai/embeddings.js';
import { responsesApi } from '../provider/openai/responses.js';

/** The completion adapter of an entry that is sent to. */
export function completionAdapterOf(entry: RemoteProviderEntry, options: HttpApiOptions): HttpCompletionAdapter {
  return new HttpCompletionAdapter(apiOf(entry), options);
}

function apiOf(entry: RemoteProviderEntry): CompletionApi {
  if (entry.kind === 'anthropic') return messagesApi;
  return entry.wire_api === 'responses' ? responsesApi : chatCompletionsApi(entry.output_limit_field);
}

/** The embedding adapter of an entry that is sent to. */
export function embeddingAdapterOf(
  entry: RemoteProviderEntry,
  choice: EmbeddingChoice,
  options: HttpApiOptions,
): RemoteEmbeddingAdapter {
  return createEmbeddingsAdapter({
    ...options,
    model: choice.model,
    dimensions: dimensionsOf(entry, choice),
    send_dimensions: choice.send_dimensions ?? false,
    credential_ref: entry.api_key_env,
  });
}

/** What stands for an entry's endpoint in identities (FB-2): its name, or else its URL. */
export function endpointOf({ endpoint_name, base_url }: RemoteProviderEntry): string {
  const endpoint = endpoint_name ?? base_url;
  if (endpoint === null) throw internalFault('ENDPOINT_UNNAMED', 'an endpoint from a variable has no name');
  return endpoint;
}

/** The space of a matrix's vectors, known before any provider is built (VB-1); null where nothing is prepared. */
export function embeddingTuple({ matrix }: LoadedMatrix): EmbeddingTuple | null {
  const { query_preparation: preparation } = matrix;
  if (preparation === null || preparation === 'off') return null;
  const { provider, model } = preparation.embedding;
  const entry = matrix.providers[provider] as ProviderEntry;
  if (!isRemote(entry)) return { ...LOCAL_EMBEDDING_TUPLE, model };
  const dimensions = dimensionsOf(entry, preparation.embedding);
  return { kind: entry.kind, endpoint: endpointOf(entry), model, dimensions };
}

function dimensionsOf({ kind }: RemoteProviderEntry, { model, dimensions }: EmbeddingChoice): number {
  if (kind === 'openai' && dimensions !== undefined) return dimensions;
  throw internalFault('EMBEDDING_UNCHECKED', `the embedding model ${model} of kind ${kind} was not checked`);
}
