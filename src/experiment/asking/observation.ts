import { z } from 'zod';
import { DIGEST_PATTERN } from '../../core/digest.js';
import { RECALL_MODES, STRATEGIES } from '../../memory/memory.js';
import { LOOKUP_MISSES } from '../../memory/query-preparation/query-preparation.js';
import { SEARCH_LIMIT } from '../../memory/reader/deliberation.js';
import { MISS_CAUSES } from '../../scoring/miss.js';
import { CAUSE_STAGES, ERROR_KINDS } from './row-cause.js';

/** Who makes the queries (RT-8). */
export const RECALLS = ['automatic', 'deliberate'] as const;

const digest = z.string().regex(DIGEST_PATTERN);
const count = z.int().min(0);
const amount = z.int().min(0).describe('integer nano-dollars');
const milliseconds = z.number().min(0);

const usage = z.strictObject({
  input_uncached: count,
  cache_read: count,
  cache_write: count,
  output: count,
  reasoning: count,
});

/** Cost of one stage as it would have been on its own (OB-2). Null: unknown, or unpriced. */
const attributedStage = z.strictObject({ usage: usage.nullable(), nano_usd: amount.nullable() });

/** One line of `arms/<arm>/<fixture>.observations.jsonl` (OB-1). */
export const observationSchema = z
  .strictObject({
    format: z.literal('observation@1'),
    run: z.string(),
    matrix: digest,
    fixture: z.string(),
    corpus: digest,
    bank: digest.nullable(),
    vector_bank: digest.nullable(),
    load: digest,
    labels: digest,
    prompt: digest,
    state: digest.nullable(),
    arm: z.string(),
    reference: z.boolean(),
    oracle: z.boolean().describe('the retrieval was handed the ids of the evidence turns'),
    position: count.describe('place in the load, from 0'),
    question: z.string(),
    repeat: z.int().min(1),
    replicate: z.int().min(1).describe('which of the banks of one identity (FB-18); 1 where there are none'),
    category: z.string(),
    answerable: z.boolean(),
    parity: z.enum(['equal', 'unpaired', 'not-applicable']),
    replayed_calls: count,
    strategy: z.enum(STRATEGIES),
    unit: z.enum(['beliefs', 'turns']).nullable(),
    mode: z.enum(RECALL_MODES).describe('the recall mode (RT-1)'),
    recall: z.enum(RECALLS).default('automatic').describe('who makes the queries (RT-8)'),
    searches: z
      .array(
        z.strictObject({
          query: z.string(),
          subjects: z.array(z.string()),
          effective_strategy: z.enum(STRATEGIES),
          lookup_miss: z.enum(LOOKUP_MISSES).nullable(),
          retrieved: z.array(z.string()).describe('ids of what it found, best first'),
          new_lines: count.describe('lines that it added to the context'),
          request: digest.describe('the exact request that it was the answer to, in requests/'),
        }),
      )
      .max(SEARCH_LIMIT)
      .default([])
      .describe('of a deliberate reader, in order; none where it recalled nothing of its own'),
    effective_strategy: z
      .enum(STRATEGIES)
      .nullable()
      .describe(
        'of several searches that of the first that missed, else of the first; none where nothing was searched',
      ),
    lookup_miss: z.enum(LOOKUP_MISSES).nullable().describe('of several searches the first'),
    retrieved: z.array(
      z.strictObject({
        id: z.string(),
        rank: z.int().min(1),
        score: z.number().nullable(),
        sources: z.array(z.string()),
        tokens: count
          .nullable()
          .describe('of its context line, whether it fitted or not; null where no context was assembled'),
      }),
    ),
    lessons: z.array(z.string()),
    context: z
      .strictObject({ tokens: count, digest, included: z.array(z.string()), left_out: z.array(z.string()) })
      .nullable(),
    answer: z.string().nullable(),
    abstained: z.boolean().nullable(),
    scores: z
      .record(z.string(), z.number().min(0).max(1).nullable())
      .describe('null where the row has none: n/a, failed or lost'),
    applicable: z
      .array(z.string())
      .describe('the scorers that apply to this row, whether it was answered or not: the denominators'),
    miss: z
      .strictObject({
        cause: z.enum(MISS_CAUSES),
        turns: z.array(z.string()).describe('the evidence turns lost there'),
      })
      .nullable()
      .describe('where a wrong answer was lost; null where the answer is not wrong, or has no score that says so'),
    judgements: z
      .record(
        z.string(),
        z.strictObject({
          by: z
            .enum(['judge', 'rule'])
            .nullable()
            .describe('rule: the abstention decides; null: the judge gave no verdict'),
          request: digest.nullable().describe('the exact request, in requests/; its verdicts, in judgements.jsonl'),
          correct: count.describe('verdicts that hold the answer to be correct'),
          verdicts: count,
          nano_usd: amount.nullable().describe('what the verdicts cost on their own: no part of `attributed`'),
          cause: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
        }),
      )
      .describe('by judge, of an answered row'),
    outcome: z.strictObject({
      kind: z.enum(['answered', 'failed', 'refused', 'skipped']),
      cause: z
        .strictObject({
          stage: z.enum(CAUSE_STAGES),
          kind: z.enum(ERROR_KINDS),
          code: z.string(),
          message: z.string(),
          remedy: z.string().nullable(),
          own_making: z.boolean().describe('false where the provider or the budget lost the row: it leaves every mean'),
        })
        .nullable(),
    }),
    timings_ms: z.strictObject({ recall: milliseconds, context: milliseconds, reader: milliseconds }).nullable(),
    attributed: z.strictObject({
      formation: attributedStage,
      index: attributedStage,
      query: attributedStage,
      reader: attributedStage,
      nano_usd: amount.nullable(),
    }),
    actual: z.strictObject({
      calls: count.describe('new sends: a replayed or in-process call is none'),
      usage: usage.nullable(),
      nano_usd: amount,
      uncertain_nano_usd: amount,
    }),
    reported_models: z.array(z.string()),
    request: digest.nullable().describe('the exact reader request, in requests/'),
  })
  .describe('One question and repeat under one arm.');

/** One row. */
export type Observation = z.output<typeof observationSchema>;
