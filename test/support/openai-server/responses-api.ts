import type { ApiError } from '../model-server/api-error.js';
import type { AnswerParts, ChatWords, ModelApi, ModelRequest } from '../model-server/model-api.js';
import { promptTokens } from './chat-api.js';
import { apiError, badRequest } from './openai-error.js';
import { strictModeRefusal } from './strict-mode.js';
import { refuseContentType, refuseCredentials } from './validate-request.js';

/*
 * The Responses API, after https://platform.openai.com/docs/api-reference/responses/create (each parameter's entry there) and
 * https://platform.openai.com/docs/api-reference/responses/object.
 */

interface ResponsesBody {
  readonly model: string;
  readonly input: readonly { readonly role: string; readonly content: string }[];
  readonly text?: { readonly format?: { readonly type: string; readonly name: string; readonly schema: Schema } };
  readonly max_output_tokens?: number;
}
type Schema = Record<string, unknown>;

// Every body parameter that the reference lists: "Unknown parameter".
const PARAMETERS = new Set(
  `background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model moderation
   parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier
   service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`.split(
    /\s+/,
  ),
);
const ROLES = new Set(['user', 'assistant', 'system', 'developer']);
const EFFORTS = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', null]);

/** The Responses API. */
export const responsesApi: ModelApi = {
  path: '/v1/responses',
  refuse: ({ headers, body }, apiKey, models) =>
    refuseCredentials(headers.authorization as string | undefined, apiKey) ??
    refuseContentType(headers['content-type'] as string | undefined) ??
    refuseBody(body, models),
  read: (body) => readRequest(body as ResponsesBody),
  answer: responsesAnswer,
  error: (status, message, code) => apiError(status, message, { code: code ?? null }),
};

