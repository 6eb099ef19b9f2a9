import { z } from 'zod';
import type { Completion, FinishReason, ProviderFailureReason } from '../completion.js';
import { type Answer, type AnswerShape, modelName, parseAnswer } from '../http/answer.js';
import { redact } from '../http/redaction.js';
import { responsesUsage } from './responses-usage.js';

const partSchema = z.object({
  type: z.string().max(64),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});
// Of an item only this is read: a reasoning item's summary and encrypted content have no field here (FB-7).
const itemSchema = z.object({
  type: z.string().max(64),
  phase: z.string().max(64).nullish(),
  content: z.array(partSchema).nullish().catch(null),
});
const messageSchema = itemSchema.extend({ content: z.array(partSchema) });

// https://platform.openai.com/docs/api-reference/responses/object
const responseSchema = z.object({
  model: modelName.nullish(),
  status: z.string().max(64),
  incomplete_details: z.object({ reason: z.string().max(64).nullish() }).nullish(),
  error: z.object({ code: z.string().max(64).nullish(), message: z.string().nullish() }).nullish(),
  output: z.array(z.union([messageSchema.extend({ type: z.literal('message') }), itemSchema.refine(isNoMessage)])),
});
type Response = z.output<typeof responseSchema>;
type Part = z.output<typeof partSchema>;

const SHAPE: AnswerShape<Response> = { what: 'response object', schema: responseSchema, usageOf: responsesUsage };

const INCOMPLETE_REASONS = new Map<string, FinishReason>([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
]);

/** https://platform.openai.com/docs/api-reference/responses/object#responses-object-error */
const ERROR_REASONS = new Map<string, ProviderFailureReason>([
  ['server_error', 'server-error'],
  ['rate_limit_exceeded', 'rate-limited'],
]);

/**
 * Projects the body of a successful Responses request to what is kept (FB-7, PR-3): texts of messages, never reasoning items, ids or
 * encrypted content; intermediate commentary is no answer either.
 *
 * @throws {ProviderFailure} as `parseAnswer` does; where the response failed, by the reason that its error code gives; `malformed-response`
 * for one that has not ended.
 */
export function readResponse(body: string, status: number, apiKey: string | null): Completion {
  const answer = parseAnswer(SHAPE, body, status, apiKey);
  const { output } = answer.data;
  const finished = finishOf(answer, apiKey);
  const parts = output.flatMap((item) => (isAnswer(item) ? (item.content ?? []) : []));
  const contents = parts.flatMap((part) => (part.type === 'output_text' && part.text ? [part.text] : []));
  const refused = parts.some(isRefusal);
  const calls = output.filter(({ type }) => type.endsWith('_call')).length;
  return {
    contents,
    finish: finished !== 'stop' ? finished : refused ? 'refusal' : calls > 0 ? 'tool-calls' : 'stop',
    tool_calls: calls,
    reported_model: answer.reported_model,
    usage: answer.usage(contents.length > 0 || refused),
  };
}

function finishOf(answer: Answer<Response>, apiKey: string | null): FinishReason {
  const { status, incomplete_details, error } = answer.data;
  if (status === 'completed') return 'stop';
  if (status === 'incomplete') return INCOMPLETE_REASONS.get(incomplete_details?.reason ?? '') ?? 'other';
  if (status !== 'failed') throw answer.failure('malformed-response', `the response has not ended: ${status}`);
  const reason = ERROR_REASONS.get(error?.code ?? '') ?? 'invalid-request';
  throw answer.failure(
    reason,
    `the response failed (${error?.code ?? 'no code'}): ${redact(error?.message ?? '', apiKey)}`,
  );
}

function isNoMessage(item: { readonly type: string }): boolean {
  return item.type !== 'message';
}

function isAnswer(item: { readonly type: string; readonly phase?: string | null | undefined }): boolean {
  return item.type === 'message' && item.phase !== 'commentary';
}

function isRefusal(part: Part): boolean {
  return part.type === 'refusal' && Boolean(part.refusal);
}
