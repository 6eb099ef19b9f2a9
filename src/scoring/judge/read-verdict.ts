import { RecallMatrixError } from '../../core/errors.js';
import type { Completion, CompletionRequest } from '../../provider/completion.js';
import { unsupportedReason } from '../../provider/supported-completion.js';
import type { Verdict } from './judge.js';

/**
 * Reads a judge's completion.
 *
 * @throws kind `provider`, `JUDGE_UNSUPPORTED_COMPLETION`, for one that may not be used (FB-11): no verdict is made of it, and no zero.
 */
export function readVerdict(request: CompletionRequest, completion: Completion): Verdict {
  const unsupported = unsupportedReason(request, completion);
  if (unsupported !== null) {
    throw new RecallMatrixError({
      kind: 'provider',
      code: 'JUDGE_UNSUPPORTED_COMPLETION',
      message: `the judge's completion for question ${request.metadata.question} ${unsupported}`,
      remedy: "raise the judge's `max_output_tokens`, or use a model that keeps to the response schema",
    });
  }
  // Checked against the schema, which names these two and no more.
  const { reason, verdict } = JSON.parse(completion.contents[0] as string) as { reason: string; verdict: string };
  return { correct: verdict === 'correct', reason };
}
