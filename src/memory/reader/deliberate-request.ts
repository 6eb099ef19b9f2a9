import type { Question } from '../../fixture/question.js';
import type { CompletionRequest, ResponseSchema } from '../../provider/completion.js';
import { deliberatePrompt } from './deliberate-prompt.js';
import { SEARCH_LIMIT, type SearchedMemory } from './deliberation.js';
import type { ReaderSettings } from './reader.js';
import { askedRequest, READING_SCHEMA } from './reader-request.js';

/** Every property is required, as strict structured output wants it: one that is not there is null. */
const SEARCHING_SCHEMA: ResponseSchema = {
  name: 'reading',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['abstains', 'answer', 'search'],
    properties: {
      abstains: { type: 'boolean' },
      answer: { type: 'string' },
      search: {
        anyOf: [
          {
            type: 'object',
            additionalProperties: false,
            required: ['query', 'subjects'],
            properties: { query: { type: 'string' }, subjects: { type: 'array', items: { type: 'string' } } },
          },
          { type: 'null' },
        ],
      },
    },
  },
};

/**
 * The next request of a deliberate reader (docs/formats/model-requests.md): a function of the prompt, the question, its present, and of
 * what its own searches found (RT-5, RT-8). Once all searches are made, none is offered.
 */
export function deliberateRequest(
  question: Question,
  { context, searches }: Pick<SearchedMemory, 'context' | 'searches'>,
  settings: ReaderSettings,
): CompletionRequest {
  const left = SEARCH_LIMIT - searches.length;
  const content = {
    context: context.lines,
    present: question.asked_at,
    question: question.question,
    searches: searches.map(({ query, subjects, new_lines }) => ({ query, subjects, new_lines })),
    searches_left: left,
  };
  const schema = left > 0 ? SEARCHING_SCHEMA : READING_SCHEMA;
  return askedRequest(question, content, schema, { ...settings, prompt: deliberatePrompt(settings.prompt) });
}
