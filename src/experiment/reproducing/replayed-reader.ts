import { canonicalJson, type JsonObject } from '../../core/canonical-json.js';
import { digestText } from '../../core/digest.js';
import { RecallMatrixError } from '../../core/errors.js';
import { SEARCH_LIMIT } from '../../memory/reader/deliberation.js';
import type { CompletionAdapter, CompletionRequest } from '../../provider/completion.js';
import { exactRequest } from '../asking/exact-request.js';
import type { Observation } from '../asking/observation.js';

/** The code of an answer that is not known: no failure of a reproduction, which sends nothing. */
export const NOT_REPLAYED = 'READER_NOT_REPLAYED';

/**
 * A reader's place, taken by what a past run's reader answered to the same exact request (RP-1). Nothing leaves the process, and nothing is
 * billed; a request that is not the past one has no answer.
 *
 * Its calls throw kind `provider`, `READER_NOT_REPLAYED`.
 */
export function replayedReader(rows: readonly Observation[]): CompletionAdapter {
  const known = turnsOf(rows);
  return {
    leaves_process: false,
    prepare: (request) => {
      const body = exactRequest(request);
      const digest = digestText(body);
      return {
        body_bytes: Buffer.byteLength(body),
        body_digest: digest,
        max_output_tokens: request.parameters.max_output_tokens,
        send: async () => {
          const turn = known.get(digest);
          if (turn === undefined) throw notReplayed(request);
          return {
            contents: [canonicalJson(turn.reading)],
            finish: 'stop',
            tool_calls: 0,
            reported_model: turn.row.reported_models[0] ?? null,
            // What it took is in the past run; here it took nothing.
            usage: null,
          };
        },
      };
    },
  };
}

/** One completion of a past reader. */
interface Turn {
  readonly row: Observation;
  readonly reading: JsonObject;
}

/** Whether a row is what its requests' replayed completions make again: not so where it failed, or where another repeat was answered otherwise. */
export function isReplayable(rows: readonly Observation[]): (row: Observation) => boolean {
  const known = turnsOf(rows);
  return (row) =>
    row.outcome.kind === 'answered' &&
    turnsIn(row).every(([request, { reading }]) => {
      const turn = known.get(request);
      return turn !== undefined && canonicalJson(turn.reading) === canonicalJson(reading);
    });
}

/** By request: of several repeats the first, since they answered one request. */
function turnsOf(rows: readonly Observation[]): ReadonlyMap<string, Turn> {
  const known = new Map<string, Turn>();
  for (const row of rows) for (const [request, turn] of turnsIn(row)) if (!known.has(request)) known.set(request, turn);
  return known;
}

/** A row's completions by their requests: the searches of a deliberate reader, then its answer. */
function turnsIn(row: Observation): [string, Turn][] {
  if (row.outcome.kind !== 'answered' || row.request === null) return [];
  const { recall, searches, abstained, answer } = row;
  const mayStillSearch = recall === 'deliberate' && searches.length < SEARCH_LIMIT;
  const last = { abstains: abstained === true, answer: answer ?? '', ...(mayStillSearch ? { search: null } : {}) };
  return [
    ...searches.map(({ request, query, subjects }): [string, Turn] => [
      request,
      { row, reading: { abstains: false, answer: '', search: { query, subjects } } },
    ]),
    [row.request, { row, reading: last }],
  ];
}

function notReplayed({ metadata }: CompletionRequest): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: NOT_REPLAYED,
    message: `no past answer to the exact request of question ${metadata.question}, and nothing is sent`,
    remedy: 'name a run that asked it with --against',
  });
}
