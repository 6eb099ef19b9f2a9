import { ANSWER, SAID, tokens, type WireAnswer } from './wire-table.js';

const OPENAI = 'https://platform.openai.com/docs/api-reference/chat/object';
const CACHING = 'https://platform.openai.com/docs/guides/prompt-caching';
const REFUSALS = 'https://platform.openai.com/docs/guides/structured-outputs#refusals';

const answer = (usage: unknown, choice: object = {}, message: object = {}): unknown => ({
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion',
  created: 1741569952,
  model: 'gpt-4.1-2025-04-14',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: ANSWER, refusal: null, annotations: [], ...message },
      logprobs: null,
      finish_reason: 'stop',
      ...choice,
    },
  ],
  ...(usage === undefined ? {} : { usage }),
  service_tier: 'default',
});
const plain = { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 };

/** Chat Completions: OpenAI's, and those of servers that speak it. */
export const CHAT_COMPLETIONS: readonly WireAnswer[] = [
  {
    title: 'OpenAI: details all 0',
    page: OPENAI,
    body: answer({
      ...plain,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'OpenAI: cached tokens lie inside the prompt',
    page: CACHING,
    body: answer({
      prompt_tokens: 2006,
      completion_tokens: 300,
      total_tokens: 2306,
      prompt_tokens_details: { cached_tokens: 1920 },
      completion_tokens_details: { reasoning_tokens: 0 },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 86, cache_read: 1920, output: 300 }),
  },
  {
    title: 'OpenAI: reasoning lies inside the completion',
    page: 'https://platform.openai.com/docs/guides/reasoning#managing-the-context-window',
    body: answer({
      prompt_tokens: 75,
      completion_tokens: 1186,
      total_tokens: 1261,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 1024 },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 75, output: 1186, reasoning: 1024 }),
  },
  {
    title: 'OpenAI: a refusal',
    page: REFUSALS,
    body: answer(plain, {}, { content: null, refusal: "I'm sorry, I cannot assist with that request." }),
    kept: { contents: [], finish: 'refusal', tool_calls: 0 },
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'OpenAI: cut at the limit',
    page: OPENAI,
    body: answer(plain, { finish_reason: 'length' }, { content: '{"abst' }),
    kept: { contents: ['{"abst'], finish: 'length', tool_calls: 0 },
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'OpenAI: a tool call',
    page: OPENAI,
    body: answer(
      plain,
      { finish_reason: 'tool_calls' },
      {
        content: null,
        tool_calls: [{ id: 'call_abc123', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ),
    kept: { contents: [], finish: 'tool-calls', tool_calls: 1 },
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'OpenRouter: null details, a cost that is not read',
    page: 'https://openrouter.ai/docs/use-cases/usage-accounting',
    body: answer({
      ...plain,
      cost: 0.95,
      cost_details: { upstream_inference_cost: 0.9 },
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: null },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 10, cache_read: 4, cache_write: 5, output: 10 }),
  },
  {
    title: 'vLLM: prompt details null, reasoning beside the content',
    page: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    body: answer(
      { ...plain, prompt_tokens_details: null },
      { stop_reason: null },
      { reasoning_content: 'hm', tool_calls: [] },
    ),
    kept: SAID,
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'Ollama: three counts, no details',
    page: 'https://docs.ollama.com/api/openai-compatibility',
    body: answer(plain),
    kept: SAID,
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'llama.cpp: timings beside the usage',
    page: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
    body: { ...(answer(plain) as object), timings: { prompt_n: 19, predicted_n: 10 } },
    kept: SAID,
    usage: tokens({ input_uncached: 19, output: 10 }),
  },
  {
    title: 'a server whose total counts thinking that its parts leave out: nothing says what is billed',
    page: 'https://github.com/mozilla-ai/any-llm/issues/1290',
    body: answer({ prompt_tokens: 19, completion_tokens: 10, total_tokens: 129 }),
    kept: SAID,
    usage: null,
  },
  { title: 'no usage', page: OPENAI, body: answer(undefined), kept: SAID, usage: null },
];
