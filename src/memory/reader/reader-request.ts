import { canonicalJson, type JsonObject } from '../../core/canonical-json.js';
import { type Digest, digestJson } from '../../core/digest.js';
import type { Question } from '../../fixture/question.js';
import type { CompletionRequest, ResponseSchema } from '../../provider/completion.js';
import type { AssembledContext } from '../context/context.js';
import type { ReaderSettings } from './reader.js';

/** Of an answer. */
export const READING_SCHEMA: ResponseSchema = {
  name: 'reading',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['abstains', 'answer'],
    properties: { abstains: { type: 'boolean' }, answer: { type: 'string' } },
  },
};

/** The reader's request (docs/formats/model-requests.md): a function of the prompt, the question, its present and the context alone (RT-5). */
export function readerRequest(
  question: Question,
  context: AssembledContext,
  settings: ReaderSettings,
): CompletionRequest {
  const content = { context: context.lines, present: question.asked_at, question: question.question };
  return askedRequest(question, content, READING_SCHEMA, settings);
}

/** A request of a reader: its prompt, and the user message's content as canonical JSON. */
export function askedRequest(
  question: Question,
  content: JsonObject,
  schema: ResponseSchema,
  settings: ReaderSettings,
): CompletionRequest {
  return {
    messages: [
      { role: 'system', content: settings.prompt.text },
      { role: 'user', content: canonicalJson(content) },
    ],
    response_schema: schema,
    parameters: settings.parameters,
    model: settings.model,
    metadata: { stage: 'reader', fixture: settings.fixture, batch: null, question: question.id },
  };
}

/** What of a request decides its answer: all but its metadata, the time of resolution and the credential's name. */
function sentParts(request: CompletionRequest): Omit<CompletionRequest, 'model' | 'metadata'> & {
  readonly model: Omit<CompletionRequest['model'], 'resolved_at' | 'credential_ref'>;
} {
  const { kind, wire_api, endpoint, model } = request.model;
  return {
    messages: request.messages,
    response_schema: request.response_schema,
    parameters: request.parameters,
    model: { kind, wire_api, endpoint, model },
  };
}

/** The digest by which an exact request is kept and compared: the same request on another day has the same. */
export function sentDigest(request: CompletionRequest): Digest {
  return digestJson(sentParts(request));
}
