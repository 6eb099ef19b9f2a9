import { ANSWER, SAID, tokens, type WireAnswer } from './wire-table.js';

const OBJECT = 'https://platform.openai.com/docs/api-reference/responses/object';
const REASONING = 'https://platform.openai.com/docs/guides/reasoning';

const say = (content: readonly object[] = [{ type: 'output_text', text: ANSWER, annotations: [] }]): object => ({
  type: 'message',
  id: 'msg_67ccd2bf17f0819081ff3bb2cf6508e6',
  status: 'completed',
  role: 'assistant',
  content,
});
const usage = (input: number, cached: number, output: number, reasoning: number): object => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});
const response = (parts: object): unknown => ({
  id: 'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
  object: 'response',
  created_at: 1741476542,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-4.1-2025-04-14',
  output: [say()],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  usage: usage(36, 0, 87, 0),
  ...parts,
});

/** The Responses API. */
export const RESPONSES: readonly WireAnswer[] = [
  {
    title: 'an answer',
    page: OBJECT,
    body: response({}),
    kept: SAID,
    usage: tokens({ input_uncached: 36, output: 87 }),
  },
  {
    title: 'cached tokens lie inside the input, reasoning inside the output; the reasoning item is not kept',
    page: REASONING,
    body: response({
      output: [{ id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }, say()],
      usage: usage(2006, 1920, 1186, 1024),
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 86, cache_read: 1920, output: 1186, reasoning: 1024 }),
  },
  {
    title: 'tokens written to the cache lie inside the input',
    page: OBJECT,
    body: response({
      usage: { ...usage(100, 20, 5, 0), input_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 } },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 50, cache_read: 20, cache_write: 30, output: 5 }),
  },
  {
    title: 'incomplete: every token of the limit went into reasoning',
    page: REASONING,
    body: response({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ id: 'rs_1', type: 'reasoning', summary: [] }],
      usage: usage(36, 0, 256, 256),
    }),
    kept: { contents: [], finish: 'length', tool_calls: 0 },
    usage: tokens({ input_uncached: 36, output: 256, reasoning: 256 }),
  },
  {
    title: 'a refusal',
    page: 'https://platform.openai.com/docs/guides/structured-outputs#refusals',
    body: response({ output: [say([{ type: 'refusal', refusal: 'I cannot assist with that request.' }])] }),
    kept: { contents: [], finish: 'refusal', tool_calls: 0 },
    usage: tokens({ input_uncached: 36, output: 87 }),
  },
  {
    title: 'a function call',
    page: 'https://platform.openai.com/docs/guides/function-calling',
    body: response({ output: [{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' }] }),
    kept: { contents: [], finish: 'tool-calls', tool_calls: 1 },
    usage: tokens({ input_uncached: 36, output: 87 }),
  },
  { title: 'no usage', page: OBJECT, body: response({ usage: null }), kept: SAID, usage: null },
  {
    title: 'a usage that does not sum',
    page: OBJECT,
    body: response({ usage: { ...usage(36, 0, 87, 0), total_tokens: 124 } }),
    kept: SAID,
    usage: null,
  },
];
