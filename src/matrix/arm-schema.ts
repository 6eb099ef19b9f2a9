import { z } from 'zod';
import { isCivilTime } from '../core/civil-time.js';
import { SENSITIVITIES } from '../fixture/history.js';
import { RECALL_MODES } from '../memory/memory.js';
import { NAME, positive } from './fields.js';

/** Arms as they are written (RT-1). What their keys mean is in docs/formats/matrix.md, docs/recall-modes.md and docs/modules.md. */

const UNITS = ['beliefs', 'turns'] as const;
const limit = positive(1000).default(10);
const path = z.string().min(1).max(4096);
const common = {
  unit: z.enum(UNITS).default('beliefs'),
  mode: z.enum(RECALL_MODES).default('standard'),
  as_of: z
    .string()
    .refine((text) => text === 'question' || isCivilTime(text), 'expected `question` or a time, YYYY-MM-DDTHH:MM:SS')
    .optional()
    .describe('Of mode `historical` alone.'),
  core_size: positive(1000).optional().describe('Of mode `core` alone: the most beliefs of the core.'),
  read_ceiling: z.enum(SENSITIVITIES).default('restricted'),
};
const unlimited = <Name extends string>(name: Name) => z.strictObject({ strategy: z.literal(name), ...common });
// The references are named after what was said: a history, its evidence.
const reference = <Name extends string>(name: Name) => unlimited(name).extend({ unit: z.enum(UNITS).default('turns') });
const limited = <Name extends string>(name: Name) => z.strictObject({ strategy: z.literal(name), limit, ...common });

const STRATEGY_SCHEMAS = [
  unlimited('none'),
  reference('full-history'),
  reference('evidence'),
  limited('recency'),
  limited('full-text'),
  limited('bm25'),
  limited('semantic'),
  limited('hybrid'),
  limited('module').extend({ path: path.describe('An ES module, .mjs (docs/modules.md).') }),
  z.strictObject({
    strategy: z.literal('file'),
    path: path.describe("Another system's rankings or answers (docs/other-systems.md)."),
    limit,
  }),
] as const;

export const armSchema = z.strictObject({
  name: NAME,
  retrieval: z.discriminatedUnion('strategy', STRATEGY_SCHEMAS),
  recall: z.enum(['automatic', 'deliberate']).default('automatic'),
  query_preparation: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Of semantic and hybrid: off misses every lookup, as an experiment.'),
  context: z
    .strictObject({
      lessons: z.enum(['none', 'inject']).default('none'),
      lesson_tokens: positive(2_000_000)
        .optional()
        .describe("Of `inject` alone: the most of the context's tokens that lessons take; default 200."),
    })
    .prefault({})
    .describe('Whether verified lessons that match a question stand in its context (docs/lessons.md).'),
});

/** An arm as its author wrote it, defaults filled in. */
export type AuthoredArm = z.output<typeof armSchema>;

/** The keys that `retrieval` may have beside its strategy; none where there is no such strategy. */
export function retrievalKeys(strategy: unknown): readonly string[] {
  const schema = STRATEGY_SCHEMAS.find(({ shape }) => shape.strategy.value === strategy);
  return schema === undefined ? [] : Object.keys(schema.shape).filter((key) => key !== 'strategy');
}
