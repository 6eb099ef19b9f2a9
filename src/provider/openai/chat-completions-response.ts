import { z } from 'zod';
import { type Billing, type Completion, type FinishReason, ProviderFailure } from '../completion.js';
import { withoutKey } from '../http/redaction.js';
import { chatCompletionsUsage } from './chat-completions-usage.js';

const text = z.string().nullish();
const modelName = z.string().min(1).max(256);

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
const responseSchema = z.object({
  model: modelName.nullish(),
  choices: z.array(choiceSchema),
  usage: z.unknown().optional(),
});
/** What is still worth reading of a response that is otherwise malformed: its bill. */
const billSchema = z.object({ model: modelName.nullish().catch(null), usage: z.unknown().optional() });

type Choice = z.infer<typeof choiceSchema>;

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
 * @throws {ProviderFailure} `empty-response` where there is no body or no choice, `malformed-response` where it is not what the
 * reference describes. A bill that can be read all the same is the failure's billing; otherwise it is unknown.
 *
 * @param status the answer's, 2xx. @param apiKey is taken out of the reported model.
 */
export function readChatCompletion(body: string, status: number, apiKey: string | null): Completion {
  if (body.trim() === '')
    throw new ProviderFailure('empty-response', 'the answer has no body', { billing: 'unknown', status });
  const raw = parseJson(body, status);
  const parsed = responseSchema.safeParse(raw);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new ProviderFailure('malformed-response', `the answer is no chat completion${where && `: see ${where}`}`, {
      billing: billingOf(raw, apiKey),
      status,
    });
  }
  const { choices, model, usage } = parsed.data;
  if (choices.length === 0)
    throw new ProviderFailure('empty-response', 'the answer has no choice', {
      billing: billingOf(raw, apiKey),
      status,
    });
  const contents = choices.flatMap(({ message }) => (message.content ? [message.content] : []));
  const hasOutput = contents.length > 0 || choices.some(({ message }) => Boolean(message.refusal));
  return {
    contents,
    finish: choices.map(finishOf).find((finish) => finish !== 'stop') ?? 'stop',
    tool_calls: choices.reduce((sum, choice) => sum + toolCallsOf(choice), 0),
    reported_model: cleanModel(model, apiKey),
    usage: chatCompletionsUsage(usage, hasOutput),
  };
}

function parseJson(body: string, status: number): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProviderFailure('malformed-response', 'the answer is not JSON', { billing: 'unknown', status });
  }
}

/** Treated as if it had content, so that a zero output is not believed. */
function billingOf(raw: unknown, apiKey: string | null): Billing {
  const bill = billSchema.safeParse(raw);
  const usage = bill.success ? chatCompletionsUsage(bill.data.usage, true) : null;
  return usage === null ? 'unknown' : { usage, reported_model: cleanModel(bill.data?.model, apiKey) };
}

function cleanModel(model: string | null | undefined, apiKey: string | null): string | null {
  return model == null ? null : withoutKey(model, apiKey);
}

function finishOf({ finish_reason, message }: Choice): FinishReason {
  if (message.refusal) return 'refusal';
  return FINISH_REASONS.get(finish_reason ?? '') ?? 'other';
}

function toolCallsOf({ message }: Choice): number {
  return (message.tool_calls?.length ?? 0) + (message.function_call == null ? 0 : 1);
}
