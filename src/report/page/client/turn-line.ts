import type { TurnText } from '../questions/page-data.js';
import { data, element, longData } from './dom.js';
import { minuteWords } from './words.js';

/** A turn: its id, when and by whom, and what was said. */
export function turnLine(turn: TurnText | undefined, isEvidence = false): HTMLElement {
  if (turn === undefined) return element('span', {}, 'a turn that this file does not hold');
  const { id, at, speaker, text, caption, erased } = turn;
  return element(
    'span',
    { class: 'turn' },
    element(
      'span',
      { class: 'note' },
      data(id),
      at === null ? null : `, ${minuteWords(at)}`,
      isEvidence ? ' ' : null,
      isEvidence ? element('strong', { class: 'tag' }, 'evidence') : null,
    ),
    ' ',
    speaker === null ? null : data(`${speaker}: `),
    text === null ? (erased ? '(erased)' : '(its text is not at hand)') : longData(text),
    caption === null ? null : data(` [image: ${caption}]`),
  );
}
