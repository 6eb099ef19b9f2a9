import type { CompletionApi } from '../http/http-completions.js';
import { responsesBody } from './responses-body.js';
import { readResponse } from './responses-response.js';
import { postWithSdk } from './sdk-wire.js';

/** The Responses API with strict structured output, stateless. */
export const responsesApi: CompletionApi = {
  kind: 'openai',
  wire_api: 'responses',
  path: '/responses',
  post: postWithSdk,
  bodyOf: responsesBody,
  read: readResponse,
};
