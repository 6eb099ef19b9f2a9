import type { Observation } from '../../../experiment/experiment.js';
import { isOwnFailure, type RecordedRequest } from '../../../experiment/run-record.js';
import type { FixtureTextsBuilder } from './fixture-texts.js';
import type { AnswerDetail, RowState, SearchDetail } from './page-data.js';

/** What a row is in the list. */
export function rowState(row: Observation): RowState {
  if (row.outcome.kind === 'answered') return row.abstained === true ? 'abstained' : 'answered';
  return isOwnFailure(row) ? 'failed' : 'lost';
}

/** A row as its question's details show it; shared texts go to `texts`. */
export function answerDetail(
  row: Observation,
  arm: number,
  request: RecordedRequest | null,
  texts: FixtureTextsBuilder,
): AnswerDetail {
  const included = row.context === null ? null : new Set(row.context.included);
  return {
    arm,
    replicate: row.replicate,
    repeat: row.repeat,
    state: rowState(row),
    answer: row.answer,
    scores: row.scores,
    judgements: Object.entries(row.judgements).map(([judge, { by, correct, verdicts, cause }]) =>
      by === 'rule'
        ? `${judge}: decided by the abstention, without a verdict`
        : by === null
          ? `${judge}: no verdict${cause === null ? '' : ` (${cause.message})`}`
          : `${judge}: ${correct} of ${verdicts} verdicts hold it to be correct`,
    ),
    miss: row.miss,
    problem: problemOf(row.outcome),
    strategy: strategyOf(row),
    lookup_miss: row.lookup_miss,
    oracle: row.oracle,
    retrieved: row.retrieved.map(({ id, rank, score, sources, tokens }) => [
      texts.item(row, id, sources),
      rank,
      score,
      tokens,
      included === null ? null : included.has(id),
    ]),
    searches: row.searches.map(searchDetail),
    lessons: row.lessons,
    context_tokens: row.context?.tokens ?? null,
    request: request === null ? null : texts.request(request),
    request_digest: row.request,
    attributed_nano_usd: row.attributed.nano_usd,
    actual: {
      calls: row.actual.calls,
      nano_usd: row.actual.nano_usd,
      uncertain_nano_usd: row.actual.uncertain_nano_usd,
    },
    timings_ms: row.timings_ms,
    reported_models: row.reported_models,
  };
}

function problemOf({ kind, cause }: Observation['outcome']): string | null {
  if (cause === null) return null;
  const whose = cause.own_making ? "the arm's own: it counts as 0" : 'not its own: it is in no mean';
  return `${kind} at ${cause.stage} (${whose}): ${cause.message} [${cause.code}]`;
}

function strategyOf({ strategy, effective_strategy, mode, recall }: Observation): string {
  const fellBack = effective_strategy !== null && effective_strategy !== strategy;
  return [
    fellBack ? `${strategy}, fell back to ${effective_strategy}` : strategy,
    ...(mode === 'standard' ? [] : [`${mode} recall`]),
    ...(recall === 'automatic' ? [] : ['the reader made its own searches']),
  ].join('; ');
}

function searchDetail({
  query,
  subjects,
  effective_strategy,
  lookup_miss,
  retrieved,
  new_lines,
}: Observation['searches'][number]): SearchDetail {
  return { query, subjects, strategy: effective_strategy, lookup_miss, found: retrieved, new_lines };
}
