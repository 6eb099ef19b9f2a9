import type { ArmSettings, ModelChoice } from '../../matrix/matrix.js';
import { contextBytes } from '../../matrix/plan.js';
import { QUERY_TEXT_LIMIT_BYTES } from '../../memory/query-preparation/guards/length.js';
import { deliberatePrompt } from '../../memory/reader/deliberate-prompt.js';
import { SEARCH_LIMIT } from '../../memory/reader/deliberation.js';
import type { ReaderPrompt } from '../../memory/reader/reader.js';
import { searchesVectors } from '../arm-needs.js';
import { type PreparedRun, vectorPlans } from '../prepare-run.js';

/** What a question's reader is called for at the most (RT-8). */
export interface ReaderTurns {
  readonly calls: number;
  /** The system message. */
  readonly prompt: string;
  /** UTF-8 bytes, at worst, of its own searches that it is told. */
  readonly told_bytes: number;
}

/** One call an answer, and one a search. */
export function readerTurns(
  { recall }: ArmSettings,
  { prompt, parameters }: Pick<ModelChoice, 'parameters'> & { readonly prompt: ReaderPrompt },
): ReaderTurns {
  if (recall !== 'deliberate') return { calls: 1, prompt: prompt.text, told_bytes: 0 };
  return {
    calls: SEARCH_LIMIT + 1,
    prompt: deliberatePrompt(prompt).text,
    // No search is longer than what the model may say.
    told_bytes: contextBytes(SEARCH_LIMIT * parameters.max_output_tokens).worst,
  };
}

/**
 * UTF-8 bytes of a query in a request's body: as it is expected, some words; at worst the longest text that may be embedded (SQ-7), escaped
 * once more, since nobody knows it yet.
 */
export const SEARCH_BYTES = { expected: 64, worst: 2 * QUERY_TEXT_LIMIT_BYTES } as const;

/** The most query vectors that deliberate readers have prepared: one a search; none over a fixture that is withheld whole (SQ-7). */
export function mostSearches(prepared: PreparedRun): number {
  const { arms, load } = prepared.loaded.matrix;
  const plans = prepared.plans.filter((plan) => vectorPlans(prepared, plan).length > 0);
  const searching = arms.filter(searchesVectors).length;
  const questions = plans.reduce(
    (sum, { fixture }) => sum + (prepared.selected.get(fixture.manifest.id)?.length ?? 0),
    0,
  );
  return questions * load.repeats * searching * SEARCH_LIMIT;
}
