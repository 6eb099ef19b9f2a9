import { canonicalJson } from '../../core/canonical-json.js';
import type { CompletionRequest, ResponseSchema } from '../../provider/completion.js';
import type { JudgedItem, JudgeSettings } from './judge.js';

// Keys are written in order, so the reason comes before the verdict that it leads to.
const RESPONSE_SCHEMA: ResponseSchema = {
  name: 'judgement',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['reason', 'verdict'],
    properties: { reason: { type: 'string' }, verdict: { type: 'string', enum: ['correct', 'incorrect'] } },
  },
};

/**
 * A judge's request (docs/formats/model-requests.md): a function of the prompt, the model and the item alone. What it cannot be given, it cannot
 * favour: arms are unknown here.
 *
 * @param asked whose answer it is first asked about; metadata, never sent.
 */
export function judgeRequest(
  item: JudgedItem,
  settings: JudgeSettings,
  asked: { readonly fixture: string; readonly question: string },
): CompletionRequest {
  const { question, present, expected, answer } = item;
  return {
    messages: [
      { role: 'system', content: settings.prompt.text },
      { role: 'user', content: canonicalJson({ answer, expected: [...expected], present, question }) },
    ],
    response_schema: RESPONSE_SCHEMA,
    parameters: settings.parameters,
    model: settings.model,
    metadata: { stage: 'judge', fixture: asked.fixture, batch: null, question: asked.question },
  };
}
