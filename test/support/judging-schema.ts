import { z } from 'zod';

/* `judging` of `run --json`, written down a second time, as test/end-to-end/json.test.ts does the rest. */
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const count = z.int().min(0);
const nano = z.int().min(0);
const score = z.number().min(0).max(1).nullable();

/** Of an arm, by judge. */
export const judgedRows = {
  judged: count,
  correct: count,
  by_rule: count,
  correct_by_rule: count,
  unjudged: count,
  attributed_nano_usd: nano.nullable(),
};
const estimate = {
  estimate: z.number().min(-1).max(1).nullable(),
  lo: z.number().min(-1).max(1).nullable(),
  hi: z.number().min(-1).max(1).nullable(),
  n: count,
};
const judgeResult = z.strictObject({
  judge: z.string(),
  provider: z.string(),
  model: z.string(),
  prompt: z.strictObject({ name: z.string(), digest }),
  repeats: z.int().min(1),
  items: count,
  verdicts: count,
  unanimous: count,
  agreement: z.number().min(0.5).max(1).nullable(),
  attributed_nano_usd: nano.nullable(),
  reported_models: z.array(z.string()),
  labels: z
    .strictObject({
      lines: count,
      n: count,
      left_out: z.strictObject({ stale: count, tied: count, unjudged: count }),
      confusion: z.strictObject({ both_correct: count, judge_only: count, human_only: count, both_incorrect: count }),
      sensitivity: z.strictObject(estimate),
      specificity: z.strictObject(estimate),
      kappa: z.strictObject(estimate),
    })
    .nullable(),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      mean: score,
      rank: z.int().min(1).nullable(),
      ...judgedRows,
      corrected: z.strictObject({ ...estimate, clamped: z.boolean(), reason: z.string().nullable() }).nullable(),
    }),
  ),
});
/** `judging` of the result, where a scorer is a judge. */
export const judgingResult = z.strictObject({
  alpha: z.number(),
  judges: z.array(judgeResult),
  actual_nano_usd: nano,
  uncertain_nano_usd: nano,
  rank_changes: z.array(
    z.strictObject({ judges: z.tuple([z.string(), z.string()]), arms: z.tuple([z.string(), z.string()]) }),
  ),
});
