import { z } from 'zod';
import { count, digest, nano, type ObjectSchema } from './result-fields.js';

/** How one fixture and replicate of a run's result was formed. */
export const formationResultSchema = (object: ObjectSchema) => {
  const actualCost = object({ sends: count, actual_nano_usd: nano, uncertain_nano_usd: nano });
  return object({
    fixture: z.string(),
    replicate: count,
    corpus: digest,
    bank: digest.nullable(),
    vector_bank: digest.nullable(),
    vectors: z.array(
      object({
        unit: z.enum(['beliefs', 'turns']),
        source: z.enum(['replayed', 'recorded', 'embedded', 'failed']),
        vector_bank: digest.nullable(),
        items: count.nullable(),
        queries: count,
      }),
    ),
    source: z.enum(['recorded', 'replayed', 'live', 'none', 'failed']),
    calls: count,
    attributed_nano_usd: nano.nullable(),
    actual_nano_usd: nano,
    uncertain_nano_usd: nano,
    embedding: object({ index: actualCost, query: actualCost }),
    state: digest.nullable(),
    live_states: z.array(liveState(object)).nullable(),
    reported_models: z.array(z.string()),
    review: z.enum(['unreviewed', 'reviewed', 'changed-since-review']),
  });
};

const liveState = (object: ObjectSchema) =>
  object({
    arm: z.string(),
    calls: count,
    actual_nano_usd: nano,
    state: digest.nullable(),
    beliefs: count.nullable(),
    people: count.nullable(),
    differs_from: z.string().nullable(),
    difference: object({
      table: z.string(),
      record: z.string(),
      field: z.string(),
      expected: z.json(),
      found: z.json(),
    }).nullable(),
  });
