import type { CompletionRequest } from '../../../src/provider/completion.js';
import type { HttpApiOptions } from '../../../src/provider/http/http-api.js';
import { HttpCompletionAdapter } from '../../../src/provider/http/http-completions.js';
import { chatCompletionsApi } from '../../../src/provider/openai/chat-completions.js';
import type { OpenAiServer } from './index.js';

/*
 * The product's adapter, pointed at the server. Of this folder's files the only one that knows the product; the server imports it
 * not.
 */

/** An adapter for a server; patient unless told otherwise. */
export function adapterFor(server: OpenAiServer, options: Partial<HttpApiOptions> = {}): HttpCompletionAdapter {
  return new HttpCompletionAdapter(chatCompletionsApi('max_completion_tokens'), {
    base_url: server.url,
    endpoint_name: 'test-server',
    api_key: server.api_key,
    timeout_ms: 20_000,
    ...options,
  });
}

/** A reader's request to that server. */
export function readerRequest(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    messages: [
      { role: 'system', content: 'Answer from the context.' },
      { role: 'user', content: '{"context":["Zoë: naïve 😀"],"present":"2023-10-22T09:55:00","question":"Where?"}' },
    ],
    response_schema: {
      name: 'answer',
      schema: {
        type: 'object',
        properties: { answer: { type: 'string' }, abstains: { type: 'boolean' } },
        required: ['answer', 'abstains'],
        additionalProperties: false,
      },
    },
    parameters: { max_output_tokens: 64, temperature: null, top_p: null, seed: null, reasoning_effort: null },
    model: {
      kind: 'openai',
      wire_api: 'chat-completions',
      endpoint: 'test-server',
      model: 'gpt-test-1',
      resolved_at: '2026-01-01T00:00:00.000Z',
      credential_ref: 'TEST_KEY',
    },
    metadata: { stage: 'reader', fixture: 'harbour-clinic', batch: null, question: 'private-question-id' },
    ...changes,
  };
}
