import type { AnswerParts } from '../model-server/model-api.js';

/** The text of a 200 answer: https://platform.claude.com/docs/en/api/messages/create#response, with fields that no client should need. */
export function messageAnswer({ index, request, content, isCut, tokens, failure }: AnswerParts): string {
  const answer: Record<string, unknown> = {
    id: `msg_secret-continuation-${index}`,
    type: 'message',
    role: 'assistant',
    model: failure?.kind === 'changed-model' ? failure.model : request.model,
    content: contentOf(content, failure),
    stop_reason: stopReasonOf(isCut, failure),
    stop_sequence: null,
    stop_details:
      failure?.kind === 'refusal' ? { type: 'refusal', category: null, explanation: 'private words' } : null,
    usage: usageOf(tokens, failure),
    container: null,
  };
  if (failure?.kind === 'missing-usage') delete answer.usage;
  if (failure?.kind === 'without-field') delete answer[failure.field];
  if (failure?.kind === 'oversized') answer.padding = 'x'.repeat(failure.bytes);
  const text = JSON.stringify(answer);
  return failure?.kind === 'nan-usage' ? text.replace(/"input_tokens":\d+/, '"input_tokens":NaN') : text;
}

function contentOf(content: string, failure: AnswerParts['failure']): unknown[] {
  const thinking = [
    { type: 'thinking', thinking: 'private reasoning that must not be kept', signature: 'EqQBsecretsignature' },
    { type: 'redacted_thinking', data: 'EmwKencrypted' },
  ];
  const say = (text: string): unknown => ({ type: 'text', text, citations: null });
  switch (failure?.kind) {
    case 'content':
      return [...thinking, say(failure.content)];
    case 'wrong-json':
      return [...thinking, say('Certainly! Here is the JSON that you asked for.')];
    case 'truncated':
      return [...thinking, say(content.slice(0, Math.floor(content.length / 2)))];
    case 'tool-calls':
      return [...thinking, { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} }];
    case 'several-choices':
      return [...thinking, say(content), say(content)];
    case 'refusal':
    case 'content-filter':
    case 'no-choices':
      return [];
    case 'empty-content':
      return [...thinking, say('')];
    default:
      return [...thinking, say(content)];
  }
}

function stopReasonOf(isCut: boolean, failure: AnswerParts['failure']): string {
  if (isCut || failure?.kind === 'truncated') return 'max_tokens';
  if (failure?.kind === 'refusal' || failure?.kind === 'content-filter') return 'refusal';
  return failure?.kind === 'tool-calls' ? 'tool_use' : 'end_turn';
}

// "Total input tokens in a request is the summation of input_tokens, cache_creation_input_tokens, and cache_read_input_tokens."
function usageOf(tokens: AnswerParts['tokens'], failure: AnswerParts['failure']): unknown {
  if (failure?.kind === 'usage') return failure.usage;
  const share = failure?.kind === 'zero-usage' ? 0 : 1;
  return {
    input_tokens: (tokens.prompt_tokens - tokens.cached_tokens - tokens.written_tokens) * share,
    cache_creation_input_tokens: tokens.written_tokens * share,
    cache_read_input_tokens: tokens.cached_tokens * share,
    cache_creation: { ephemeral_5m_input_tokens: tokens.written_tokens * share, ephemeral_1h_input_tokens: 0 },
    output_tokens: tokens.completion_tokens * share,
    output_tokens_details: { thinking_tokens: tokens.reasoning_tokens * share },
    server_tool_use: null,
    service_tier: 'standard',
    speed: 'standard',
    inference_geo: 'global',
  };
}
