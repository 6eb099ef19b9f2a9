import { z } from 'zod';
import { isCivilTime } from '../core/civil-time.js';
import { DIGEST_PATTERN } from '../core/digest.js';
import { usdProblem } from '../ledger/money.js';
import { armSchema } from './arm-schema.js';
import { NAME, positive } from './fields.js';

/** The matrix file as it is written (MX-1). `schema matrix` prints its JSON Schema; what it accepts and a later version will build is refused by `not-built-yet.ts`. */

const usd = (use: 'amount' | 'price') =>
  z.string({ error: (issue) => usdProblem(issue.input, use) ?? undefined }).superRefine((text, context) => {
    const problem = usdProblem(text, use);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });
const ENV_NAME = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');

const parameters = {
  max_output_tokens: positive(1_000_000),
  temperature: z.number().min(0).max(2).nullable().default(0),
  top_p: z.number().gt(0).max(1).nullable().default(null),
  seed: z.int().nullable().default(null),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high']).nullable().default(null),
};

const modelChoice = (defaultOutputTokens: number) =>
  z.strictObject({
    provider: NAME,
    model: z.string().min(1).max(200),
    ...parameters,
    max_output_tokens: parameters.max_output_tokens.default(defaultOutputTokens),
  });

const openaiProvider = z
  .strictObject({
    kind: z.literal('openai'),
    wire_api: z.enum(['chat-completions', 'responses']).default('chat-completions'),
    base_url: z.string().max(2000).optional(),
    url_env: ENV_NAME.optional(),
    endpoint_name: NAME.optional(),
    api_key_env: ENV_NAME.nullable().default('OPENAI_API_KEY'),
    timeout_ms: positive(3_600_000).default(120_000),
    overhead_tokens: z.int().min(0).max(100_000).default(256),
  })
  .describe('OpenAI, or any server that speaks its API.');

const provider = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local') }).describe('Offline, deterministic models inside this package.'),
  z
    .strictObject({ kind: z.literal('transcript') })
    .describe("Completions formed elsewhere: each fixture's formation.transcript.jsonl."),
  openaiProvider,
  z
    .strictObject({ kind: z.literal('anthropic') })
    .loose()
    .describe('Not built yet.'),
]);

const formation = z.strictObject({
  formation_bank_directory: z.string().min(1).default('./banks'),
  bank: z.enum(['record-if-missing', 'replay-only', 'record-only', 'off']).default('record-if-missing'),
  pinned: z
    .record(z.string(), z.string().regex(DIGEST_PATTERN, 'expected sha256: and 64 hexadecimal digits'))
    .default({}),
  policy: z.string().default('facts@1'),
  persistence: z.enum(['supersede', 'append']).default('supersede'),
  profile: modelChoice(4096),
  attempts: positive(10).default(2),
  replicates: positive(100).default(1),
});

/** One tier or a flat price, in USD a million tokens. */
const priceFields = {
  input: usd('price'),
  cache_read: usd('price').nullable().default(null),
  cache_write: usd('price').nullable().default(null),
  output: usd('price'),
};
const inlinePrice = z.strictObject({
  as_of: z.string().refine((text) => isCivilTime(`${text}T00:00:00`), 'expected a date, YYYY-MM-DD'),
  source: z.string().nullable().default(null),
  ...priceFields,
});

export const matrixSchema = z
  .strictObject({
    version: z.literal(1),
    name: NAME,
    budget_usd: usd('amount').describe('The most that one run may spend and hold, in US dollars.'),
    fixtures: z.array(z.string().min(1)).min(1).describe('Folders and globs, relative to this file.'),
    load: z
      .strictObject({
        questions: z.union([z.literal('all'), z.array(z.string()).min(1)]).default('all'),
        categories: z.array(z.string()).min(1).optional(),
        repeats: positive(100).default(1),
        sample: positive(1_000_000).optional(),
        seed: z.union([z.string(), z.int()]).transform(String).optional(),
      })
      .prefault({}),
    formation: z.union([z.literal('none'), formation]),
    context: z.strictObject({ tokens: positive(2_000_000).default(1500) }).prefault({}),
    reader: modelChoice(256).extend({
      prompt: z.string().min(1).default('short-answer').describe("A preset's name, or a file's path."),
    }),
    query_preparation: z
      .union([
        z.literal('off'),
        z.strictObject({ embedding: z.strictObject({ provider: NAME, model: z.string().min(1) }) }),
      ])
      .optional(),
    providers: z.record(NAME, provider),
    prices: z
      .union([z.string().min(1), z.record(z.string(), inlinePrice)])
      .default({})
      .describe('A price table file, or prices by model.'),
    arms: z.array(armSchema).min(1).max(200),
    axes: z
      .record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()])).min(1))
      .default({})
      .describe('Dotted keys of an arm, with the values that multiply the arms (docs/axes.md).'),
    modules: z
      .strictObject({ time_limit_ms: positive(600_000).default(10_000) })
      .prefault({})
      .describe("What bounds a user's own modules (docs/modules.md)."),
    baseline: NAME.optional(),
    scoring: z.array(z.string()).min(1).default(['token-f1', 'exact-match', 'evidence-recall@10']),
    analysis: z
      .strictObject({
        primary: z.string().default('token-f1'),
        contrasts: z.array(z.tuple([NAME, NAME])).default([]),
        alpha: z.number().gt(0).lt(1).default(0.05),
        power: z.number().gt(0).lt(1).default(0.8),
        margin: z.number().min(0).max(1).default(0.02),
      })
      .prefault({}),
    output: z
      .strictObject({ folder: z.string().min(1) })
      .optional()
      .describe('Where run folders are written, relative to this file; --out on the command line replaces it.'),
    concurrency: positive(256).default(4),
    seed: z.union([z.string(), z.int()]).transform(String).default('1').describe('Seeds the order of the arms.'),
  })
  .describe('A recall-matrix matrix.');

/** The matrix as its author wrote it, defaults filled in. */
export type AuthoredMatrix = z.output<typeof matrixSchema>;
