import { z } from 'zod';
import type { Completion, FinishReason } from '../completion.js';
import { type AnswerShape, modelName, parseAnswer } from '../http/answer.js';
import { chatCompletionsUsage } from './chat-completions-usage.js';

const text = z.string().nullish();

// https://platform.openai.com/docs/api-reference/chat/object. Only what is named here is read: nothing else can be kept (FB-7).
const choiceSchema = z.object({
  finish_reason: z.string().max(64).nullish(),
  message: z.object({
    content: text,
    refusal: text,
    tool_calls: z.array(z.unknown()).nullish(),
    function_call: z.unknown().optional(),
  }),
});
type Choice = z.output<typeof choiceSchema>;

const SHAPE: AnswerShape<{ choices: Choice[] }> = {
  what: 'chat completion',
  schema: z.object({ model: modelName.nullish(), choices: z.array(choiceSchema) }),
  usageOf: chatCompletionsUsage,
};

const FINISH_REASONS = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
]);

/**
 * Projects the body of a successful response to what is kept (FB-7, PR-3).
 *
 * @throws {ProviderFailure} as `parseAnswer` does; `empty-response` where there is no choice.
 *
 * @param status the answer's, 2xx. @param apiKey is taken out of the reported model.
 */
export function readChatCompletion(body: string, status: number, apiKey: string | null): Completion {
  const answer = parseAnswer(SHAPE, body, status, apiKey);
  const { choices } = answer.data;
  if (choices.length === 0) throw answer.failure('empty-response', 'the answer has no choice');
  const contents = choices.flatMap(({ message }) => (message.content ? [message.content] : []));
  const hasOutput = contents.length > 0 || choices.some(({ message }) => Boolean(message.refusal));
  return {
    contents,
    finish: choices.map(finishOf).find((finish) => finish !== 'stop') ?? 'stop',
    tool_calls: choices.reduce((sum, choice) => sum + toolCallsOf(choice), 0),
    reported_model: answer.reported_model,
    usage: answer.usage(hasOutput),
  };
}

function finishOf({ finish_reason, message }: Choice): FinishReason {
  if (message.refusal) return 'refusal';
  return FINISH_REASONS.get(finish_reason ?? '') ?? 'other';
}

function toolCallsOf({ message }: Choice): number {
  return (message.tool_calls?.length ?? 0) + (message.function_call == null ? 0 : 1);
}
