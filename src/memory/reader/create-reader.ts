import { RecallMatrixError } from '../../core/errors.js';
import type { Completion, CompletionRequest } from '../../provider/completion.js';
import { unsupportedReason } from '../../provider/supported-completion.js';
import type { Search } from './deliberation.js';
import type { Reader, ReaderSettings, Reading } from './reader.js';
import { readerRequest, sentDigest } from './reader-request.js';

/**
 * A reader by a prompt and a model (RT-5).
 *
 * Its `read` throws what the provider throws, and kind `provider`: `READER_UNSUPPORTED_COMPLETION` for a completion that may not be
 * used (FB-11), `READER_EMPTY_ANSWER` for one that neither answers nor abstains. Both are the arm's own failures, since the call
 * itself succeeded and was billed (OB-4).
 */
export function createReader(settings: ReaderSettings): Reader {
  return {
    read: async (question, context, provider, signal) => {
      const request = readerRequest(question, context, settings);
      const completion = await provider.complete(request, signal);
      return { ...answerIn(readingOf(request, completion), request), completion, request: sentDigest(request) };
    },
  };
}

/** What a completion holds, as its request's schema has it. */
export interface ReadCompletion {
  readonly answer: string;
  readonly abstains: boolean;
  /** Of a deliberate reader alone, while it may still search. */
  readonly search?: Search | null;
}

/** @throws `READER_UNSUPPORTED_COMPLETION`. */
export function readingOf(request: CompletionRequest, completion: Completion): ReadCompletion {
  const reason = unsupportedReason(request, completion);
  if (reason !== null) throw readerError('READER_UNSUPPORTED_COMPLETION', `${placeOf(request)} ${reason}`);
  // Checked against the schema, which names these and no more.
  return JSON.parse(completion.contents[0] as string) as ReadCompletion;
}

/** @throws `READER_EMPTY_ANSWER`. */
export function answerIn(
  { answer, abstains }: ReadCompletion,
  request: CompletionRequest,
): Pick<Reading, 'answer' | 'abstained'> {
  if (!abstains && answer.trim() === '')
    throw readerError('READER_EMPTY_ANSWER', `${placeOf(request)} neither answers nor abstains`);
  return { answer, abstained: abstains };
}

function placeOf({ metadata }: CompletionRequest): string {
  return `the reader's completion for question ${metadata.question}`;
}

function readerError(code: string, message: string): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code,
    message,
    remedy: 'raise `max_output_tokens`, or use a model that keeps to the response schema',
  });
}
