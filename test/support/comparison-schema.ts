import { z } from 'zod';

/*
 * `compare --json` as docs/formats/run.md gives it, written down a second time: an independent statement of the format. Fields may be added there, and
 * then here; none may go, or change its meaning.
 */
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const count = z.int().min(0);
const probability = z.number().min(0).max(1);
const difference = z.number().min(-1).max(1);
const name = z.string().min(1);

const meanDifference = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('estimated'),
    estimate: difference,
    standard_error: z.number().positive(),
    degrees_of_freedom: z.int().min(1),
    lo: z.number(),
    hi: z.number(),
    t: z.number(),
    p: probability,
  }),
  z.strictObject({ kind: z.literal('no_pairs') }),
  z.strictObject({ kind: z.literal('one_unit'), estimate: difference }),
  z.strictObject({ kind: z.literal('all_equal'), estimate: difference }),
  z.strictObject({ kind: z.literal('no_variance'), estimate: difference }),
]);

const signFlip = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('tested'),
    method: z.enum(['exact', 'monte_carlo']),
    p: probability,
    smallest_p: probability,
    could_reach_alpha: z.boolean(),
    units: count,
    differing_units: count,
  }),
  z.strictObject({ kind: z.literal('no_pairs') }),
  z.strictObject({ kind: z.literal('all_zero'), units: count }),
]);

const mcnemar = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('tested'),
    only_base_correct: count,
    only_head_correct: count,
    p: probability,
    smallest_p: probability,
  }),
  z.strictObject({ kind: z.enum(['no_pairs', 'not_binary', 'no_disagreement']) }),
]);

const rows = z.strictObject({ rows: count, answered: count, failed: count, lost: count });

const contrast = z.strictObject({
  head_arm: name,
  base_arm: name,
  scorer: name,
  planned: z.boolean(),
  rows: z.strictObject({ base: rows, head: rows }),
  pairs: count,
  only_base: count,
  only_head: count,
  base_mean: probability.nullable(),
  head_mean: probability.nullable(),
  new_conversations: meanDifference,
  these_conversations: meanDifference,
  without_failures: z.strictObject({
    pairs: count,
    new_conversations: meanDifference,
    these_conversations: meanDifference,
  }),
  sign_flip: signFlip,
  bootstrap: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('estimated'),
      estimate: difference,
      lo: difference,
      hi: difference,
      draws: count,
    }),
    z.strictObject({ kind: z.literal('no_pairs') }),
    z.strictObject({ kind: z.literal('one_unit'), estimate: difference }),
  ]),
  smallest_detectable: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('estimated'),
      difference: z.number().positive(),
      alpha: probability,
      power: probability,
    }),
    z.strictObject({ kind: z.enum(['no_pairs', 'one_unit', 'all_equal', 'no_variance']) }),
  ]),
  adjusted_p: probability.nullable(),
  within: z.strictObject({ permutation: signFlip, mcnemar }),
  verdict: z.strictObject({
    basis: z.array(name),
    kind: z.enum(['better', 'worse', 'not-told-apart', 'could-not-be-told', 'withheld', 'reference']),
    sentence: name,
  }),
});

const side = z.strictObject({
  run: name,
  path: z.string().startsWith('/'),
  matrix: digest,
  started_at: z.iso.datetime(),
  status: z.enum(['complete', 'incomplete', 'refused']),
});

export const comparisonSchema = z.strictObject({
  format: z.literal('comparison@1'),
  base: side,
  head: side,
  kind: z.enum(['two-runs', 'within-run']),
  factors: z.array(
    z.strictObject({
      factor: name,
      fixture: name.nullable(),
      arm: name.nullable(),
      base: z.string(),
      head: z.string(),
      is_treatment: z.boolean(),
    }),
  ),
  confounded: z.boolean(),
  formation_differs: z.boolean(),
  alpha: probability,
  power: probability,
  margin: probability,
  primary: name,
  datasets: z.array(
    z.strictObject({
      dataset: name,
      conversations: z.array(z.strictObject({ fixture: name, questions: count })),
      contrasts: z.array(contrast),
      noise_floors: z.array(
        z.strictObject({
          arm: name,
          twin: name,
          dataset: name,
          pairs: count,
          changed: count,
          new_conversations: meanDifference,
          these_conversations: meanDifference,
          half_width: z.number().min(0).nullable(),
        }),
      ),
    }),
  ),
  gates: z.array(
    z.strictObject({
      condition: name,
      dataset: name,
      scorer: name,
      base_arm: name,
      head_arm: name,
      tests: z.enum(['estimate', 'bound']),
      scope: z.enum(['new-conversations', 'these-conversations']),
      threshold: difference,
      value: z.number().nullable(),
      outcome: z.enum(['regression', 'within-margin', 'no-regression-shown', 'invalid', 'untestable']),
      sentence: name,
    }),
  ),
  gate: z.enum(['none', 'passed', 'regression', 'invalid', 'untestable']),
  notes: z.array(name),
});
