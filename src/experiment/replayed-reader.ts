import { canonicalJson } from '../core/canonical-json.js';
import { digestText } from '../core/digest.js';
import { RecallMatrixError } from '../core/errors.js';
import type { CompletionAdapter, CompletionRequest } from '../provider/completion.js';
import { exactRequest } from './exact-request.js';
import type { Observation } from './observation.js';

/** The code of an answer that is not known: no failure of a reproduction, which sends nothing. */
export const NOT_REPLAYED = 'READER_NOT_REPLAYED';

/**
 * A reader's place, taken by what a past run's reader answered to the same exact request (RP-1). Nothing leaves the process, and nothing is
 * billed; a request that is not the past one has no answer.
 *
 * Its calls throw kind `provider`, `READER_NOT_REPLAYED`.
 */
export function replayedReader(rows: readonly Observation[]): CompletionAdapter {
  const known = new Map<string, Observation>();
  for (const row of rows) {
    if (row.outcome.kind !== 'answered' || row.request === null) continue;
    // Of several repeats the first: they answered one request.
    if (!known.has(row.request)) known.set(row.request, row);
  }
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
          const row = known.get(digest);
          if (row === undefined) throw notReplayed(request);
          return {
            contents: [canonicalJson({ abstains: row.abstained === true, answer: row.answer ?? '' })],
            finish: 'stop',
            tool_calls: 0,
            reported_model: row.reported_models[0] ?? null,
            // What it took is in the past run; here it took nothing.
            usage: null,
          };
        },
      };
    },
  };
}

function notReplayed({ metadata }: CompletionRequest): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: NOT_REPLAYED,
    message: `no past answer to the exact request of question ${metadata.question}, and nothing is sent`,
    remedy: 'name a run that asked it with --against',
  });
}
