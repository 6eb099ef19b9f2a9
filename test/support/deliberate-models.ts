import type { Search } from '../../src/memory/reader/deliberation.js';
import { simpleModels, stageOf, userMessage } from './chat-models.js';
import type { ChatRequest } from './openai-server/index.js';

/** What a deliberate reader is shown (docs/formats/model-requests.md). */
export interface DeliberateMessage {
  readonly context: readonly string[];
  readonly question: string;
  readonly searches: readonly (Search & { readonly new_lines: number })[];
  readonly searches_left: number;
}

/** The simple models, with a reader that searches for what a script says, and then repeats its last line of context. */
export function deliberateModels(script: (message: DeliberateMessage) => Search | null) {
  const simple = simpleModels();
  return (request: ChatRequest, index: number): string => {
    const answer = simple(request, index);
    if (stageOf(request) !== 'reader') return answer;
    const message = userMessage(request) as unknown as DeliberateMessage;
    if (message.searches_left === undefined || message.searches_left === 0) return answer;
    const search = script(message);
    return search === null
      ? JSON.stringify({ ...JSON.parse(answer), search: null })
      : JSON.stringify({ abstains: false, answer: 'not yet', search });
  };
}
