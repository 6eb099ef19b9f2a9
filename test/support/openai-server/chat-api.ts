import { countTokens } from '../model-server/bill.js';
import type { ChatWords, ModelApi, ModelRequest } from '../model-server/model-api.js';
import { chatAnswer } from './chat-answer.js';
import { apiError } from './openai-error.js';
import { refuseBody, refuseContentType, refuseCredentials } from './validate-request.js';

/** Chat Completions. */
export const chatApi: ModelApi = {
  path: '/v1/chat/completions',
  refuse: ({ headers, body }, apiKey, models) =>
    refuseCredentials(headers.authorization as string | undefined, apiKey) ??
    refuseContentType(headers['content-type'] as string | undefined) ??
    refuseBody(body, models),
  read: (body) => readChat(body as ChatWords),
  answer: chatAnswer,
  error: (status, message, code) => apiError(status, message, { code: code ?? null }),
};

function readChat(body: ChatWords): ModelRequest {
  const schema = body.response_format?.json_schema?.schema ?? null;
  return {
    model: body.model,
    max_output_tokens: body.max_completion_tokens ?? null,
    prompt_tokens: promptTokens(body.messages, schema),
    schema,
    chat: body,
    body,
  };
}

/** Messages with four tokens of frame each, three that prime the answer, and the schema, which the model is shown too. */
export function promptTokens(messages: ChatWords['messages'], schema: unknown): number {
  return (
    messages.reduce((sum, { content }) => sum + 4 + countTokens(content), 3) +
    (schema === null ? 0 : countTokens(JSON.stringify(schema)))
  );
}
