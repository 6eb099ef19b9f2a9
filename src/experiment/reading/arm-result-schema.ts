import { z } from 'zod';
import { MISS_CAUSES } from '../../scoring/miss.js';
import { judgedRowsSchema } from './judging-result-schema.js';
import { count, nano, type ObjectSchema, score } from './result-fields.js';

/** One arm of a run's result. */
export const armResultSchema = (object: ObjectSchema) => {
  const details = z.record(z.string(), scoreDetail(object));
  return object({
    arm: z.string(),
    /** Absent where an earlier version wrote it. */
    aa_of: z.string().nullable().default(null),
    status: z.enum(['complete', 'refused', 'failed', 'incomplete']),
    reason: z.string().nullable(),
    reference: z.boolean(),
    oracle: z.boolean(),
    unit: z.enum(['beliefs', 'turns']).nullable(),
    recall: z.enum(['automatic', 'deliberate']),
    searches: count,
    degraded: z.boolean(),
    lookup_misses: z.record(z.string(), z.int().min(1)),
    questions: count,
    answered: count,
    failed: count,
    lost: count,
    abstained: count,
    replayed_calls: count,
    parity: z.enum(['equal', 'changed', 'unpaired', 'not-applicable', 'not-reached']),
    scores: z.record(z.string(), score),
    score_details: details,
    between_banks: betweenBanks(object).nullable(),
    by_category: z.record(z.string(), details),
    by_answerable: object({ answerable: details, unanswerable: details }),
    lessons: object({ injected_rows: count, in_sample: details, out_of_sample: details }).nullable(),
    misses: object({
      scorer: z.string().nullable(),
      below: z.number(),
      n: count,
      causes: z.record(z.enum(MISS_CAUSES), count),
    }),
    judging: z.record(z.string(), judgedRowsSchema(object)),
    context_tokens: object({
      p50: z.number().nullable(),
      p95: z.number().nullable(),
      mean: z.number().nullable(),
    }),
    attributed_nano_usd: nano.nullable(),
    costs: object({
      fixed_nano_usd: nano.nullable(),
      marginal_nano_usd: nano.nullable(),
      break_even_questions: count.nullable(),
    }),
    actual_nano_usd: nano,
    uncertain_nano_usd: nano,
    reported_models: z.array(z.string()),
  });
};

const scoreDetail = (object: ObjectSchema) =>
  object({
    mean: score,
    mean_without_failures: score,
    n: count,
    questions: count,
    failed: count,
    lo: z.number().nullable(),
    hi: z.number().nullable(),
    method: z.string(),
    clusters: count,
  });

const betweenBanks = (object: ObjectSchema) =>
  object({
    scorer: z.string(),
    replicates: count,
    questions: count,
    means: z.array(score),
    between_mean_square: z.number().nullable(),
    residual_mean_square: z.number().nullable(),
    estimate: z.number().nullable(),
    component: z.number().nullable(),
  });
