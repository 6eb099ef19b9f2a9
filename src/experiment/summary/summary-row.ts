import type { Observation } from '../asking/observation.js';

type Cost = Pick<Observation['attributed']['reader'], 'nano_usd'>;

/**
 * What summaries need of a row: a run keeps this of each, and its answers, requests and retrieved items in files alone, so that memory
 * holds some hundred bytes a row.
 */
export interface SummaryRow
  extends Pick<
    Observation,
    | 'fixture'
    | 'question'
    | 'repeat'
    | 'replicate'
    | 'category'
    | 'answerable'
    | 'scores'
    | 'applicable'
    | 'lookup_miss'
    | 'abstained'
    | 'reported_models'
  > {
  /** Of a deliberate reader: how many it made. */
  readonly searches: { readonly length: number };
  /** How many stood in its context. */
  readonly lessons: { readonly length: number };
  readonly miss: Pick<NonNullable<Observation['miss']>, 'cause'> | null;
  readonly judgements: { readonly [judge: string]: Pick<Observation['judgements'][string], 'by' | 'nano_usd'> };
  readonly context: Pick<NonNullable<Observation['context']>, 'tokens'> | null;
  readonly outcome: {
    readonly kind: Observation['outcome']['kind'];
    readonly cause: Pick<NonNullable<Observation['outcome']['cause']>, 'own_making'> | null;
  };
  readonly attributed: {
    readonly formation: Cost;
    readonly index: Cost;
    readonly query: Cost;
    readonly reader: Cost;
    readonly nano_usd: number | null;
  };
}

/** Takes from a row what summaries need. */
export function summaryRow(row: Observation): SummaryRow {
  const { fixture, question, repeat, replicate, category, answerable, scores, applicable, lookup_miss, abstained } =
    row;
  const { kind, cause } = row.outcome;
  const cost = ({ nano_usd }: Cost): Cost => ({ nano_usd });
  const { formation, index, query, reader, nano_usd } = row.attributed;
  return {
    fixture,
    question,
    repeat,
    replicate,
    category,
    answerable,
    scores,
    applicable,
    lookup_miss,
    abstained,
    reported_models: row.reported_models,
    searches: { length: row.searches.length },
    lessons: { length: row.lessons.length },
    miss: row.miss === null ? null : { cause: row.miss.cause },
    judgements: Object.fromEntries(
      Object.entries(row.judgements).map(([judge, { by, nano_usd: verdicts }]) => [judge, { by, nano_usd: verdicts }]),
    ),
    context: row.context === null ? null : { tokens: row.context.tokens },
    outcome: { kind, cause: cause === null ? null : { own_making: cause.own_making } },
    attributed: {
      formation: cost(formation),
      index: cost(index),
      query: cost(query),
      reader: cost(reader),
      nano_usd,
    },
  };
}
