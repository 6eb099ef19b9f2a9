import type { CompletionApi } from '../http/http-completions.js';
import { messagesBody } from './messages-body.js';
import { readMessage } from './messages-response.js';
import { postWithSdk } from './sdk-wire.js';

/** Anthropic's Messages API with structured output. */
export const messagesApi: CompletionApi = {
  kind: 'anthropic',
  wire_api: 'messages',
  path: '/v1/messages',
  post: postWithSdk,
  bodyOf: messagesBody,
  read: readMessage,
};
