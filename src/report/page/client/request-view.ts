import type { AnswerDetail, FixtureTexts, RequestText } from '../questions/page-data.js';
import { countOf, data, element, lazyDetails, longData } from './dom.js';

/** What the reader was sent: the context's lines, and the exact messages. */
export function requestView(texts: FixtureTexts, answer: AnswerDetail): HTMLElement | null {
  const { request, request_digest, context_tokens } = answer;
  if (request_digest === null) return null;
  if (request === null) {
    return element(
      'p',
      { class: 'note' },
      'The run folder does not hold the exact request ',
      data(request_digest),
      '.',
    );
  }
  const lines = contextLines(texts, request);
  return element(
    'div',
    {},
    lines === null
      ? null
      : lazyDetails(
          `Context: ${countOf(lines.length, 'line')}, ${context_tokens ?? 'unknown'} tokens`,
          () => [element('ol', { class: 'context' }, ...lines.map((line) => element('li', {}, longData(line))))],
          'context',
        ),
    lazyDetails('Exact request', () => [
      element(
        'p',
        { class: 'note' },
        'To ',
        data(request.model),
        ', ',
        element('span', { class: 'digest' }, request_digest),
      ),
      ...request.messages.map((message) =>
        element('div', { class: 'message' }, element('h4', {}, data(message.role)), longData(textOf(texts, message))),
      ),
    ]),
  );
}

function textOf({ pieces }: FixtureTexts, message: RequestText['messages'][number]): string {
  return message.pieces.map((piece) => pieces[piece]).join('');
}

/** The user message is JSON with the lines in it; null where a reader was sent something else. */
function contextLines(texts: FixtureTexts, { messages }: RequestText): readonly string[] | null {
  const user = messages.find(({ role }) => role === 'user');
  if (user === undefined) return null;
  try {
    const { context } = JSON.parse(textOf(texts, user)) as { readonly context?: unknown };
    return Array.isArray(context) ? context.map(String) : null;
  } catch {
    return null;
  }
}
