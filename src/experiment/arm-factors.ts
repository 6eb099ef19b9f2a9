import type { JsonObject } from '../core/canonical-json.js';
import type { ArmSettings, ResolvedMatrix } from '../matrix/matrix.js';

/** What of a matrix decides what an arm retrieves and is shown, beside the belief state and the questions (RP-1). */
export function retrievalFactors(matrix: ResolvedMatrix, arm: ArmSettings): JsonObject {
  const { path: _path, ...retrieval } = arm.retrieval;
  const preparation = arm.query_preparation ?? matrix.query_preparation;
  return JSON.parse(
    JSON.stringify({
      retrieval,
      context: matrix.context,
      query_preparation: preparation === null || preparation === 'off' ? preparation : preparation.embedding.model,
    }),
  ) as JsonObject;
}

/** What decides a reader's answer to the same context: its model, its prompt and its parameters. */
export function readerFactors({ reader, providers }: ResolvedMatrix): JsonObject {
  const { model, parameters, prompt } = reader;
  const kind = providers[reader.provider]?.kind ?? null;
  return JSON.parse(JSON.stringify({ kind, model, parameters, prompt: prompt.digest })) as JsonObject;
}
