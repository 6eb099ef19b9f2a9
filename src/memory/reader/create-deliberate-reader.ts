import type { Question } from '../../fixture/question.js';
import type { CompletionProvider } from '../../provider/completion.js';
import { answerIn, readingOf } from './create-reader.js';
import { deliberateRequest } from './deliberate-request.js';
import { cleanSearch, type SearchedMemory } from './deliberation.js';
import type { ReaderSettings, Reading } from './reader.js';
import { sentDigest } from './reader-request.js';

/** Answers after searches of its own (RT-8). */
export interface DeliberateReader {
  /**
   * Asks the model until it answers. A memory that holds searches already is gone on with: those are not made again.
   *
   * @throws what `Reader.read` throws, and what `memory` throws.
   */
  read(question: Question, memory: SearchedMemory, provider: CompletionProvider, signal: AbortSignal): Promise<Reading>;
}

/** A deliberate reader by a prompt and a model. A completion that searches is no answer, whatever else it says. */
export function createDeliberateReader(settings: ReaderSettings): DeliberateReader {
  return {
    read: async (question, memory, provider, signal) => {
      for (;;) {
        // Once all searches are made, the request's schema has no room for another.
        const request = deliberateRequest(question, memory, settings);
        const completion = await provider.complete(request, signal);
        const reading = readingOf(request, completion);
        if (reading.search == null) return { ...answerIn(reading, request), completion, request: sentDigest(request) };
        await memory.search(cleanSearch(reading.search), signal);
      }
    },
  };
}
