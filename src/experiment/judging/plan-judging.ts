import { type CallEstimate, contextBytes } from '../../matrix/plan.js';
import type { PreparedRun } from '../prepare-run.js';

/** Keys and schema of a judge's request, and its expected answers. */
const FRAME_BYTES = 2048;
/** An answer is expected to be this short; at the worst it is as long as the reader may make it. */
const SHORT_ANSWER_TOKENS = 32;

/**
 * The calls of a judge, before any answer is known (MX-6): every answer asked about, in every arm, repeat and replicate, and every labelled one. Fewer are sent
 * where answers are equal or the reader abstains.
 */
export function judgeCalls(prepared: PreparedRun, judge: string): CallEstimate[] {
  const { matrix } = prepared.loaded;
  const choice = matrix.judges[judge];
  if (choice === undefined) return [];
  const fixed = Buffer.byteLength(JSON.stringify(choice.prompt.text)) + FRAME_BYTES;
  const labelled = prepared.judgeLabels.get(judge)?.answers ?? [];
  return prepared.plans.map(({ fixture, replicate }) => {
    const { id } = fixture.manifest;
    const answers =
      (prepared.selected.get(id)?.length ?? 0) * matrix.load.repeats * matrix.arms.length +
      // Labelled answers are judged once, with the first block of their fixture.
      (replicate === 1 ? labelled.filter((answer) => answer.fixture === id).length : 0);
    return {
      sends: answers * choice.repeats,
      expected_bytes: fixed + contextBytes(SHORT_ANSWER_TOKENS).expected,
      worst_bytes: fixed + contextBytes(matrix.reader.parameters.max_output_tokens).worst,
      max_output_tokens: choice.parameters.max_output_tokens,
      attempts: 1,
    };
  });
}
