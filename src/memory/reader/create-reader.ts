import { RecallMatrixError } from '../../core/errors.js';
import type { Completion, CompletionRequest } from '../../provider/completion.js';
import { unsupportedReason } from '../../provider/supported-completion.js';
import type { Reader, ReaderSettings } from './reader.js';
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
      const { answer, abstains } = readCompletion(request, completion);
      return { answer, abstained: abstains, completion, request: sentDigest(request) };
    },
  };
}

function readCompletion(request: CompletionRequest, completion: Completion): { answer: string; abstains: boolean } {
  const where = `the reader's completion for question ${request.metadata.question}`;
  const reason = unsupportedReason(request, completion);
  if (reason !== null) throw readerError('READER_UNSUPPORTED_COMPLETION', `${where} ${reason}`);
  // Checked against the schema, which names these two and no more.
  const reading = JSON.parse(completion.contents[0] as string) as { answer: string; abstains: boolean };
  if (!reading.abstains && reading.answer.trim() === '') {
    throw readerError('READER_EMPTY_ANSWER', `${where} neither answers nor abstains`);
  }
  return reading;
}

function readerError(code: string, message: string): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code,
    message,
    remedy: 'raise `max_output_tokens`, or use a model that keeps to the response schema',
  });
}
