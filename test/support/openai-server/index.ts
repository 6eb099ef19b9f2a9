import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server/server.js';
import { chatApi } from './chat-api.js';
import { embeddingsApi } from './embeddings-api.js';
import { responsesApi } from './responses-api.js';

export type { BillLine, TokenPrices } from '../model-server/bill.js';
export type { FailureRule, ScriptedFailure } from '../model-server/failure-script.js';
export type { ChatWords as ChatRequest } from '../model-server/model-api.js';
export type { ReceivedRequest } from '../model-server/server.js';
export { strictModeRefusal } from './strict-mode.js';

export type OpenAiServer = ModelServer;
export type OpenAiServerOptions = ModelServerOptions;

/** Starts a server of OpenAI's Chat Completions, Responses and Embeddings APIs on a free loopback port. */
export function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  return startModelServer([chatApi, responsesApi, embeddingsApi], '/v1', options);
}
