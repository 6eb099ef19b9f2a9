import { z } from 'zod';
import { DEFAULT_RETRY_RULE, RETRIED_FAILURES } from '../provider/retry-rule.js';
import { ENV_NAME, NAME, positive } from './fields.js';

const retry = z
  .strictObject({
    attempts: positive(10)
      .default(DEFAULT_RETRY_RULE.attempts)
      .describe('tries of a call, the first included; formation has its own number'),
    on: z
      .array(z.enum(RETRIED_FAILURES))
      .default([...DEFAULT_RETRY_RULE.on])
      .describe('what failures are tried again'),
    max_wait_ms: positive(3_600_000)
      .default(DEFAULT_RETRY_RULE.max_wait_ms)
      .describe('a server that asks for a longer wait gets no further try; back-off ends here too'),
  })
  .prefault({});

/** What every provider that sends is told. */
const remote = {
  base_url: z.string().max(2000).optional(),
  url_env: ENV_NAME.optional(),
  endpoint_name: NAME.optional(),
  region: NAME.optional().describe("where it handles what is sent to it, for fixtures' `residency`"),
  timeout_ms: positive(3_600_000).default(120_000),
  requests_per_minute: positive(1_000_000).nullable().default(null),
  tokens_per_minute: positive(1_000_000_000).nullable().default(null),
  retry,
};

/** An entry under `providers`, as it is written. */
export const providerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local') }).describe('Offline, deterministic models inside this package.'),
  z
    .strictObject({ kind: z.literal('transcript') })
    .describe("Completions formed elsewhere: each fixture's formation.transcript.jsonl."),
  z
    .strictObject({
      kind: z.literal('openai'),
      wire_api: z.enum(['chat-completions', 'responses']).default('chat-completions'),
      output_limit_field: z
        .enum(['max_completion_tokens', 'max_tokens'])
        .default('max_completion_tokens')
        .describe('where a Chat Completions server takes the output limit'),
      ...remote,
      api_key_env: ENV_NAME.nullable().default('OPENAI_API_KEY'),
      overhead_tokens: z.int().min(0).max(100_000).default(256),
    })
    .describe('OpenAI, or any server that speaks its API.'),
  z
    .strictObject({
      kind: z.literal('anthropic'),
      ...remote,
      api_key_env: ENV_NAME.nullable().default('ANTHROPIC_API_KEY'),
      overhead_tokens: z.int().min(0).max(100_000).default(1024),
    })
    .describe("Anthropic's Messages API."),
]);
