import { z } from 'zod';
import type { Completion, FinishReason } from '../completion.js';
import { type AnswerShape, modelName, parseAnswer } from '../http/answer.js';
import { messagesUsage } from './messages-usage.js';

// Of a block only this is read: thinking, its signature and redacted thinking have no field here (FB-7).
const blockSchema = z.object({ type: z.string().max(64), text: z.unknown().optional() });
const textBlockSchema = z.object({ type: z.literal('text'), text: z.string() });

// https://platform.claude.com/docs/en/api/messages/create#response
const messageSchema = z.object({
  type: z.literal('message'),
  model: modelName.nullish(),
  stop_reason: z.string().max(64).nullish(),
  content: z.array(z.union([textBlockSchema, blockSchema.refine(({ type }) => type !== 'text')])),
});
type MessageAnswer = z.output<typeof messageSchema>;

const SHAPE: AnswerShape<MessageAnswer> = { what: 'message', schema: messageSchema, usageOf: messagesUsage };

// https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons. No stop sequence is ever sent, and no turn is continued.
const FINISH_REASONS = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'refusal'],
]);

/**
 * Projects the body of a successful Messages request to what is kept (FB-7, PR-3): its texts, and how many tools it asked for.
 *
 * @throws {ProviderFailure} as `parseAnswer` does.
 */
export function readMessage(body: string, status: number, apiKey: string | null): Completion {
  const answer = parseAnswer(SHAPE, body, status, apiKey);
  const { content, stop_reason } = answer.data;
  // A block of another type may have a `text` of its own, which is no answer.
  const contents = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' && text !== '' ? [text] : [],
  );
  return {
    contents,
    finish: FINISH_REASONS.get(stop_reason ?? '') ?? 'other',
    tool_calls: content.filter(({ type }) => type.endsWith('tool_use')).length,
    reported_model: answer.reported_model,
    usage: answer.usage(contents.length > 0),
  };
}
