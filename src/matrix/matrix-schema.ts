import { z } from 'zod';
import { DIGEST_PATTERN } from '../core/digest.js';
import { SENSITIVITIES } from '../fixture/history.js';
import { usdProblem } from '../ledger/money.js';
import { inlinePriceSchema } from '../provider/prices.js';
import { armSchema } from './arm-schema.js';
import { DEFAULT_CEILINGS_USD } from './embedding-ceilings.js';
import { ENV_NAME, NAME, positive } from './fields.js';
import { providerSchema } from './provider-schema.js';

/** The matrix file as it is written (MX-1). `schema matrix` prints its JSON Schema; what single fields do not show is in `check-matrix.ts`. */

const digestText = z.string().regex(DIGEST_PATTERN, 'expected sha256: and 64 hexadecimal digits');
const usd = (use: 'amount' | 'price') =>
  z.string({ error: (issue) => usdProblem(issue.input, use) ?? undefined }).superRefine((text, context) => {
    const problem = usdProblem(text, use);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });
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

const formation = z.strictObject({
  formation_bank_directory: z.string().min(1).default('./banks'),
  bank: z.enum(['record-if-missing', 'replay-only', 'record-only', 'off']).default('record-if-missing'),
  pinned: z
    .record(z.string(), z.union([digestText, z.array(digestText).min(1)]))
    .default({})
    .describe('By fixture: a bank pinned by digest, or a list of them, the first replicate first.'),
  policy: z.string().default('facts@1'),
  persistence: z.enum(['supersede', 'append']).default('supersede'),
  profile: modelChoice(4096),
  attempts: positive(10).default(2),
  replicates: positive(100).default(1).describe('Banks of one identity that are recorded of each fixture.'),
});

const embedding = z.strictObject({
  provider: NAME,
  model: z.string().min(1).max(200),
  dimensions: positive(65_536).optional().describe('the length of a vector; required of a provider that sends'),
  send_dimensions: z.boolean().optional().describe('send it as the `dimensions` that the model is to shorten to'),
});

const ceilings = z
  .strictObject({
    request_usd: usd('amount').default(DEFAULT_CEILINGS_USD.request_usd),
    day_usd: usd('amount').default(DEFAULT_CEILINGS_USD.day_usd),
  })
  .describe(
    "The most that one embedding request, and all of an owner's within a UTC day, may be charged; of a provider that sends.",
  );

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
        sample: positive(1_000_000)
          .optional()
          .describe('How many of these questions to draw, by fixture and category.'),
        seed: z.union([z.string(), z.int()]).transform(String).optional().describe('Seed of the sample; default 1.'),
      })
      .prefault({}),
    formation: z.union([z.literal('none'), formation]),
    context: z.strictObject({ tokens: positive(2_000_000).default(1500) }).prefault({}),
    reader: modelChoice(256).extend({
      prompt: z.string().min(1).default('short-answer').describe("A preset's name, or a file's path."),
    }),
    judges: z
      .record(
        NAME,
        modelChoice(512).extend({
          prompt: z.string().min(1).default('correctness').describe("A preset's name, or a file's path."),
          repeats: positive(25).default(1).describe('Verdicts on each answer; more than half decide.'),
          labels: z.string().min(1).optional().describe("A file of people's own verdicts, JSON lines."),
        }),
      )
      .default({})
      .describe('Models that judge answers, asked for by scorers `judge:NAME`.'),
    query_preparation: z
      .union([
        z.literal('off'),
        z.strictObject({
          embedding,
          ceilings: ceilings.optional(),
          sensitivity_floor: z
            .enum(SENSITIVITIES)
            .default('internal')
            .describe(
              'the least sensitivity that questions and items are taken to have; only public and internal text is embedded',
            ),
        }),
      ])
      .optional(),
    vector_banks: z
      .strictObject({
        directory: z.string().min(1).optional().describe('Default: formation_bank_directory, or ./banks.'),
        bank: z
          .enum(['record-if-missing', 'replay-only', 'off'])
          .optional()
          .describe("Default: as formation's: replay-only, off, or else record-if-missing."),
        pinned: z
          .record(
            z.string(),
            z.strictObject({
              beliefs: digestText.nullable().default(null),
              turns: digestText.nullable().default(null),
            }),
          )
          .default({})
          .describe('By fixture and unit: a vector bank pinned by digest.'),
      })
      .prefault({}),
    providers: z.record(NAME, providerSchema),
    prices: z
      .union([z.string().min(1), z.record(z.string().min(1).max(200), inlinePriceSchema)])
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
    aa: NAME.optional().describe(
      'An arm that runs twice, the second time as NAME-aa: the noise floor; --aa on the command line replaces it.',
    ),
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
    ledger: z
      .discriminatedUnion('home', [
        z.strictObject({ home: z.literal('file') }),
        z.strictObject({ home: z.literal('postgres'), url_env: ENV_NAME.optional() }),
      ])
      .default({ home: 'file' })
      .describe(
        "Where a run's ledger lives: in its folder, or in Postgres, at the URL in the variable `url_env`, else in the control database of the run's server.",
      ),
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
