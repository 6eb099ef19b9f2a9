import { createHash } from 'node:crypto';
import type { ApiError } from '../model-server/api-error.js';
import { countTokens } from '../model-server/bill.js';
import type { AnswerParts, ModelApi, ModelRequest } from '../model-server/model-api.js';
import { apiError, badRequest } from './openai-error.js';
import { refuseContentType, refuseCredentials } from './validate-request.js';

/*
 * The Embeddings API, after https://platform.openai.com/docs/api-reference/embeddings/create (each parameter's entry there).
 */

interface EmbeddingsBody {
  readonly model: string;
  readonly input: string | readonly string[];
  readonly dimensions?: number;
}

/** The length of a vector where the request names none. */
export const NATIVE_DIMENSIONS = 8;

const PARAMETERS = new Set(['input', 'model', 'dimensions', 'encoding_format', 'user']);

/**
 * The Embeddings API. A model whose name begins with `fixed-` takes no `dimensions`; one that begins with `moody-` gives another vector for the
 * same text in every request, as providers do from one day to another (VB-1).
 */
export const embeddingsApi: ModelApi = {
  path: '/v1/embeddings',
  refuse: ({ headers, body }, apiKey, models) =>
    refuseCredentials(headers.authorization as string | undefined, apiKey) ??
    refuseContentType(headers['content-type'] as string | undefined) ??
    refuseBody(body, models),
  read: (body) => readRequest(body as EmbeddingsBody),
  answer: embeddingsAnswer,
  error: (status, message, code) => apiError(status, message, { code: code ?? null }),
};

function refuseBody(body: unknown, models: ReadonlySet<string>): ApiError | null {
  if (typeof body !== 'object' || body === null) return badRequest('We could not parse the JSON body of your request.');
  const { input, model, dimensions, encoding_format } = body as Record<string, unknown>;
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return badRequest(`Unrecognized request argument supplied: ${unknown}`, unknown);
  if (typeof model !== 'string') return badRequest('you must provide a model parameter', 'model');
  if (!models.has(model)) return apiError(404, `The model \`${model}\` does not exist.`, { code: 'model_not_found' });
  // `input`: "cannot be an empty string, and any array must be 2048 dimensions or less"; 8,192 tokens a text, 300,000 a request.
  const texts = [input].flat();
  if (texts.length === 0 || texts.length > 2048 || texts.some((text) => typeof text !== 'string' || text === ''))
    return badRequest("'$.input' is invalid. Please check the API reference.", 'input');
  const tokens = (texts as string[]).map(countTokens);
  if (tokens.some((count) => count > 8192)) return badRequest('maximum input length is 8192 tokens.', 'input');
  if (tokens.reduce((sum, count) => sum + count, 0) > 300_000)
    return badRequest('max 300000 tokens per request.', 'input', 'max_tokens_per_request');
  if (encoding_format !== undefined && encoding_format !== 'float' && encoding_format !== 'base64')
    return badRequest("Invalid 'encoding_format'.", 'encoding_format');
  // `dimensions`: "Only supported in text-embedding-3 and later models."
  if (dimensions !== undefined && model.startsWith('fixed-'))
    return badRequest('This model does not support specifying dimensions.', 'dimensions');
  if (dimensions !== undefined && (!Number.isInteger(dimensions) || (dimensions as number) < 1))
    return badRequest("Invalid 'dimensions'.", 'dimensions');
  return null;
}

function readRequest(body: EmbeddingsBody): ModelRequest {
  const texts = [body.input].flat();
  return {
    model: body.model,
    max_output_tokens: 0,
    prompt_tokens: texts.reduce((sum, text) => sum + countTokens(text), 0),
    schema: null,
    chat: { model: body.model, messages: texts.map((content) => ({ role: 'user', content })) },
    body,
  };
}

function embeddingsAnswer({ index: requestIndex, request, tokens, failure }: AnswerParts): string {
  const { input, dimensions } = request.body as EmbeddingsBody;
  const mood = request.model.startsWith('moody-') ? `${requestIndex}:` : '';
  const data: unknown[] = [input].flat().map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vectorOf(`${mood}${text}`, dimensions ?? NATIVE_DIMENSIONS),
  }));
  if (failure?.kind === 'several-choices') data.reverse();
  if (failure?.kind === 'no-choices') data.pop();
  const answer: Record<string, unknown> = {
    object: 'list',
    data,
    model: failure?.kind === 'changed-model' ? failure.model : request.model,
    usage: { prompt_tokens: tokens.prompt_tokens, total_tokens: tokens.prompt_tokens },
  };
  if (failure?.kind === 'usage') answer.usage = failure.usage;
  if (failure?.kind === 'missing-usage') delete answer.usage;
  if (failure?.kind === 'oversized') answer.padding = 'x'.repeat(failure.bytes);
  return JSON.stringify(answer);
}

/** Numbers of a text's digest, made of length 1: the same text has the same vector, in any request. */
export function vectorOf(text: string, dimensions: number): number[] {
  const numbers = Array.from({ length: dimensions }, (_, index) => {
    const digest = createHash('sha256').update(`${index}:${text}`).digest();
    return digest.readInt32BE(0) / 2 ** 31;
  });
  const length = Math.hypot(...numbers) || 1;
  return numbers.map((number) => number / length);
}
