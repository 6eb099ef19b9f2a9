import { messagesApi } from '../../src/provider/anthropic/messages.js';
import type { CompletionRequest, ResolvedModel } from '../../src/provider/completion.js';
import type { HttpApiOptions } from '../../src/provider/http/http-api.js';
import { type CompletionApi, HttpCompletionAdapter } from '../../src/provider/http/http-completions.js';
import { chatCompletionsApi } from '../../src/provider/openai/chat-completions.js';
import { responsesApi } from '../../src/provider/openai/responses.js';
import { startAnthropicServer } from './anthropic-server/index.js';
import type { ModelServer, ModelServerOptions } from './model-server/server.js';
import { readerRequest } from './openai-server/client.js';
import { startOpenAiServer } from './openai-server/index.js';

/** Tokens as a test states them: input and output in full, what is cached and reasoned within them. */
export interface StatedTokens {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** A completion API with a server that plays it: what the contract of adapters is run on. */
export interface RemoteApi {
  readonly name: string;
  readonly model: Pick<ResolvedModel, 'kind' | 'wire_api' | 'model'>;
  start(options?: ModelServerOptions): Promise<ModelServer>;
  adapterFor(server: ModelServer, options?: Partial<HttpApiOptions>): HttpCompletionAdapter;
  request(changes?: Partial<CompletionRequest>): CompletionRequest;
  /** A usage object of this API. */
  usage(tokens: StatedTokens): Record<string, unknown>;
  /** What carries the key. */
  readonly keyHeader: string;
  /** Texts of every answer of the server that nothing may keep. */
  readonly privateTexts: readonly string[];
  /** The field of an answer that holds what was said. */
  readonly contentField: string;
}

function remoteApi(
  name: string,
  api: CompletionApi,
  model: string,
  facts: Pick<RemoteApi, 'start' | 'usage' | 'keyHeader' | 'privateTexts' | 'contentField'>,
): RemoteApi {
  const resolved = { kind: api.kind, wire_api: api.wire_api, model };
  return {
    name,
    model: resolved,
    ...facts,
    adapterFor: (server, options = {}) =>
      new HttpCompletionAdapter(api, {
        base_url: server.url,
        endpoint_name: 'test-server',
        api_key: server.api_key,
        timeout_ms: 20_000,
        ...options,
      }),
    request: (changes = {}) => {
      const request = readerRequest(changes);
      return { ...request, model: { ...request.model, ...resolved, ...changes.model } };
    },
  };
}

/** Chat Completions, Responses and Messages. */
export const REMOTE_APIS: readonly RemoteApi[] = [
  remoteApi('Chat Completions', chatCompletionsApi('max_completion_tokens'), 'gpt-test-1', {
    start: startOpenAiServer,
    keyHeader: 'authorization',
    privateTexts: ['private reasoning', 'chatcmpl-', 'fp_44709d6fcb', 'service_tier', 'annotations'],
    contentField: 'choices',
    usage: ({ input, output, cached = 0, reasoning = 0 }) => ({
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    }),
  }),
  remoteApi('Responses', responsesApi, 'gpt-test-1', {
    start: startOpenAiServer,
    keyHeader: 'authorization',
    privateTexts: ['private reasoning', 'gAAAA-encrypted-reasoning', 'resp_secret', 'rs_', 'msg_', 'annotations'],
    contentField: 'output',
    usage: ({ input, output, cached = 0, reasoning = 0 }) => ({
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: cached },
      output_tokens_details: { reasoning_tokens: reasoning },
    }),
  }),
  remoteApi('Messages', messagesApi, 'claude-test-1', {
    start: startAnthropicServer,
    keyHeader: 'x-api-key',
    privateTexts: ['private reasoning', 'EqQBsecretsignature', 'EmwKencrypted', 'msg_secret', 'service_tier'],
    contentField: 'content',
    usage: ({ input, output, cached = 0, reasoning = 0 }) => ({
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: output,
      output_tokens_details: { thinking_tokens: reasoning },
    }),
  }),
];
