import { ANSWER, SAID, tokens, type WireAnswer } from './wire-table.js';

const MESSAGE = 'https://platform.claude.com/docs/en/api/messages/create';
const CACHING = 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance';
const STOPS = 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons';

const message = (parts: object): unknown => ({
  id: 'msg_013Zva2CMHLNnjNjJJKqJ2EF',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  content: [{ type: 'text', text: ANSWER }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 2095, output_tokens: 503 },
  ...parts,
});
const whole = tokens({ input_uncached: 2095, output: 503 });

/** Anthropic's Messages API. */
export const MESSAGES: readonly WireAnswer[] = [
  { title: 'an answer', page: MESSAGE, body: message({}), kept: SAID, usage: whole },
  {
    title: 'cached tokens lie outside input_tokens: read and written ones are added to it',
    page: CACHING,
    body: message({
      usage: {
        input_tokens: 50,
        cache_read_input_tokens: 100_000,
        cache_creation_input_tokens: 248,
        cache_creation: { ephemeral_5m_input_tokens: 248, ephemeral_1h_input_tokens: 0 },
        output_tokens: 503,
        service_tier: 'standard',
      },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 50, cache_read: 100_000, cache_write: 248, output: 503 }),
  },
  {
    title: 'a text of a block that is no text block is no answer, and is not kept',
    page: MESSAGE,
    body: message({
      content: [
        { type: 'redacted_thinking', data: 'x', text: 'private reasoning' },
        { type: 'text', text: ANSWER },
      ],
    }),
    kept: SAID,
    usage: whole,
  },
  {
    title: 'cache writes of an hour, which nobody asked for and the table does not price',
    page: CACHING,
    body: message({
      usage: {
        input_tokens: 50,
        cache_creation_input_tokens: 556,
        cache_creation: { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 100 },
        output_tokens: 503,
      },
    }),
    kept: SAID,
    usage: null,
  },
  {
    title: 'thinking lies inside output_tokens, and is not kept',
    page: 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
    body: message({
      content: [
        { type: 'thinking', thinking: 'Let me see', signature: 'EqQBCgIYAhIM' },
        { type: 'redacted_thinking', data: 'EmwKAhgB' },
        { type: 'text', text: ANSWER },
      ],
      usage: { input_tokens: 2095, output_tokens: 503, output_tokens_details: { thinking_tokens: 400 } },
    }),
    kept: SAID,
    usage: tokens({ input_uncached: 2095, output: 503, reasoning: 400 }),
  },
  {
    title: 'cut at max_tokens',
    page: STOPS,
    body: message({ stop_reason: 'max_tokens', content: [{ type: 'text', text: '{"abst' }] }),
    kept: { contents: ['{"abst'], finish: 'length', tool_calls: 0 },
    usage: whole,
  },
  {
    title: 'a refusal',
    page: STOPS,
    body: message({
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: null },
      content: [],
      usage: { input_tokens: 2095, output_tokens: 0 },
    }),
    kept: { contents: [], finish: 'refusal', tool_calls: 0 },
    usage: tokens({ input_uncached: 2095 }),
  },
  {
    title: 'a tool call',
    page: STOPS,
    body: message({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name: 'f', input: {} }],
    }),
    kept: { contents: [], finish: 'tool-calls', tool_calls: 1 },
    usage: whole,
  },
  { title: 'no usage', page: MESSAGE, body: message({ usage: undefined }), kept: SAID, usage: null },
];
