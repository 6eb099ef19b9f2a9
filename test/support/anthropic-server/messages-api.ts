import type { ApiError } from '../model-server/api-error.js';
import { countTokens } from '../model-server/bill.js';
import type { ChatWords, ModelApi, ModelRequest } from '../model-server/model-api.js';
import type { ReceivedRequest } from '../model-server/server.js';
import { anthropicError } from './anthropic-error.js';
import { messageAnswer } from './message-answer.js';
import { outputSchemaRefusal } from './schema-rules.js';

/*
 * The Messages API, after https://platform.claude.com/docs/en/api/messages/create (each parameter's entry there).
 */

interface MessagesBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly output_config?: { readonly format?: { readonly schema: Record<string, unknown> } };
}

// Every body parameter that the reference lists: "Extra inputs are not permitted".
const PARAMETERS = new Set(
  `model messages max_tokens cache_control container diagnostics inference_geo metadata output_config service_tier speed stop_sequences stream
   system temperature thinking tool_choice tools top_k top_p`.split(/\s+/),
);
const EFFORTS = new Set(['low', 'medium', 'high', 'xhigh', 'max', null]);

/** The Messages API. */
export const messagesApi: ModelApi = {
  path: '/v1/messages',
  refuse: (request, apiKey, models) => refuseHeaders(request, apiKey) ?? refuseBody(request.body, models),
  read: (body) => readRequest(body as MessagesBody),
  answer: messageAnswer,
  error: anthropicError,
};

/** https://platform.claude.com/docs/en/api/overview#authentication and https://platform.claude.com/docs/en/api/versioning */
function refuseHeaders({ headers }: ReceivedRequest, apiKey: string | null): ApiError | null {
  if (apiKey !== null && headers['x-api-key'] === undefined) return anthropicError(401, 'x-api-key header is required');
  if (apiKey !== null && headers['x-api-key'] !== apiKey) return anthropicError(401, 'invalid x-api-key');
  if (headers['anthropic-version'] === undefined) return anthropicError(400, 'anthropic-version: header is required');
  if (!['2023-01-01', '2023-06-01'].includes(String(headers['anthropic-version'])))
    return anthropicError(400, `anthropic-version: "${String(headers['anthropic-version'])}" is not a valid version`);
  return /^application\/json/i.test(String(headers['content-type']))
    ? null
    : anthropicError(400, 'content-type must be application/json');
}

function refuseBody(body: unknown, models: ReadonlySet<string>): ApiError | null {
  if (!isObject(body)) return refuse('The request body is not valid JSON');
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return refuse(`${unknown}: Extra inputs are not permitted`);
  if (body.model === undefined) return refuse('model: Field required');
  if (!models.has(String(body.model))) return anthropicError(404, `model: ${String(body.model)}`);
  if (body.max_tokens === undefined) return refuse('max_tokens: Field required');
  if (!Number.isInteger(body.max_tokens) || (body.max_tokens as number) < 1)
    return refuse('max_tokens: Input should be greater than or equal to 1');
  for (const name of ['temperature', 'top_p'])
    if (body[name] !== undefined && (typeof body[name] !== 'number' || body[name] < 0 || body[name] > 1))
      return refuse(`${name}: range: 0..1`);
  return refuseSystem(body.system) ?? refuseMessages(body.messages) ?? refuseOutput(body.output_config);
}

// `system`: a string or text blocks.
function refuseSystem(system: unknown): ApiError | null {
  if (system === undefined || typeof system === 'string') return null;
  const isText = (block: unknown): boolean =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' && block.text !== '';
  return Array.isArray(system) && system.every(isText) ? null : refuse('system: Input should be a valid list');
}

// `messages`: user and assistant turns, the last the user's beside structured output ("prefill is not supported").
function refuseMessages(messages: unknown): ApiError | null {
  if (messages === undefined) return refuse('messages: Field required');
  if (!Array.isArray(messages) || messages.length === 0) return refuse('messages: at least one message is required');
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) return refuse(`messages.${index}: Input should be an object`);
    const extra = Object.keys(message).find((name) => name !== 'role' && name !== 'content');
    if (extra !== undefined) return refuse(`messages.${index}.${extra}: Extra inputs are not permitted`);
    if (message.role !== 'user' && message.role !== 'assistant')
      return refuse(`messages: Unexpected role "${String(message.role)}".`);
    if (typeof message.content !== 'string' || message.content === '')
      return refuse(`messages.${index}: user messages must have non-empty content`);
  }
  return messages.at(-1)?.role === 'user'
    ? null
    : refuse('This model does not support assistant message prefill. The conversation must end with a user message.');
}

// `output_config`: `effort` and `format`.
function refuseOutput(config: unknown): ApiError | null {
  if (config === undefined) return null;
  if (!isObject(config)) return refuse('output_config: Input should be an object');
  const extra = Object.keys(config).find((name) => name !== 'effort' && name !== 'format');
  if (extra !== undefined) return refuse(`output_config.${extra}: Extra inputs are not permitted`);
  if (!EFFORTS.has((config.effort ?? null) as string | null)) return refuse('output_config.effort: Invalid value');
  const { format } = config;
  if (format === undefined) return null;
  if (!isObject(format) || format.type !== 'json_schema') return refuse('output_config.format.type: Invalid value');
  const odd = Object.keys(format).find((name) => name !== 'type' && name !== 'schema');
  if (odd !== undefined) return refuse(`output_config.format.${odd}: Extra inputs are not permitted`);
  const refusal = outputSchemaRefusal(format.schema);
  return refusal === null ? null : refuse(refusal);
}

function readRequest(body: MessagesBody): ModelRequest {
  const schema = body.output_config?.format?.schema ?? null;
  const system = (body.system ?? []).map(({ text }) => ({ role: 'system', content: text }));
  const messages = [...system, ...body.messages];
  const chat: ChatWords = {
    model: body.model,
    messages,
    ...(schema !== null && { response_format: { type: 'json_schema', json_schema: { name: nameOf(schema), schema } } }),
    max_completion_tokens: body.max_tokens,
  };
  const texts = messages.reduce((sum, { content }) => sum + 3 + countTokens(content), 5);
  return {
    model: body.model,
    max_output_tokens: body.max_tokens,
    prompt_tokens: texts + (schema === null ? 0 : 40 + countTokens(JSON.stringify(schema))),
    schema,
    chat,
    body,
  };
}

/** The API carries no schema name; whoever answers by it knows a schema by its properties. */
function nameOf(schema: Record<string, unknown>): string {
  return 'beliefs' in ((schema.properties ?? {}) as object) ? 'formation_facts' : 'reading';
}

function refuse(message: string): ApiError {
  return anthropicError(400, message);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
