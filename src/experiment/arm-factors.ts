import type { JsonObject } from '../core/canonical-json.js';
import type { ArmSettings, ResolvedMatrix } from '../matrix/matrix.js';
import { deliberatePrompt } from '../memory/reader/deliberate-prompt.js';

/** What of a matrix decides what an arm retrieves and is shown, beside the belief state and the questions (RP-1). */
export function retrievalFactors(matrix: ResolvedMatrix, arm: ArmSettings): JsonObject {
  const { path: _path, ...retrieval } = arm.retrieval;
  const preparation = arm.query_preparation ?? matrix.query_preparation;
  return JSON.parse(
    JSON.stringify({
      retrieval,
      // What a reader searches for is its own doing: who reads, and by which protocol, decides what is found (RT-8).
      ...(arm.recall === 'deliberate' ? { recall: 'deliberate', reader: deliberateFactors(matrix) } : {}),
      context: { ...matrix.context, ...arm.context },
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

function deliberateFactors(matrix: ResolvedMatrix): JsonObject {
  return { ...readerFactors(matrix), prompt: deliberatePrompt(matrix.reader.prompt).digest };
}
