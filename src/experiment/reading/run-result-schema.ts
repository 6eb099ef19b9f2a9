import { z } from 'zod';
import { ERROR_KINDS } from '../asking/row-cause.js';
import type { RunResult } from '../experiment.js';
import { armResultSchema } from './arm-result-schema.js';
import { formationResultSchema } from './formation-result-schema.js';
import { judgingResultSchema } from './judging-result-schema.js';
import { count, digest, nano, type ObjectSchema, score } from './result-fields.js';

const reasons = z.record(z.string(), z.int().min(1));

/**
 * `run-result@1` as a schema, an independent statement of the format beside the type that the program is written to. Fields may be added, here
 * and there; none may go or change its meaning.
 *
 * @param object whether more than is stated is refused.
 */
export const runResultSchemaOf = (object: ObjectSchema): z.ZodType<RunResult> =>
  object({
    format: z.literal('run-result@1'),
    run: z.string().min(1),
    path: z.string().startsWith('/'),
    matrix: digest,
    status: z.enum(['complete', 'incomplete', 'refused']),
    resume: z
      .string()
      .regex(/^recall-matrix (run --resume|rescore) /)
      .nullable(),
    replicates: count.nullable(),
    formation: z.array(formationResultSchema(object)),
    arms: z.array(armResultSchema(object)),
    ledger: object({
      limit_nano_usd: nano,
      spent_nano_usd: nano,
      held_nano_usd: nano,
      uncertain_nano_usd: nano,
      sends: count,
      breached: z.boolean(),
      by_arm_and_stage: z.array(
        object({
          arm: z.string().nullable(),
          stage: z.string(),
          sends: count,
          spent_nano_usd: nano,
          held_nano_usd: nano,
          uncertain_nano_usd: nano,
        }),
      ),
    }),
    query_preparation: object({
      queries: count,
      prepared: count,
      pinned: count,
      withheld: reasons,
      ineligible: reasons,
      refused: reasons,
      unprepared: reasons,
      cache: reasons,
    }).nullable(),
    lessons: lessonsResult(object).nullable(),
    analysis: object({
      primary: z.string(),
      contrasts: z.array(z.tuple([z.string(), z.string()])),
      alpha: z.number(),
      power: z.number(),
      margin: z.number(),
      exploratory: object({ scorers: z.array(z.string()), arms: z.array(z.string()) }),
    }),
    changed_labels: z.array(object({ fixture: z.string(), before: digest, after: digest })).default([]),
    judging: judgingResultSchema(object).nullable(),
    model_changes: z.array(
      object({
        stage: z.enum(['formation', 'reader', 'judge']),
        requested: z.string(),
        reported: z.array(z.string()).min(2),
      }),
    ),
    always_abstain: z.record(z.string(), score),
    problems: z.array(
      object({
        kind: z.enum(ERROR_KINDS),
        code: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
        message: z.string().min(1),
        remedy: z.string().nullable(),
        fixture: z.string().nullable(),
        arm: z.string().nullable(),
      }),
    ),
  });

const lessonsResult = (object: ObjectSchema) => {
  const pairCounts = object({ n: count, better: count, worse: count, equal: count });
  return object({
    projection: digest,
    lessons: count,
    of_unknown_origin: count,
    calibrated: z.literal(false),
    in_sample: z.array(object({ fixture: z.string(), questions: z.array(z.string()) })),
    pairs: z.array(
      object({
        arm: z.string(),
        twin: z.string(),
        scorer: z.string(),
        in_sample: pairCounts,
        out_of_sample: pairCounts,
      }),
    ),
  });
};

/** As it is read back from a manifest: a field that a later version added is passed over. One that is added here has a default, for runs of before. */
export const runResultSchema = runResultSchemaOf(z.looseObject);
