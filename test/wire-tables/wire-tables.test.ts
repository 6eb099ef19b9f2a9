import { describe, expect, it } from 'vitest';
import { readMessage } from '../../src/provider/anthropic/messages-response.js';
import { readChatCompletion } from '../../src/provider/openai/chat-completions-response.js';
import { readEmbeddings } from '../../src/provider/openai/embeddings-response.js';
import { readResponse } from '../../src/provider/openai/responses-response.js';
import { CHAT_COMPLETIONS } from './chat-completions.js';
import { MESSAGES } from './messages.js';
import { RESPONSES } from './responses.js';
import { tokens } from './wire-table.js';

/* Answers as the public references describe them, with what is kept of each, and its usage in disjoint parts. */

describe.each([
  ['Chat Completions', readChatCompletion, CHAT_COMPLETIONS],
  ['Responses', readResponse, RESPONSES],
  ['Messages', readMessage, MESSAGES],
] as const)('answers of %s', (_name, read, table) => {
  it.each(table)('LG-8 R-28 FB-7 $title ($page)', ({ body, kept, usage }) => {
    const { reported_model, ...completion } = read(JSON.stringify(body), 200, null);
    expect(completion).toEqual({ ...kept, usage });
    expect(reported_model).toBe((body as { model: string }).model);
  });
});

describe('answers of Embeddings', () => {
  const page = 'https://platform.openai.com/docs/api-reference/embeddings/create';
  const answer = (usage: unknown) => ({
    object: 'list',
    data: [{ object: 'embedding', embedding: [0.5, -0.25], index: 0 }],
    model: 'text-embedding-3-small',
    usage,
  });
  it.each([
    ['OpenAI', page, { prompt_tokens: 8, total_tokens: 8 }, tokens({ input_uncached: 8 })],
    [
      'Ollama',
      'https://docs.ollama.com/api/openai-compatibility',
      { prompt_tokens: 8, total_tokens: 8 },
      tokens({ input_uncached: 8 }),
    ],
    [
      'vLLM',
      'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
      { prompt_tokens: 8, total_tokens: 8, completion_tokens: 0, prompt_tokens_details: null },
      tokens({ input_uncached: 8 }),
    ],
    ['no usage', page, undefined, null],
    ['a total above the prompt', page, { prompt_tokens: 8, total_tokens: 9 }, null],
  ])('LG-8 %s (%s)', (_title, _page, usage, expected) => {
    const result = readEmbeddings({ count: 1, dimensions: 2 }, JSON.stringify(answer(usage)), 200, null);
    expect(result).toEqual({
      vectors: [Float32Array.from([0.5, -0.25])],
      reported_model: 'text-embedding-3-small',
      usage: expected,
    });
  });
});
