import { z } from 'zod';
import { count, digest, nano, type ObjectSchema, score } from './result-fields.js';

const judgedCounts = {
  judged: count,
  correct: count,
  by_rule: count,
  correct_by_rule: count,
  unjudged: count,
  attributed_nano_usd: nano.nullable(),
};

/** What judges made of one arm's rows. */
export const judgedRowsSchema = (object: ObjectSchema) => object(judgedCounts);

const share = z.number().min(-1).max(1).nullable();
const estimate = { estimate: share, lo: share, hi: share, n: count };

/** `judging` of a run's result (OB-7), where a scorer is a judge. */
export const judgingResultSchema = (object: ObjectSchema) =>
  object({
    alpha: z.number(),
    judges: z.array(judgeResult(object)),
    actual_nano_usd: nano,
    uncertain_nano_usd: nano,
    rank_changes: z.array(
      object({ judges: z.tuple([z.string(), z.string()]), arms: z.tuple([z.string(), z.string()]) }),
    ),
  });

const judgeResult = (object: ObjectSchema) =>
  object({
    judge: z.string(),
    provider: z.string(),
    model: z.string(),
    prompt: object({ name: z.string(), digest }),
    repeats: z.int().min(1),
    items: count,
    verdicts: count,
    unanimous: count,
    agreement: z.number().min(0.5).max(1).nullable(),
    attributed_nano_usd: nano.nullable(),
    reported_models: z.array(z.string()),
    labels: object({
      lines: count,
      n: count,
      left_out: object({ stale: count, tied: count, unjudged: count }),
      confusion: object({ both_correct: count, judge_only: count, human_only: count, both_incorrect: count }),
      sensitivity: object(estimate),
      specificity: object(estimate),
      kappa: object(estimate),
    }).nullable(),
    arms: z.array(
      object({
        arm: z.string(),
        mean: score,
        rank: z.int().min(1).nullable(),
        ...judgedCounts,
        corrected: object({ ...estimate, clamped: z.boolean(), reason: z.string().nullable() }).nullable(),
      }),
    ),
  });
