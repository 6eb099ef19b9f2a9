import type { ApiError } from '../model-server/api-error.js';
import { apiError, badRequest } from './openai-error.js';
import { strictModeRefusal } from './strict-mode.js';

/*
 * The API's refusals of Chat Completions requests, after https://platform.openai.com/docs/api-reference/chat/create (each parameter's
 * entry there) and the error codes of https://platform.openai.com/docs/guides/error-codes.
 */

// Every body parameter that the reference lists. Anything else is refused: "Unrecognized request argument supplied".
const PARAMETERS = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
   moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
   response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
   verbosity web_search_options`.split(/\s+/),
);
const ROLES = new Set(['developer', 'system', 'user', 'assistant', 'tool', 'function']);
const MESSAGE_FIELDS = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'audio',
  'tool_calls',
  'tool_call_id',
  'function_call',
]);
const EFFORTS = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', null]);

/** https://platform.openai.com/docs/api-reference/authentication: a bearer token. */
export function refuseCredentials(authorization: string | undefined, apiKey: string | null): ApiError | null {
  if (apiKey === null) return null;
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined)
    return apiError(
      401,
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    );
  if (token !== apiKey)
    return apiError(
      401,
      `Incorrect API key provided: ${token.slice(0, 4)}****${token.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: 'invalid_api_key' },
    );
  return null;
}

/** https://platform.openai.com/docs/api-reference/making-requests: a JSON body, declared as such. */
export function refuseContentType(contentType: string | undefined): ApiError | null {
  return /^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(contentType ?? '')
    ? null
    : apiError(
        415,
        `Unsupported content type: '${contentType ?? ''}'. This API method only accepts 'application/json' requests.`,
      );
}

/** The refusal that a body earns, or null. */
export function refuseBody(body: unknown, models: ReadonlySet<string>): ApiError | null {
  if (!isObject(body)) return badRequest('We could not parse the JSON body of your request.');
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined)
    return badRequest(`Unrecognized request argument supplied: ${unknown}`, unknown, 'unknown_parameter');
  return (
    refuseModel(body, models) ??
    refuseMessages(body.messages) ??
    refuseNumbers(body) ??
    refuseOthers(body) ??
    refuseResponseFormat(body)
  );
}

// `model`: string, required.
function refuseModel(body: Record<string, unknown>, models: ReadonlySet<string>): ApiError | null {
  if (typeof body.model !== 'string' || body.model === '')
    return badRequest('you must provide a model parameter', 'model');
  return models.has(body.model)
    ? null
    : apiError(404, `The model \`${body.model}\` does not exist or you do not have access to it.`, {
        code: 'model_not_found',
      });
}

// `messages`: array, required; a role of those named, content a string or an array of parts.
function refuseMessages(messages: unknown): ApiError | null {
  if (messages === undefined)
    return badRequest("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  if (!Array.isArray(messages) || messages.length === 0)
    return badRequest(
      "Invalid 'messages': empty array. Expected an array with minimum length 1.",
      'messages',
      'empty_array',
    );
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!isObject(message)) return badRequest(`Invalid type for '${at}': expected an object.`, at, 'invalid_type');
    const extra = Object.keys(message).find((name) => !MESSAGE_FIELDS.has(name));
    if (extra !== undefined)
      return badRequest(`Unknown parameter: '${at}.${extra}'.`, `${at}.${extra}`, 'unknown_parameter');
    if (typeof message.role !== 'string' || !ROLES.has(message.role))
      return badRequest(
        `Invalid value: '${String(message.role)}'. Supported values are: ${[...ROLES].map((role) => `'${role}'`).join(', ')}.`,
        `${at}.role`,
        'invalid_value',
      );
    const isText =
      typeof message.content === 'string' || (Array.isArray(message.content) && message.content.length > 0);
    if (!isText)
      return badRequest(
        `Invalid type for '${at}.content': expected one of a string or array of objects.`,
        `${at}.content`,
        'invalid_type',
      );
  }
  return null;
}