function refuseBody(body: unknown, models: ReadonlySet<string>): ApiError | null {
  if (!isObject(body)) return badRequest('We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return badRequest(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  if (typeof body.model !== 'string') return missing('model');
  if (!models.has(body.model))
    return apiError(400, `The requested model '${body.model}' does not exist.`, {
      param: 'model',
      code: 'model_not_found',
    });
  return refuseInput(body.input) ?? refuseSettings(body) ?? refuseText(body.text);
}

// `input`: a string or an array of items; a message's role and content.
function refuseInput(input: unknown): ApiError | null {
  if (input === undefined) return missing('input');
  if (!Array.isArray(input) || input.length === 0) return badRequest("Invalid 'input': expected items.", 'input');
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`;
    if (!isObject(item)) return badRequest(`Invalid type for '${at}'.`, at, 'invalid_type');
    const extra = Object.keys(item).find((name) => !['type', 'role', 'content', 'phase'].includes(name));
    if (extra !== undefined) return badRequest(`Unknown parameter: '${at}.${extra}'.`, `${at}.${extra}`);
    if (!ROLES.has(String(item.role))) return badRequest(`Invalid value: '${String(item.role)}'.`, `${at}.role`);
    if (typeof item.content !== 'string') return badRequest(`Invalid type for '${at}.content'.`, `${at}.content`);
  }
  return null;
}

// `max_output_tokens` is at least 16; `temperature` 0 to 2; `top_p` 0 to 1; `reasoning.effort` one of its values.
function refuseSettings(body: Record<string, unknown>): ApiError | null {
  const { max_output_tokens: limit, temperature, top_p, reasoning, store, stream } = body;
  if (limit != null && (!Number.isInteger(limit) || (limit as number) < 16))
    return badRequest(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${String(limit)} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    );
  for (const [name, value, high] of [
    ['temperature', temperature, 2],
    ['top_p', top_p, 1],
  ] as const)
    if (value != null && (typeof value !== 'number' || value < 0 || value > high))
      return badRequest(`Invalid '${name}'.`, name, 'decimal_out_of_range');
  if (store != null && typeof store !== 'boolean') return badRequest("Invalid type for 'store'.", 'store');
  if (stream === true) return badRequest("'stream' is not served here.", 'stream');
  if (reasoning == null) return null;
  if (!isObject(reasoning) || Object.keys(reasoning).some((name) => !['effort', 'summary'].includes(name)))
    return badRequest("Unknown parameter in 'reasoning'.", 'reasoning', 'unknown_parameter');
  return EFFORTS.has((reasoning.effort ?? null) as string | null)
    ? null
    : badRequest(`Invalid value: '${String(reasoning.effort)}'.`, 'reasoning.effort', 'invalid_value');
}

// `text.format`: text, json_object or json_schema, whose name, schema and strict lie beside its type.
function refuseText(text: unknown): ApiError | null {
  if (text === undefined) return null;
  if (!isObject(text) || Object.keys(text).some((name) => !['format', 'verbosity'].includes(name)))
    return badRequest("Unknown parameter in 'text'.", 'text', 'unknown_parameter');
  const { format } = text;
  if (format === undefined) return null;
  if (!isObject(format) || format.type !== 'json_schema') return badRequest("Invalid 'text.format'.", 'text.format');
  const extra = Object.keys(format).find((name) => !['type', 'name', 'description', 'schema', 'strict'].includes(name));
  if (extra !== undefined)
    return badRequest(`Unknown parameter: 'text.format.${extra}'.`, `text.format.${extra}`, 'unknown_parameter');
  if (typeof format.name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(format.name))
    return badRequest("Invalid 'text.format.name'.", 'text.format.name', 'invalid_value');
  if (format.strict !== true) return null;
  const refusal = strictModeRefusal(format.schema);
  return refusal === null
    ? null
    : badRequest(
        `Invalid schema for response_format '${format.name}': ${refusal}`,
        'text.format.schema',
        'invalid_json_schema',
      );
}

function readRequest(body: ResponsesBody): ModelRequest {
  const format = body.text?.format;
  const schema = format?.schema ?? null;
  const chat: ChatWords = {
    model: body.model,
    messages: body.input,
    ...(format !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } },
    }),
    ...(body.max_output_tokens !== undefined && { max_completion_tokens: body.max_output_tokens }),
  };
  const limit = body.max_output_tokens ?? null;
  return {
    model: body.model,
    max_output_tokens: limit,
    prompt_tokens: promptTokens(body.input, schema),
    schema,
    chat,
    body,
  };
}

function responsesAnswer({ index, request, content, isCut, tokens, failure }: AnswerParts): string {
  const cut = isCut || failure?.kind === 'truncated';
  const filtered = failure?.kind === 'content-filter';
  const answer: Record<string, unknown> = {
    id: `resp_secret-continuation-${index}`,
    object: 'response',
    created_at: 1_700_000_000 + index,
    status: cut || filtered ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : filtered ? { reason: 'content_filter' } : null,
    model: failure?.kind === 'changed-model' ? failure.model : request.model,
    output: outputOf(index, content, failure),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    usage: usageOf(tokens, failure),
    service_tier: 'default',
  };
  if (failure?.kind === 'missing-usage') delete answer.usage;
  if (failure?.kind === 'without-field') delete answer[failure.field];
  if (failure?.kind === 'oversized') answer.padding = 'x'.repeat(failure.bytes);
  const text = JSON.stringify(answer);
  return failure?.kind === 'nan-usage' ? text.replace(/"input_tokens":\d+/, '"input_tokens":NaN') : text;
}

function outputOf(index: number, content: string, failure: AnswerParts['failure']): unknown[] {
  const reasoning = {
    id: `rs_${index}`,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'private reasoning that must not be kept' }],
    content: [{ type: 'reasoning_text', text: 'private reasoning that must not be kept' }],
    encrypted_content: 'gAAAA-encrypted-reasoning',
  };
  const say = (text: string, place = 0): unknown =>
    message(`msg_${index}_${place}`, [{ type: 'output_text', text, annotations: [], logprobs: [] }]);
  switch (failure?.kind) {
    case 'content':
      return [reasoning, say(failure.content)];
    case 'wrong-json':
      return [reasoning, say('Certainly! Here is the JSON that you asked for.')];
    case 'truncated':
      return [reasoning, say(content.slice(0, Math.floor(content.length / 2)))];
    case 'refusal':
      return [reasoning, message(`msg_${index}`, [{ type: 'refusal', refusal: 'I cannot help with that.' }])];
    case 'tool-calls':
      return [reasoning, { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{}' }];
    case 'several-choices':
      return [reasoning, say(content), say(content, 1)];
    case 'content-filter':
    case 'no-choices':
      return [];
    case 'empty-content':
      return [reasoning, say('')];
    default:
      return [reasoning, say(content)];
  }
}

function message(id: string, content: readonly unknown[]): unknown {
  return { id, type: 'message', role: 'assistant', status: 'completed', content };
}

function usageOf(tokens: AnswerParts['tokens'], failure: AnswerParts['failure']): unknown {
  if (failure?.kind === 'usage') return failure.usage;
  const share = failure?.kind === 'zero-usage' ? 0 : 1;
  return {
    input_tokens: tokens.prompt_tokens * share,
    input_tokens_details: {
      cached_tokens: tokens.cached_tokens * share,
      cache_write_tokens: tokens.written_tokens * share,
    },
    output_tokens: tokens.completion_tokens * share,
    output_tokens_details: { reasoning_tokens: tokens.reasoning_tokens * share },
    total_tokens: (tokens.prompt_tokens + tokens.completion_tokens) * share,
  };
}

function missing(name: string): ApiError {
  return badRequest(`Missing required parameter: '${name}'.`, name, 'missing_required_parameter');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
