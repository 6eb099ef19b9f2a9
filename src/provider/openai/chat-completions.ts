import type { CompletionApi } from '../http/http-completions.js';
import { chatCompletionsBody, type OutputLimitField } from './chat-completions-body.js';
import { readChatCompletion } from './chat-completions-response.js';
import { postWithSdk } from './sdk-wire.js';

/** Chat Completions with strict structured output, of OpenAI or of any server that speaks it. */
export function chatCompletionsApi(limitField: OutputLimitField): CompletionApi {
  return {
    kind: 'openai',
    wire_api: 'chat-completions',
    path: '/chat/completions',
    post: postWithSdk,
    bodyOf: (request) => chatCompletionsBody(request, limitField),
    read: readChatCompletion,
  };
}