// `max_completion_tokens`, `max_tokens`, `n`, `seed`: integers; `temperature` 0 to 2; `top_p` 0 to 1; penalties -2 to 2.
function refuseNumbers(body: Record<string, unknown>): ApiError | null {
  if (body.max_tokens != null && body.max_completion_tokens != null)
    return badRequest(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
    );
  const integers: [string, number, number][] = [
    ['max_completion_tokens', 1, 1_000_000],
    ['max_tokens', 1, 1_000_000],
    ['n', 1, 128],
    ['top_logprobs', 0, 20],
    ['seed', -(2 ** 63), 2 ** 63],
  ];
  for (const [name, low, high] of integers) {
    const value = body[name];
    if (value == null) continue;
    if (typeof value !== 'number' || !Number.isInteger(value))
      return badRequest(`Invalid type for '${name}': expected an integer.`, name, 'invalid_type');
    if (value < low)
      return badRequest(
        `Invalid '${name}': integer below minimum value. Expected a value >= ${low}, but got ${value} instead.`,
        name,
        'integer_below_min_value',
      );
    if (value > high)
      return badRequest(`Invalid '${name}': integer above maximum value.`, name, 'integer_above_max_value');
  }
  const decimals: [string, number, number][] = [
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['frequency_penalty', -2, 2],
    ['presence_penalty', -2, 2],
  ];
  for (const [name, low, high] of decimals) {
    const value = body[name];
    if (value == null) continue;
    if (typeof value !== 'number')
      return badRequest(`Invalid type for '${name}': expected a decimal.`, name, 'invalid_type');
    if (value < low || value > high)
      return badRequest(
        `Invalid '${name}': expected a value between ${low} and ${high}.`,
        name,
        'decimal_out_of_range',
      );
  }
  return null;
}

// `reasoning_effort`: one of its values; `store`, `stream`: booleans. This server does not stream.
function refuseOthers(body: Record<string, unknown>): ApiError | null {
  if (body.reasoning_effort !== undefined && !EFFORTS.has(body.reasoning_effort as string | null))
    return badRequest(
      `Invalid value: '${String(body.reasoning_effort)}' for 'reasoning_effort'.`,
      'reasoning_effort',
      'invalid_value',
    );
  for (const name of ['store', 'stream', 'logprobs', 'parallel_tool_calls'])
    if (body[name] != null && typeof body[name] !== 'boolean')
      return badRequest(`Invalid type for '${name}': expected a boolean.`, name, 'invalid_type');
  if (body.stream === true) return badRequest("'stream' is not served here.", 'stream');
  return null;
}

// `response_format`: text, json_object (the word JSON must be in a message) or json_schema.
function refuseResponseFormat(body: Record<string, unknown>): ApiError | null {
  const format = body.response_format;
  if (format === undefined) return null;
  const at = 'response_format';
  if (!isObject(format)) return badRequest(`Invalid type for '${at}': expected an object.`, at, 'invalid_type');
  if (format.type === 'text') return null;
  if (format.type === 'json_object')
    return /json/i.test(JSON.stringify(body.messages))
      ? null
      : badRequest(
          "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
          'messages',
        );
  if (format.type !== 'json_schema')
    return badRequest(
      `Invalid value: '${String(format.type)}'. Supported values are: 'json_object', 'json_schema', and 'text'.`,
      `${at}.type`,
      'invalid_value',
    );
  const extra = Object.keys(format).find((name) => name !== 'type' && name !== 'json_schema');
  if (extra !== undefined)
    return badRequest(`Unknown parameter: '${at}.${extra}'.`, `${at}.${extra}`, 'unknown_parameter');
  return refuseJsonSchema(format.json_schema);
}

// `response_format.json_schema`: name (a-z, A-Z, 0-9, _ and -, at most 64), description, schema, strict.
function refuseJsonSchema(given: unknown): ApiError | null {
  const at = 'response_format.json_schema';
  if (!isObject(given)) return badRequest(`Missing required parameter: '${at}'.`, at, 'missing_required_parameter');
  const extra = Object.keys(given).find((name) => !['name', 'description', 'schema', 'strict'].includes(name));
  if (extra !== undefined)
    return badRequest(`Unknown parameter: '${at}.${extra}'.`, `${at}.${extra}`, 'unknown_parameter');
  if (typeof given.name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(given.name))
    return badRequest(
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${at}.name`,
      'invalid_value',
    );
  if (given.strict != null && typeof given.strict !== 'boolean')
    return badRequest(`Invalid type for '${at}.strict': expected a boolean.`, `${at}.strict`, 'invalid_type');
  if (given.strict !== true) return null;
  const refusal = strictModeRefusal(given.schema);
  return refusal === null
    ? null
    : badRequest(
        `Invalid schema for response_format '${given.name}': ${refusal}`,
        'response_format',
        'invalid_json_schema',
      );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
