export type { BillLine, TokenPrices } from './bill.js';
export type { FailureRule, ScriptedFailure } from './failure-script.js';
export { type OpenAiServer, type OpenAiServerOptions, type ReceivedRequest, startOpenAiServer } from './server.js';
export { strictModeRefusal } from './strict-mode.js';
export type { ChatRequest } from './validate-request.js';
