import type { Observation } from '../../../experiment/experiment.js';
import { isOwnFailure, type RecordedRequest, type RecordedVerdict } from '../../../experiment/run-record.js';
import type { FixtureTextsBuilder } from './fixture-texts.js';
import type { AnswerDetail, RowState, SearchDetail } from './page-data.js';

/** What a row is in the list. */
export function rowState(row: Observation): RowState {
  if (row.outcome.kind === 'answered') return row.abstained === true ? 'abstained' : 'answered';
  return isOwnFailure(row) ? 'failed' : 'lost';
}

/** What the run folder keeps of a row beside it. */
export interface KeptOfRow {
  readonly request: RecordedRequest | null;
  /** By judge. */
  readonly said: ReadonlyMap<string, readonly RecordedVerdict[]>;
}

/** A row as its question's details show it; shared texts go to `texts`. */
export function answerDetail(row: Observation, arm: number, kept: KeptOfRow, texts: FixtureTextsBuilder): AnswerDetail {
  const included = row.context === null ? null : new Set(row.context.included);
  return {
    arm,
    replicate: row.replicate,
    repeat: row.repeat,
    state: rowState(row),
    answer: row.answer,
    scores: row.scores,
    judgements: Object.entries(row.judgements).map(([judge, { by, correct, verdicts, cause }]) => ({
      judge,
      by,
      correct,
      verdicts,
      problem: cause === null ? null : cause.message,
      said: kept.said.get(judge) ?? [],
    })),
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
    searches: row.searches.map((search) => searchDetail(row, search, texts)),
    lessons: row.lessons.map((lesson) => texts.lesson(lesson)),
    context_tokens: row.context?.tokens ?? null,
    request: kept.request === null ? null : texts.request(kept.request),
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

/** What it found has its sources in the row's own list. */
function searchDetail(
  row: Observation,
  { query, subjects, effective_strategy, lookup_miss, retrieved, new_lines }: Observation['searches'][number],
  texts: FixtureTextsBuilder,
): SearchDetail {
  const sources = new Map(row.retrieved.map((one) => [one.id, one.sources]));
  const found = retrieved.map((id) => texts.item(row, id, sources.get(id) ?? []));
  return { query, subjects, strategy: effective_strategy, lookup_miss, found, new_lines };
}
