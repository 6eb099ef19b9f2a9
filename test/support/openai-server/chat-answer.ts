import type { ScriptedFailure } from '../model-server/failure-script.js';
import type { AnswerParts, AnswerTokens } from '../model-server/model-api.js';

/** The text of a 200 answer: https://platform.openai.com/docs/api-reference/chat/object, with the fields that real servers add. */
export function chatAnswer({ index, request, content, isCut, tokens, failure }: AnswerParts): string {
  const answer: Record<string, unknown> = {
    id: `chatcmpl-secret-continuation-${index}`,
    object: 'chat.completion',
    created: 1_700_000_000 + index,
    model: failure?.kind === 'changed-model' ? failure.model : request.model,
    choices: choicesOf(content, isCut, failure),
    usage: usageOf(tokens, failure),
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
  };
  if (failure?.kind === 'missing-usage') delete answer.usage;
  if (failure?.kind === 'without-field') delete answer[failure.field];
  if (failure?.kind === 'oversized') answer.padding = 'x'.repeat(failure.bytes);
  const text = JSON.stringify(answer);
  return failure?.kind === 'nan-usage' ? text.replace(/"prompt_tokens":\d+/, '"prompt_tokens":NaN') : text;
}

function choicesOf(content: string, isCut: boolean, failure: ScriptedFailure | null): unknown[] {
  const good = choice(0, { content }, isCut ? 'length' : 'stop');
  switch (failure?.kind) {
    case 'content':
      return [choice(0, { content: failure.content }, 'stop')];
    case 'wrong-json':
      return [choice(0, { content: 'Certainly! Here is the JSON that you asked for.' }, 'stop')];
    case 'truncated':
      return [choice(0, { content: content.slice(0, Math.floor(content.length / 2)) }, 'length')];
    case 'refusal':
      return [choice(0, { content: null, refusal: 'I cannot help with that.' }, 'stop')];
    case 'content-filter':
      return [choice(0, { content: '' }, 'content_filter')];
    case 'tool-calls':
      return [choice(0, { content: null, tool_calls: [TOOL_CALL] }, 'tool_calls')];
    case 'several-choices':
      return [good, choice(1, { content }, 'stop')];
    case 'no-choices':
      return [];
    case 'empty-content':
      return [choice(0, { content: '' }, 'stop')];
    default:
      return [good];
  }
}

const TOOL_CALL = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } };

function choice(index: number, message: Record<string, unknown>, finish_reason: string): unknown {
  return {
    index,
    message: {
      role: 'assistant',
      refusal: null,
      annotations: [],
      // Reasoning models behind compatible servers put their thoughts here.
      reasoning_content: 'private reasoning that must not be kept',
      ...message,
    },
    logprobs: null,
    finish_reason,
  };
}

function usageOf(tokens: AnswerTokens, failure: ScriptedFailure | null): unknown {
  if (failure?.kind === 'usage') return failure.usage;
  const honest = failure?.kind === 'zero-usage' ? NOTHING : tokens;
  return {
    prompt_tokens: honest.prompt_tokens,
    completion_tokens: honest.completion_tokens,
    total_tokens: honest.prompt_tokens + honest.completion_tokens,
    prompt_tokens_details: {
      cached_tokens: honest.cached_tokens,
      ...(honest.written_tokens > 0 && { cache_write_tokens: honest.written_tokens }),
      audio_tokens: 0,
    },
    completion_tokens_details: { reasoning_tokens: honest.reasoning_tokens, audio_tokens: 0 },
  };
}

const NOTHING: AnswerTokens = {
  prompt_tokens: 0,
  cached_tokens: 0,
  written_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
};
